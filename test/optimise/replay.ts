import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { RunEvent } from "../../src/domain/RunEvent.ts"
import { runSearch, type Task } from "../../src/optimise/engine.ts"
import { foldRun } from "../../src/optimise/RunState.ts"
import { memorySink } from "./support.ts"

export const run = Effect.fnUntraced(function* (task: Task, logged: ReadonlyArray<RunEvent> = []) {
  const events: Array<RunEvent> = []
  const state = yield* runSearch(task, { sink: memorySink(events, logged) })
  return { state, events }
})

export const ofTag = <Tag extends RunEvent["_tag"]>(events: ReadonlyArray<RunEvent>, tag: Tag) =>
  events.filter((event): event is Extract<RunEvent, { readonly _tag: Tag }> => event._tag === tag)

/** Runs the task; then again from every length of its log, and from that log's fold: the events are always the same. */
export const replaysFromAnywhere = Effect.fnUntraced(function* (task: Task) {
  const whole = yield* run(task)
  for (let length = 0; length <= whole.events.length; length++) {
    const known = whole.events.slice(0, length)
    const { events } = yield* run(task, known)
    assert.deepStrictEqual([...known, ...events], whole.events, `resumed after ${length} events`)
  }
  const folded = foldRun(whole.events, whole.state.scale)
  assert.deepStrictEqual(folded.members, whole.state.members)
  assert.deepStrictEqual(folded.raced, whole.state.raced)
  assert.deepStrictEqual(folded.decisions, whole.state.decisions)
  assert.deepStrictEqual(folded.frontier.survivors(), whole.state.frontier.survivors())
  assert.deepStrictEqual([...folded.triedMerges], [...whole.state.triedMerges])
  assert.deepStrictEqual(folded.winner, whole.state.winner)
  return whole
})
