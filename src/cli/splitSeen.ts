import * as Effect from "effect/Effect"
import type { OwnSplit } from "../campaign/seenBefore.ts"
import type { Problem } from "../domain/InputError.ts"
import { count } from "./output.ts"

const load = Effect.promise(async () => ({
  ...(await import("../campaign/seenBefore.ts")),
  ...(await import("../confirm/seenBefore.ts"))
}))

/** What other splits of the same notes give away of a new split's holdout. */
export const seenWarnings = Effect.fnUntraced(function* (own: OwnSplit) {
  const { openedBefore, seenText, sharingSplits } = yield* load
  const { file, manifest } = own
  const sharing = yield* sharingSplits(own, [])
  const opened = yield* openedBefore(own, sharing, [])
  return [
    ...opened.map(
      (one): Problem => ({
        file,
        what: `of the holdout, ${seenText(one)}: a confirmation on it is exploratory`,
        hint: "A holdout of consultations that nobody has seen takes new ones"
      })
    ),
    ...sharing
      .filter(({ shared }) => shared.optimised > 0)
      .map(
        ({ file: other, shared }): Problem => ({
          file,
          what: `${shared.optimised} of the holdout's ${count(manifest.holdout.length, "consultation")} ${shared.optimised === 1 ? "is" : "are"} in the train or acceptance part of ${other}`,
          hint: `Where a search on that split has made what is to be confirmed on this one, leave them out: --exclude ${other}`
        })
      )
  ]
})

/** What of a split's holdout was opened under others, before `until` where that is given, and the words for it. */
export const seenElsewhere = Effect.fnUntraced(function* (own: OwnSplit, until: string | undefined) {
  const { openedBefore, seenText, sharingSplits } = yield* load
  // What was opened elsewhere after this holdout was takes nothing from what was said of it then.
  const seen = (yield* openedBefore(own, yield* sharingSplits(own, []), [])).filter(
    ({ time }) => until === undefined || time < until
  )
  const warnings = seen.map(
    (one): Problem => ({ file: own.file, what: `of the holdout, ${seenText(one)}: reports on it are exploratory` })
  )
  return { seen, warnings }
})
