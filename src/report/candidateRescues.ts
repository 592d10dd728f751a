import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { RunEvent } from "../domain/RunEvent.ts"
import { type RescueInput, type Rescues, rescuesOf } from "../measure/rescues.ts"
import { usualResampling } from "../measure/usualResampling.ts"
import { Findings } from "../store/Findings.ts"
import type { Run } from "../store/Runs.ts"

/** What the second looks of a run's candidates came to on the acceptance part, by candidate; those without any are left out. */
export const candidateRescues = Effect.fn("candidateRescues")(function* (
  { id }: Pick<Run, "id">,
  events: ReadonlyArray<RunEvent>
) {
  const found = new Map<string, Rescues>()
  const started = events.find((event) => event._tag === "started")
  if (started === undefined) return found
  const consultations = new Map(started.acceptance.items.map((item) => [item.id, item.consultation]))
  const findings = yield* Findings
  const judgements = new Map<string, Array<RescueInput>>()
  yield* findings.read(id).pipe(
    Stream.runForEach(({ candidate, item, outcome }) =>
      Effect.sync(() => {
        const consultation = consultations.get(item)
        if (consultation === undefined) return
        const own = judgements.get(candidate) ?? []
        own.push({ consultation, outcome })
        judgements.set(candidate, own)
      })
    )
  )
  for (const [candidate, own] of judgements) {
    const rescues = rescuesOf(own, usualResampling)
    if (rescues !== null) found.set(candidate, rescues)
  }
  return found
})
