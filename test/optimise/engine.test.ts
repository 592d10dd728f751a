import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Outcome } from "../../src/domain/Judgement.ts"
import type { RunEvent } from "../../src/domain/RunEvent.ts"
import { Judge } from "../../src/judge/Judge.ts"
import { CallGate, CurrentGate } from "../../src/model/CallGate.ts"
import { BudgetExceeded } from "../../src/model/LanguageModel.ts"
import { runSearch, type Task } from "../../src/optimise/engine.ts"
import { ReflectorBroken } from "../../src/optimise/Reflector.ts"
import { foldRun } from "../../src/optimise/RunState.ts"
import { StopAsked } from "../../src/optimise/StopAsked.ts"
import { answer, improving, itemSet, judgeBy, memorySink, reflectBy, seed, skillScore, taskOf } from "./support.ts"

const skilled = judgeBy(skillScore)

const run = Effect.fnUntraced(function* (task: Task, logged: ReadonlyArray<RunEvent> = []) {
  const events: Array<RunEvent> = []
  const state = yield* runSearch(task, { sink: memorySink(events, logged) })
  return { state, events }
})

describe("a search", () => {
  it.effect("climbs, and its winner beats the seed on the primary measure", () =>
    Effect.gen(function* () {
      const { events, state } = yield* run(taskOf({}))
      assert.strictEqual(state.stopped?.reason, "iterations")
      assert.isAbove(state.winner!.figures.primary!, state.members[0]!.figures.primary!)
      assert.isAbove(state.members.length, 3)
      assert.strictEqual(events.filter(({ _tag }) => _tag === "iteration").length, 10)
    }).pipe(Effect.provide(Layer.merge(skilled, improving)))
  )

  it.effect("gives the same events for the same seed, and others for another", () =>
    Effect.gen(function* () {
      const first = yield* run(taskOf({}))
      assert.deepStrictEqual(first.events, (yield* run(taskOf({}))).events)
      assert.notDeepEqual(first.events, (yield* run(taskOf({ seed: 12 }))).events)
    }).pipe(Effect.provide(Layer.merge(skilled, improving)))
  )

  it.effect("goes on from any event to the same end", () =>
    Effect.gen(function* () {
      const whole = yield* run(taskOf({}))
      for (let length = 0; length <= whole.events.length; length++) {
        const { events } = yield* run(taskOf({}), whole.events.slice(0, length))
        assert.deepStrictEqual(
          [...whole.events.slice(0, length), ...events],
          whole.events,
          `resumed after ${length} events`
        )
      }
    }).pipe(Effect.provide(Layer.merge(skilled, improving)))
  )

  it.effect("judges nothing again that the log holds", () => {
    let judged = 0
    return Effect.gen(function* () {
      const whole = yield* run(taskOf({}))
      judged = 0
      const { state } = yield* run(taskOf({}), whole.events)
      assert.strictEqual(judged, 0)
      assert.deepStrictEqual(state.winner?.candidate, whole.state.winner?.candidate)
    }).pipe(
      Effect.provide(
        Layer.merge(
          judgeBy(skillScore, (items) => (judged += items.length)),
          improving
        )
      )
    )
  })

  it.effect("goes on when the limit of iterations is raised, as if it had been higher from the start", () =>
    Effect.gen(function* () {
      const long = yield* run(taskOf({ limits: { iterations: 8 } }))
      const short = yield* run(taskOf({ limits: { iterations: 4 } }))
      const more = yield* run(taskOf({ limits: { iterations: 8 } }), short.events)
      const steps = (events: ReadonlyArray<RunEvent>) => events.filter(({ _tag }) => _tag !== "stopped")
      assert.deepStrictEqual(steps([...short.events, ...more.events]), steps(long.events))
    }).pipe(Effect.provide(Layer.merge(skilled, improving)))
  )

  it.effect("refuses a log that another seed wrote", () =>
    Effect.gen(function* () {
      const { events } = yield* run(taskOf({ seed: 12 }))
      const error = yield* Effect.flip(run(taskOf({}), events))
      assert.strictEqual(error._tag, "RunDiverged")
    }).pipe(Effect.provide(Layer.merge(skilled, improving)))
  )

  it.effect("is the fold of its events", () =>
    Effect.gen(function* () {
      const { events, state } = yield* run(taskOf({}))
      const folded = foldRun(events)
      assert.deepStrictEqual(folded.members, state.members)
      assert.deepStrictEqual(folded.frontier.survivors(), state.frontier.survivors())
      assert.deepStrictEqual(folded.stopped, state.stopped)
    }).pipe(Effect.provide(Layer.merge(skilled, improving)))
  )

  it.effect("accepts only what is strictly better on the same minibatch, and keeps what it rejects whole", () =>
    Effect.gen(function* () {
      const { events, state } = yield* run(taskOf({ limits: { iterations: 3 } }))
      assert.isTrue(state.decisions.every(({ accepted, reason }) => !accepted && reason === "not-better"))
      const proposed = events.find((event) => event._tag === "proposed")
      assert.strictEqual(proposed?._tag === "proposed" ? proposed.instruction : undefined, "another wording 1 skill 0")
      assert.strictEqual(state.members.length, 1)
    }).pipe(
      Effect.provide(
        Layer.merge(
          skilled,
          reflectBy((_, iteration) => answer(`another wording ${iteration} skill 0`))
        )
      )
    )
  )

  it.effect("shows the reflector what earlier children of the parent tried", () => {
    const prompts: Array<string> = []
    return Effect.gen(function* () {
      yield* run(taskOf({ limits: { iterations: 3 } }))
      assert.notInclude(prompts[0], "<attempt ")
      assert.include(prompts[1], "another wording 1 skill 0")
      assert.include(prompts[2], 'outcome="not-better"')
      assert.include(prompts[0], "at most 2000 characters")
    }).pipe(
      Effect.provide(
        Layer.merge(
          skilled,
          reflectBy((prompt, iteration) => {
            prompts.push(prompt)
            return answer(`another wording ${iteration} skill 0`)
          })
        )
      )
    )
  })

  it.effect("stops as no improvement after a stall", () =>
    Effect.gen(function* () {
      const { state } = yield* run(taskOf({ limits: { stall: 4 } }))
      assert.strictEqual(state.stopped?.reason, "stall")
      assert.strictEqual(state.iteration, 4)
    }).pipe(
      Effect.provide(
        Layer.merge(
          skilled,
          reflectBy((_, iteration) => answer(`again ${iteration}`))
        )
      )
    )
  )

  it.effect("stops as broken when reflections cannot be used, which is not no improvement", () =>
    Effect.gen(function* () {
      const { state } = yield* run(taskOf({ limits: { brokenAfter: 3, stall: 3 } }))
      assert.strictEqual(state.stopped?.reason, "broken-reflection")
      assert.deepStrictEqual(
        state.decisions.map(({ reason }) => reason),
        ["no-block", "no-block", "no-block"]
      )
    }).pipe(
      Effect.provide(
        Layer.merge(
          skilled,
          reflectBy(() => ({ kind: "answered", finish: "stop", text: "be better" }))
        )
      )
    )
  )

  it.effect("stops when no reflection can be had, and goes on as if nothing had happened", () =>
    Effect.gen(function* () {
      const whole = yield* run(taskOf({})).pipe(Effect.provide(improving))
      const cut = yield* run(taskOf({})).pipe(Effect.provide(reflectBy(() => new ReflectorBroken({ message: "gone" }))))
      assert.strictEqual(cut.state.stopped?.reason, "broken-reflection")
      assert.strictEqual(cut.state.iteration, 0)
      const rest = yield* run(taskOf({}), cut.events).pipe(Effect.provide(improving))
      assert.deepStrictEqual(
        [...cut.events, ...rest.events].filter(
          (event) => event._tag !== "stopped" || event.reason !== "broken-reflection"
        ),
        whole.events
      )
    }).pipe(Effect.provide(skilled))
  )

  it.effect("ends as broken when no reply of the judge could be read, before it asks for reflections", () =>
    Effect.gen(function* () {
      const { events, state } = yield* run(taskOf({ seeds: [seed("skill 0", "a"), seed("skill 1", "b")] }))
      assert.strictEqual(state.stopped?.reason, "broken-judge")
      assert.include(state.stopped?.detail, '"I cannot say"')
      assert.isFalse(events.some(({ _tag }) => _tag === "iteration"))
      const again = yield* run(taskOf({ seeds: [seed("skill 0", "a"), seed("skill 1", "b")] }), events)
      assert.deepStrictEqual(again.events, [])
      assert.strictEqual(again.state.stopped?.reason, "broken-judge")
    }).pipe(
      Effect.provide(
        Layer.merge(
          judgeBy((): Outcome => ({ _tag: "unparsed", reply: "I cannot say" })),
          improving
        )
      )
    )
  )

  it.effect("asks again for notes whose calls failed when it is gone on with, and replays that", () =>
    Effect.gen(function* () {
      const task = (iterations: number) => taskOf({ seeds: [seed("skill 2")], limits: { iterations } })
      const gone: Outcome = { _tag: "failed", cause: "down" }
      const flaky = (fails: boolean) =>
        judgeBy((text, item): Outcome | number =>
          fails && item.id === "a0/flawed0" && text === "skill 2" ? gone : skillScore(text, item)
        )
      const whole = yield* run(task(3)).pipe(Effect.provide(skilled))
      const cut = yield* run(task(1)).pipe(Effect.provide(flaky(true)))
      assert.strictEqual(cut.state.incomplete.length, 1)
      const more = yield* run(task(3), cut.events).pipe(Effect.provide(flaky(false)))
      assert.strictEqual(more.events[0]?._tag, "rejudged")
      assert.strictEqual(more.state.incomplete.length, 0)
      assert.deepStrictEqual(more.state.members, whole.state.members)
      assert.deepStrictEqual(more.state.winner, whole.state.winner)
      const all = [...cut.events, ...more.events]
      for (let length = 0; length <= all.length; length++) {
        const folded = yield* run(task(3), all.slice(0, length)).pipe(Effect.provide(flaky(false)))
        assert.deepStrictEqual(folded.state.members, whole.state.members, `resumed after ${length} events`)
      }
      assert.deepStrictEqual(foldRun(all).frontier.survivors(), whole.state.frontier.survivors())
    }).pipe(Effect.provide(improving))
  )

  it.effect("asks again before it finishes, and says nothing new where nothing new is had", () => {
    let asked = 0
    const gone: Outcome = { _tag: "failed", cause: "down" }
    const poison = judgeBy(
      (text, item): Outcome | number => (item.id === "a0/flawed0" ? gone : skillScore(text, item)),
      (items) => {
        if (items.length === 1) asked++
      }
    )
    return Effect.gen(function* () {
      const { events, state } = yield* run(taskOf({ limits: { iterations: 1 } }))
      assert.strictEqual(asked, state.members.length)
      assert.isFalse(events.some(({ _tag }) => _tag === "rejudged"))
      assert.strictEqual(state.stopped?.reason, "iterations")
      const again = yield* run(taskOf({ limits: { iterations: 1 } }), events)
      assert.deepStrictEqual(again.events, [])
    }).pipe(Effect.provide(Layer.merge(poison, improving)))
  })

  it.effect("stops as broken when every judgement fails, and writes no score for any of them", () =>
    Effect.gen(function* () {
      const { events, state } = yield* run(taskOf({}))
      assert.strictEqual(state.stopped?.reason, "broken-judge")
      assert.isFalse(events.some(({ _tag }) => _tag === "evaluated"))
    }).pipe(
      Effect.provide(
        Layer.merge(
          judgeBy((): Outcome => ({ _tag: "failed", cause: "down" })),
          improving
        )
      )
    )
  )

  it.effect("compares parent and child on the notes that both could be judged on", () => {
    let evaluations = 0
    const flaky = judgeBy(
      (instruction, item): Outcome | number =>
        evaluations === 3 && item.note.includes("everything")
          ? { _tag: "failed", cause: "down" }
          : skillScore(instruction, item),
      () => evaluations++
    )
    return Effect.gen(function* () {
      const { events } = yield* run(taskOf({ limits: { iterations: 1 } }))
      const decided = events.find((event) => event._tag === "decided")
      // Without the clean twins no pair can be ranked and no clean note scored.
      assert.strictEqual(decided?._tag === "decided" ? decided.reason : undefined, "not-judged")
    }).pipe(Effect.provide(Layer.merge(flaky, improving)))
  })

  it.effect("writes down a budget stop and goes on from it", () => {
    let left = 3
    const limited = Layer.effect(
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
      const whole = yield* run(taskOf({})).pipe(Effect.provide(skilled))
      const cut = yield* run(taskOf({})).pipe(Effect.provide(limited))
      assert.strictEqual(cut.state.stopped?.reason, "budget-calls")
      const rest = yield* run(taskOf({}), cut.events).pipe(Effect.provide(skilled))
      assert.deepStrictEqual(
        [...cut.events, ...rest.events].filter((event) => event._tag !== "stopped" || event.reason !== "budget-calls"),
        whole.events
      )
    }).pipe(Effect.provide(improving))
  })

  it.effect("stops after the iteration when asked, and before the next when halted", () =>
    Effect.gen(function* () {
      const asked = yield* run(taskOf({})).pipe(Effect.provideService(StopAsked, { asked: true }))
      assert.strictEqual(asked.state.stopped?.reason, "asked")
      const gate = new CallGate()
      gate.halt()
      const halted = yield* run(taskOf({})).pipe(Effect.provideService(CurrentGate, gate))
      assert.strictEqual(halted.state.stopped?.reason, "interrupted")
    }).pipe(Effect.provide(Layer.merge(skilled, improving)))
  )

  it.effect(
    "counts a reply that cannot be read against the candidate, and takes its pair out of the discrimination",
    () =>
      Effect.gen(function* () {
        const { state } = yield* run(taskOf({ limits: { iterations: 1 } }))
        const { discrimination, unparsed } = state.members[0]!.figures
        assert.strictEqual(unparsed, 1)
        assert.strictEqual(discrimination.pairs, 14)
      }).pipe(
        Effect.provide(
          Layer.merge(
            judgeBy((text, item): Outcome | number =>
              item.id === "a0/flawed0" ? { _tag: "unparsed", reply: "?" } : skillScore(text, item)
            ),
            improving
          )
        )
      )
  )

  it.effect("evaluates every seed before the first iteration", () =>
    Effect.gen(function* () {
      const { events } = yield* run(
        taskOf({ seeds: [seed("skill 0", "a"), seed("skill 1", "b")], limits: { iterations: 1 } })
      )
      assert.deepStrictEqual(
        events.slice(0, 6).map(({ _tag }) => _tag),
        ["started", "candidate", "candidate", "evaluated", "evaluated", "iteration"]
      )
    }).pipe(Effect.provide(Layer.merge(skilled, improving)))
  )
})

describe("the optimiser's wall", () => {
  it("does not take a holdout", () => {
    const holdout = itemSet<"holdout">("h", 1, [{ class: "omission" }])
    const task = taskOf({})
    // @ts-expect-error a holdout set is not a train set
    const leaky: Task = { ...task, train: holdout }
    // @ts-expect-error a holdout set is not an acceptance set
    const worse: Task = { ...task, acceptance: holdout }
    assert.isOk(leaky && worse)
  })
})
