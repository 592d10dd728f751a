import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Outcome } from "../domain/Judgement.ts"
import { proposalKey, type RunEvent } from "../domain/RunEvent.ts"
import { foldRun, type Member } from "../optimise/RunState.ts"
import { EventLog } from "../store/EventLog.ts"
import { Findings } from "../store/Findings.ts"
import { memberNamed } from "./members.ts"
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

/** What the log has of the candidate's last judgement of the note. Proposals of one iteration are told apart by their keys. */
export const loggedOutcome = (
  events: ReadonlyArray<RunEvent>,
  candidate: string,
  item: string
): Outcome | undefined => {
  const parents = new Map<string, string>()
  const partners = new Map<string, string | undefined>()
  const judgeOf = (event: RunEvent): string | undefined => {
    switch (event._tag) {
      case "evaluated":
      case "rejudged":
      case "raced":
        return event.candidate
      case "parentJudged":
        return parents.get(proposalKey(event))
      case "partnerJudged":
        return partners.get(proposalKey(event))
      case "childJudged":
        return event.child
      default:
        return undefined
    }
  }
  let found: Outcome | undefined
  for (const event of events) {
    if (event._tag === "iteration") parents.set(proposalKey(event), event.parent)
    if (event._tag === "merge") partners.set(proposalKey(event), event.parents[1])
    if (judgeOf(event) === candidate && "outcomes" in event) found = event.outcomes[item] ?? found
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
  const member = yield* memberNamed(state, name, "--candidate")
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
