import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { inputError, showValue } from "../domain/InputError.ts"
import type { Outcome } from "../domain/Judgement.ts"
import type { RunEvent } from "../domain/RunEvent.ts"
import { foldRun, type Member } from "../optimise/RunState.ts"
import { EventLog } from "../store/EventLog.ts"
import { Findings } from "../store/Findings.ts"
import { findRun } from "./openRun.ts"

/** A candidate of a run, and how its judgements are looked up. */
export interface JudgedBy {
  readonly run: string
  readonly member: Member
  /** The candidate's last judgement of a note, by item id; undefined where it has not judged it. */
  readonly outcomeOf: (
    item: string
  ) => Effect.Effect<Outcome | undefined, Effect.Error<ReturnType<Findings["Service"]["find"]>>>
}

const loggedOutcome = (events: ReadonlyArray<RunEvent>, candidate: string, item: string): Outcome | undefined => {
  let parent = ""
  let found: Outcome | undefined
  for (const event of events) {
    if (event._tag === "iteration") parent = event.parent
    const judge =
      event._tag === "evaluated" || event._tag === "rejudged"
        ? event.candidate
        : event._tag === "parentJudged"
          ? parent
          : event._tag === "childJudged"
            ? event.child
            : undefined
    if (judge === candidate && "outcomes" in event) found = event.outcomes[item] ?? found
  }
  return found
}

/** The candidate of a run (`winner`, a name, an id) with its judgements: whole where they say more than a score, else as the log has them. */
export const judgedBy = Effect.fn("judgedBy")(function* (runName: string, name: string) {
  const run = yield* findRun(runName)
  const log = yield* EventLog
  const findings = yield* Findings
  const events = (yield* Stream.runCollect(log.read(run.id))).map(({ event }) => event)
  const state = foldRun(events)
  const member =
    name === "winner"
      ? state.winner
      : state.members.find(({ candidate }) => candidate.id === name || candidate.name === name)
  if (member === undefined) {
    return yield* inputError({
      what: `run ${run.id} has no candidate ${showValue(name)}`,
      expected:
        state.members.map(({ candidate }) => `${candidate.name} (${candidate.id})`).join(", ") ||
        "a candidate; none is evaluated yet"
    })
  }
  const { id } = member.candidate
  return {
    run: run.id,
    member,
    outcomeOf: (item) =>
      Effect.map(findings.find(run.id, id, item), (kept) =>
        Option.getOrElse(kept, () => loggedOutcome(events, id, item))
      )
  } satisfies JudgedBy as JudgedBy
})
