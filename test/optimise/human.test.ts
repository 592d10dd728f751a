import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Candidate, candidateId } from "../../src/domain/Candidate.ts"
import { endingStop, type HumanEvent, type RunEvent } from "../../src/domain/RunEvent.ts"
import { runSearch, type Task } from "../../src/optimise/engine.ts"
import { foldRun } from "../../src/optimise/RunState.ts"
import { answer, improving, judgeBy, memorySink, reflectBy, seed, skillScore, taskOf } from "./support.ts"

const workers = Layer.merge(judgeBy(skillScore), improving)

const run = Effect.fnUntraced(function* (task: Task, logged: ReadonlyArray<RunEvent> = []) {
  const events: Array<RunEvent> = []
  const state = yield* runSearch(task, { sink: memorySink(events, logged) })
  return { state, events: [...logged, ...events] }
})

const said = { author: "Dr. A", reason: "because" }

const byHand = (text: string, parents: Candidate["parents"] = [], iteration = 0): Candidate => {
  const instructions = { judge: text }
  return { id: candidateId(instructions), name: "mine", origin: "human", parents, iteration, instructions }
}

const parentsOf = (events: ReadonlyArray<RunEvent>) =>
  events.flatMap((event) => (event._tag === "iteration" ? [event.parent] : []))

describe("what people do to a run", () => {
  it.effect("is replayed exactly, wherever in the log it stands", () =>
    Effect.gen(function* () {
      const task = taskOf({ seeds: [seed("skill 0", "a"), seed("plain skill 0", "b")], limits: { iterations: 5 } })
      const whole = yield* run(task)
      const [first] = task.seeds
      for (let length = 4; length <= whole.events.length; length++) {
        const before = whole.events.slice(0, length)
        const human: ReadonlyArray<HumanEvent> = [
          { _tag: "vetoed", candidate: first!.id, on: true, ...said },
          { _tag: "added", candidate: byHand("by hand skill 3", [first!.id]), ...said },
          { _tag: "pinned", candidate: task.seeds[1]!.id, on: true, ...said },
          { _tag: "branched", candidates: [first!.id], campaign: "other", ...said }
        ]
        const gone = yield* run(task, [...before, ...human])
        const again = yield* run(task, gone.events)
        assert.deepStrictEqual(again.events, gone.events, `after ${length} events`)
        assert.deepStrictEqual(again.state.members, gone.state.members)
        assert.strictEqual(gone.state.members.filter(({ candidate }) => candidate.name === "mine").length, 1)
        // Cut in the middle of what came after, it goes on to the same end.
        const cut = Math.floor((length + 4 + gone.events.length) / 2)
        assert.deepStrictEqual((yield* run(task, gone.events.slice(0, cut))).events, gone.events)
        const later = gone.events.slice(length + human.length)
        assert.notInclude(parentsOf(later), first!.id)
        assert.notStrictEqual(gone.state.winner?.candidate.id, first!.id)
      }
    }).pipe(Effect.provide(workers))
  )

  it.effect("a candidate of a person's is evaluated when the run goes on, also when it was finished, and can win", () =>
    Effect.gen(function* () {
      const task = taskOf({ limits: { iterations: 2 } })
      const finished = yield* run(task)
      const mine = byHand("by hand skill 7", [finished.state.winner!.candidate.id], 2)
      const added = [...finished.events, { _tag: "added", candidate: mine, ...said } as const]
      assert.isUndefined(endingStop(added))
      assert.isUndefined(foldRun(added).stopped)
      const { events, state } = yield* run(task, added)
      assert.deepStrictEqual(
        events.slice(added.length).map(({ _tag }) => _tag),
        ["evaluated", "stopped"]
      )
      assert.strictEqual(state.winner?.candidate.id, mine.id)
      assert.strictEqual(state.remarks.authorOf(mine.id)?.author, "Dr. A")
    }).pipe(Effect.provide(workers))
  )

  it.effect("one that is vetoed before it was evaluated is not evaluated, until the veto is taken back", () =>
    Effect.gen(function* () {
      const task = taskOf({ limits: { iterations: 1 } })
      const { events } = yield* run(task)
      const mine = byHand("by hand skill 7")
      const veto = (on: boolean) => ({ _tag: "vetoed", candidate: mine.id, on, ...said }) as const
      const vetoed = yield* run(task, [...events, { _tag: "added", candidate: mine, ...said }, veto(true)])
      assert.isUndefined(vetoed.state.member(mine.id))
      const back = yield* run(task, [...vetoed.events, veto(false)])
      assert.isDefined(back.state.member(mine.id))
    }).pipe(Effect.provide(workers))
  )

  it.effect("a veto of the winner after the end names the next best, and leaves the run ended", () =>
    Effect.gen(function* () {
      const { events, state } = yield* run(taskOf({}))
      const winner = state.winner!.candidate.id
      const vetoed = foldRun([...events, { _tag: "vetoed", candidate: winner, on: true, ...said }])
      assert.strictEqual(vetoed.stopped?.reason, "iterations")
      assert.notStrictEqual(vetoed.winner?.candidate.id, winner)
      assert.strictEqual(vetoed.stopped?.winner, vetoed.winner?.candidate.id)
      assert.deepStrictEqual(vetoed.remarks.vetoOf(winner)?.reason, "because")
      assert.isFalse(
        vetoed.frontier.survivors().has(state.members.findIndex(({ candidate }) => candidate.id === winner))
      )
      const undone = foldRun([
        ...events,
        { _tag: "vetoed", candidate: winner, on: true, ...said },
        { _tag: "vetoed", candidate: winner, on: false, ...said }
      ])
      assert.strictEqual(undone.winner?.candidate.id, winner)
      assert.deepStrictEqual(undone.frontier.survivors(), state.frontier.survivors())
    }).pipe(Effect.provide(workers))
  )

  it.effect("a pin keeps a candidate among the parents that the frontier has pruned", () =>
    Effect.gen(function* () {
      const short = yield* run(taskOf({ limits: { iterations: 8 } }))
      const [first] = short.state.members
      assert.isFalse(short.state.frontier.survivors().has(0))
      const task = taskOf({ limits: { iterations: 60 } })
      const pin = { _tag: "pinned", candidate: first!.candidate.id, on: true, ...said } as const
      const pinned = yield* run(task, [...short.events, pin])
      assert.include(parentsOf(pinned.events.slice(short.events.length)), first!.candidate.id)
      const free = yield* run(task, short.events)
      assert.notInclude(parentsOf(free.events.slice(short.events.length)), first!.candidate.id)
    }).pipe(Effect.provide(workers))
  )

  it.effect("lets a run that stalled go on", () =>
    Effect.gen(function* () {
      const task = taskOf({ limits: { iterations: 50, stall: 3 } })
      const stalled = yield* run(task)
      assert.strictEqual(stalled.state.stopped?.reason, "stall")
      const pin = { _tag: "pinned", candidate: stalled.state.winner!.candidate.id, on: true, ...said } as const
      const on = yield* run(task, [...stalled.events, pin])
      assert.strictEqual(on.state.iteration, stalled.state.iteration + 3)
    }).pipe(
      Effect.provide(
        Layer.merge(
          judgeBy(skillScore),
          reflectBy((_, iteration) => answer(`another wording ${iteration} skill 0`))
        )
      )
    )
  )

  it.effect("a proposal that a person added meanwhile is rejected as identical", () => {
    const reflector = reflectBy(() => answer("skill 5"))
    return Effect.gen(function* () {
      const task = taskOf({ limits: { iterations: 1 } })
      const whole = yield* run(task)
      const at = whole.events.findIndex(({ _tag }) => _tag === "proposed")
      const mine = byHand("skill 5")
      const log = [...whole.events.slice(0, at + 1), { _tag: "added", candidate: mine, ...said } as const]
      const { events, state } = yield* run(task, log)
      assert.deepStrictEqual(
        state.decisions.map(({ reason }) => reason),
        ["identical"]
      )
      assert.strictEqual(state.members.filter(({ candidate }) => candidate.id === mine.id).length, 1)
      assert.deepStrictEqual((yield* run(task, events)).events, events)
    }).pipe(Effect.provide(Layer.merge(judgeBy(skillScore), reflector)))
  })
})

describe("the hypervolume", () => {
  it.effect("has one number for the seeds and one for each iteration, and never falls", () =>
    Effect.gen(function* () {
      const { state } = yield* run(taskOf({}))
      assert.strictEqual(state.hypervolumes.length, state.iteration + 1)
      for (const [at, volume] of state.hypervolumes.entries()) assert.isAtLeast(volume, state.hypervolumes[at - 1] ?? 0)
      assert.isAbove(state.hypervolumes.at(-1)!, state.hypervolumes[0]!)
      // Omissions alone: the other axes are 1 − false alarms and the constant 1.
      const best = Math.max(...state.members.map(({ objectives }) => objectives[0] * objectives[2]))
      assert.isAtLeast(state.hypervolumes.at(-1)!, best - 1e-9)
    }).pipe(Effect.provide(workers))
  )
})

describe("frontier and selector of a run", () => {
  const settingsOf = (search: Partial<Task["settings"]["search"]>): Task => {
    const task = taskOf({ limits: { iterations: 8 } })
    return { ...task, settings: { ...task.settings, search: { ...task.settings.search, ...search } } }
  }
  it.effect("are obeyed: best begins with the winner so far, each time", () =>
    Effect.gen(function* () {
      const { events } = yield* run(settingsOf({ selector: "best" }))
      events.forEach((event, at) => {
        if (event._tag !== "iteration") return
        assert.strictEqual(event.parent, foldRun(events.slice(0, at)).winner?.candidate.id)
      })
    }).pipe(Effect.provide(workers))
  )

  for (const search of [
    { frontier: "group" },
    { frontier: "objectives" },
    { selector: { topK: 2 } },
    { frontier: "objectives", selector: { epsilonGreedy: 0.3 } }
  ] as const) {
    it.effect(`${JSON.stringify(search)} goes on from any event to the same end`, () =>
      Effect.gen(function* () {
        const task = settingsOf(search)
        const whole = yield* run(task)
        for (let length = 0; length < whole.events.length; length += 3) {
          assert.deepStrictEqual((yield* run(task, whole.events.slice(0, length))).events, whole.events)
        }
      }).pipe(Effect.provide(workers))
    )
  }
})

describe("frozen passages", () => {
  const frozenSeed: Candidate = {
    ...seed("Keep this rule.\nskill 0"),
    frozen: { judge: ["Keep this rule."] }
  }
  it.effect("are named to the reflector, bind its proposals, and are inherited", () => {
    const prompts: Array<string> = []
    const reflector = reflectBy((prompt, iteration) => {
      prompts.push(prompt)
      return answer(iteration === 1 ? "Drop that rule. skill 5" : `Keep this rule.\nskill ${iteration + 1}`)
    })
    return Effect.gen(function* () {
      const { state } = yield* run(taskOf({ seeds: [frozenSeed], limits: { iterations: 3 } }))
      assert.deepStrictEqual(
        state.decisions.map(({ reason }) => reason),
        ["frozen", null, null]
      )
      assert.include(state.decisions[0]!.detail, "Keep this rule.")
      assert.include(prompts[0]!, "<frozen>\nKeep this rule.\n</frozen>")
      for (const { candidate } of state.members) assert.deepStrictEqual(candidate.frozen, frozenSeed.frozen)
    }).pipe(Effect.provide(Layer.merge(judgeBy(skillScore), reflector)))
  })
})
