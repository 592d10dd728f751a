import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { RunEvent } from "../../src/domain/RunEvent.ts"
import { proposalKey } from "../../src/domain/RunEvent.ts"
import { Judge } from "../../src/judge/Judge.ts"
import { BudgetExceeded } from "../../src/model/LanguageModel.ts"
import type { Task } from "../../src/optimise/engine.ts"
import { Reflector } from "../../src/optimise/Reflector.ts"
import { ofTag, replaysFromAnywhere, run } from "./replay.ts"
import { answer, improving, judgeBy, reflectBy, seed, skillScore, taskOf } from "./support.ts"

const several = (proposals: number, options: Parameters<typeof taskOf>[0] = {}): Task => {
  const task = taskOf({
    seeds: [seed("skill 0", "a"), seed("skill 1", "b"), seed("skill 2", "c")],
    limits: { iterations: 4 },
    ...options
  })
  return { ...task, settings: { ...task.settings, search: { ...task.settings.search, proposals } } }
}

const skilled = judgeBy(skillScore)

/** The same workers, each call of which takes its own number of turns: calls that start together end in another order. */
const slow = (turns: (call: number) => number) => {
  let call = 0
  const wait = Effect.suspend(() => Effect.repeat(Effect.yieldNow, { times: turns(call++) }))
  const judge = Layer.effect(
    Judge,
    Effect.map(Judge, (inner) => Judge.of({ evaluate: (...args) => Effect.andThen(wait, inner.evaluate(...args)) }))
  ).pipe(Layer.provide(skilled))
  const reflector = Layer.effect(
    Reflector,
    Effect.map(Reflector, (inner) =>
      Reflector.of({ reflect: (...args) => Effect.andThen(wait, inner.reflect(...args)) })
    )
  ).pipe(Layer.provide(improving))
  return Layer.merge(judge, reflector)
}

const workers = Layer.merge(skilled, improving)

describe("an iteration of several proposals", () => {
  it.effect("draws a parent and a minibatch for each, from the state before it", () =>
    Effect.gen(function* () {
      const { events, state } = yield* run(several(3))
      const drawn = ofTag(events, "iteration")
      assert.lengthOf(drawn, 12)
      assert.deepStrictEqual(
        drawn.slice(0, 4).map(({ iteration, proposal }) => [iteration, proposal]),
        [
          [1, 1],
          [1, 2],
          [1, 3],
          [2, 1]
        ]
      )
      assert.lengthOf(new Set(drawn.slice(0, 3).map(({ minibatch }) => minibatch.join())), 3)
      assert.lengthOf(state.decisions, 12)
      assert.strictEqual(state.iteration, 4)
      const names = state.members.map(({ candidate }) => candidate.name)
      assert.deepStrictEqual(
        names.slice(3),
        names.slice(3).map((_, at) => `c${at + 4}`)
      )
    }).pipe(Effect.provide(workers))
  )

  it.effect("gives each another parent while the frontier has enough", () =>
    Effect.gen(function* () {
      // Each seed leads on the things that it names.
      const { events, state } = yield* run(
        several(3, {
          seeds: [seed("thing 0", "a"), seed("thing 1", "b"), seed("thing 2", "c")],
          limits: { iterations: 1 }
        })
      )
      assert.lengthOf(state.members, 3)
      const parents = ofTag(events, "iteration").map(({ parent }) => parent)
      assert.lengthOf(new Set(parents), 3)
    }).pipe(
      Effect.provide(
        Layer.merge(
          judgeBy((instruction, { note }) => (note.includes("without thing") && note.includes(instruction) ? 5 : 8)),
          reflectBy((_, iteration) => answer(`nothing ${iteration}`))
        )
      )
    )
  )

  it.effect("writes the same events whatever is done first", () =>
    Effect.gen(function* () {
      const reference = yield* run(several(3)).pipe(Effect.provide(workers))
      for (const turns of [(call: number) => (call * 7) % 5, (call: number) => 9 - (call % 10)]) {
        const { events } = yield* run(several(3)).pipe(Effect.provide(slow(turns)))
        assert.deepStrictEqual(events, reference.events)
      }
    })
  )

  it.effect("works on its proposals at the same time", () => {
    let most = 0
    let now = 0
    const counting = Layer.effect(
      Judge,
      Effect.map(Judge, (inner) =>
        Judge.of({
          evaluate: (...args) =>
            Effect.suspend(() => {
              most = Math.max(most, ++now)
              return Effect.andThen(Effect.repeat(Effect.yieldNow, { times: 5 }), inner.evaluate(...args))
            }).pipe(Effect.ensuring(Effect.sync(() => now--)))
        })
      )
    ).pipe(Layer.provide(skilled))
    return Effect.gen(function* () {
      yield* run(several(3))
      assert.strictEqual(most, 3)
    }).pipe(Effect.provide(Layer.merge(counting, improving)))
  })

  it.effect("goes on from any event to the same end", () =>
    Effect.asVoid(replaysFromAnywhere(several(3, { limits: { iterations: 3 } }))).pipe(Effect.provide(workers))
  )

  it.effect("takes one of two proposals that say the same", () =>
    Effect.gen(function* () {
      const { events, state } = yield* run(several(2, { seeds: [seed("skill 0", "a")], limits: { iterations: 1 } }))
      assert.lengthOf(state.members, 2)
      const second = ofTag(events, "decided")[1]!
      assert.deepStrictEqual(
        [second.reason, second.detail],
        ["identical", "proposal 1 of this iteration gives the same candidate"]
      )
    }).pipe(
      Effect.provide(
        Layer.merge(
          skilled,
          reflectBy(() => answer("skill 5"))
        )
      )
    )
  )

  it.effect("keeps what comes before the first failure, and goes on to the same end", () => {
    const limited = (left: number) =>
      Layer.effect(
        Judge,
        Effect.map(Judge, (inner) =>
          Judge.of({
            evaluate: (...args) =>
              Effect.suspend(() =>
                left-- > 0
                  ? inner.evaluate(...args)
                  : Effect.fail(new BudgetExceeded({ limit: "calls", message: "spent" }))
              )
          })
        )
      ).pipe(Layer.provide(skilled))
    return Effect.gen(function* () {
      const whole = yield* run(several(3)).pipe(Effect.provide(skilled))
      const steps = (events: ReadonlyArray<RunEvent>) => events.filter(({ _tag }) => _tag !== "stopped")
      for (let left = 3; left < 14; left++) {
        const cut = yield* run(several(3)).pipe(Effect.provide(limited(left)))
        assert.strictEqual(cut.state.stopped?.reason, "budget-calls")
        const rest = yield* run(several(3), cut.events).pipe(Effect.provide(skilled))
        assert.deepStrictEqual(steps([...cut.events, ...rest.events]), steps(whole.events), `after ${left} evaluations`)
      }
    }).pipe(Effect.provide(improving))
  })

  it.effect("names its events so that none is taken for another's", () =>
    Effect.gen(function* () {
      const { events } = yield* run(several(3))
      for (const tag of ["iteration", "parentJudged", "proposed", "childJudged", "decided"] as const) {
        const keys = ofTag(events, tag).map(proposalKey)
        assert.lengthOf(new Set(keys), keys.length)
      }
      assert.isUndefined(ofTag((yield* run(several(1))).events, "iteration")[0]!.proposal)
    }).pipe(Effect.provide(workers))
  )
})
