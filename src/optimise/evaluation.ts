import * as Effect from "effect/Effect"
import type { Objective } from "../domain/Campaign.ts"
import type { Candidate } from "../domain/Candidate.ts"
import type { Outcome, Outcomes } from "../domain/Judgement.ts"
import { Judge } from "../judge/Judge.ts"
import { figuresOf } from "./figures.ts"
import type { TableIndex } from "./itemTable.ts"
import type { EventOf, Journal } from "./Journal.ts"
import type { Member, RunState } from "./RunState.ts"
import { scaleOf, type Task } from "./task.ts"

/** What a run keeps of a candidate's outcomes on the acceptance part. */
export const acceptanceFigures = (task: Task, index: TableIndex, { id }: Candidate, outcomes: Outcomes) => ({
  candidate: id,
  outcomes: withoutReasons(outcomes),
  figures: figuresOf(index, outcomes, task.settings.objective as Objective, scaleOf(task))
})

/** Judges a candidate on the acceptance part. */
export const evaluateCandidate = Effect.fnUntraced(function* (task: Task, index: TableIndex, candidate: Candidate) {
  const judge = yield* Judge
  const use = { label: `acceptance ${candidate.name}`, candidate: candidate.id, unhurried: true }
  const outcomes = yield* judge.evaluate(candidate.instructions, task.acceptance.items, use)
  return { _tag: "evaluated", ...acceptanceFigures(task, index, candidate, outcomes) } as const
})

/** What is wrong with a judge none of whose replies to any seed could be read; undefined where one could. */
export const neverReadable = (seeds: ReadonlyArray<EventOf<"evaluated">>): string | undefined => {
  const outcomes = seeds.flatMap((event) => Object.values(event.outcomes))
  const unparsed = outcomes.filter((outcome) => outcome._tag === "unparsed")
  if (unparsed.length === 0 || outcomes.some(({ _tag }) => _tag === "scored")) return undefined
  const example = unparsed.find(({ reply }) => reply.trim() !== "")?.reply.trim()
  return `none of the judge's ${unparsed.length} replies could be read as a score; ${example === undefined ? "all are empty or cut off: raise models.judge.maxOutputTokens" : `the first: ${JSON.stringify(example.slice(0, 100))}`}. Check models.judge, and start a new run with --new`
}

/**
 * Asks again for the notes of acceptance evaluations whose calls failed, so that they do not keep a candidate from
 * winning for good: when a run is gone on with, and before it finishes.
 */
export const mending = <E>(task: Task, index: TableIndex, state: RunState, journal: Journal<E>) => {
  let doneAt: number | undefined
  const rejudge = Effect.fnUntraced(function* ({ candidate, outcomes = {} }: Member) {
    const judge = yield* Judge
    const failed = task.acceptance.items.filter(({ id }) => outcomes[id]?._tag === "failed")
    const label = `acceptance ${candidate.name}, failed notes again`
    const use = { label, candidate: candidate.id, again: true }
    const more = withoutFailed(yield* judge.evaluate(candidate.instructions, failed, use))
    if (Object.keys(more).length === 0) return
    yield* journal.step(
      "rejudged",
      Effect.sync(
        () => ({ _tag: "rejudged", ...acceptanceFigures(task, index, candidate, { ...outcomes, ...more }) }) as const
      )
    )
  })
  return {
    once: Effect.suspend(() => {
      if (doneAt === state.iteration) return Effect.void
      doneAt = state.iteration
      return Effect.forEach(state.incomplete, rejudge, { discard: true })
    }),
    /** Those that the log holds. */
    replay: Effect.gen(function* () {
      while (journal.next() === "rejudged") {
        yield* journal.step("rejudged", Effect.die(new Error("the log has no such event")))
      }
    })
  }
}

const withoutFailed = (outcomes: Outcomes): Outcomes =>
  Object.fromEntries(Object.entries(outcomes).filter(([, { _tag }]) => _tag !== "failed"))

/** The judge's words stay in the judgement store: 200 candidates on 1,000 notes would fill the log with them. */
const withoutReasons = (outcomes: Outcomes): Outcomes => {
  const bare: Record<string, Outcome> = {}
  for (const id in outcomes) {
    const outcome = outcomes[id]!
    bare[id] =
      outcome._tag !== "scored"
        ? outcome
        : {
            _tag: "scored",
            score: outcome.score,
            ...(outcome.flagged === undefined ? {} : { flagged: outcome.flagged })
          }
  }
  return bare
}
