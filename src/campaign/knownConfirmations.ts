import * as Effect from "effect/Effect"
import { ledgerPath, readLedger } from "../confirm/ledgerFile.ts"
import type { ReadOut } from "../confirm/readOut.ts"
import { missingLines, openings } from "../confirm/verifyLedger.ts"
import { readManifest } from "../split/manifestFile.ts"
import { Confirmations } from "../store/Confirmations.ts"
import { Runs } from "../store/Runs.ts"
import { loadCampaign } from "./load.ts"
import { findRun } from "./openRun.ts"

/** The content hashes of a split's holdout, by its manifest; null where that is not at hand, or is another one by now. */
const holdoutOf = (file: string, split: string) =>
  readManifest(file).pipe(
    Effect.map(({ content, hash, holdout }) =>
      hash === split ? new Set(holdout.flatMap((id) => content[id] ?? [])) : null
    ),
    Effect.orElseSucceed(() => null)
  )

/** The finished confirmations of the runs named, or of all, with how often each holdout has been opened by now. */
export const knownConfirmations = Effect.fn("knownConfirmations")(function* (names: ReadonlyArray<string>) {
  const confirmations = yield* Confirmations
  const runs = yield* Runs
  const wanted = new Set((yield* Effect.forEach(names, findRun)).map(({ id }) => id))
  const all = (yield* confirmations.list()).filter(({ run }) => names.length === 0 || wanted.has(run))
  return yield* Effect.forEach(all, ({ readOut, run, split }) =>
    Effect.gen(function* () {
      const found = yield* runs.find(run)
      const campaign = found._tag === "None" ? undefined : yield* Effect.option(loadCampaign(found.value.campaignFile))
      const file = campaign?._tag === "Some" ? campaign.value.campaign.split : undefined
      const counted = file === undefined ? undefined : yield* Effect.option(readLedger(ledgerPath(file)))
      // A ledger that lacks lines which this workspace wrote says nothing of how often the holdout was opened.
      const whole =
        counted?._tag === "Some" && missingLines(counted.value.lines, yield* confirmations.anchors(split)).length === 0
          ? counted.value
          : undefined
      return {
        readOut: JSON.parse(readOut) as ReadOut,
        holdout: file === undefined ? null : yield* holdoutOf(file, split),
        openings: whole === undefined ? null : openings(whole.lines, split).length
      }
    })
  )
})

/** Whether a confirmation of the run has been read out. What is wrong with a damaged one is told where it is shown. */
export const isConfirmed = (run: string): Effect.Effect<boolean, never, Confirmations> =>
  Confirmations.use((kept) => kept.list(run)).pipe(
    Effect.map((list) => list.length > 0),
    Effect.orElseSucceed(() => false)
  )
