import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import fc from "fast-check"
import type { RunSettings } from "../../src/domain/RunEvent.ts"
import { runSearch, type Task } from "../../src/optimise/engine.ts"
import { judgeText } from "../../src/optimise/moduleText.ts"
import { foldRun } from "../../src/optimise/RunState.ts"
import { ofTag, run } from "./replay.ts"
import { answer, memorySink, reflectBy, skillOf } from "./support.ts"
import { pair, twoModuleJudge, twoModuleTask } from "./twoModules.ts"

const current = (prompt: string) => /<current_instruction>\n([\s\S]*?)\n<\/current_instruction>/.exec(prompt)?.[1]

describe("what a reflection prompt says of the judge", () => {
  it("is its own scale: not every judge scores from 0 to 10", () => {
    const module = { name: "judge", all: ["judge"] }
    assert.include(judgeText(module), "gives the note a score from 0 to 10; higher is better")
    assert.strictEqual(judgeText({ ...module, maxScore: 10 }), judgeText(module))
    assert.include(judgeText({ ...module, maxScore: 1 }), "the answer gives the note a score from 0 to 1;")
  })
})

const rising = (prompts: Array<string> = []) =>
  reflectBy((prompt, iteration) => {
    prompts.push(prompt)
    return answer(`attempt ${iteration} skill ${skillOf(current(prompt) ?? "") + 1}`)
  })

describe("a judge of several modules", () => {
  it.effect("has its modules evolve in turn, each with its own contract and by its own name", () => {
    const prompts: Array<string> = []
    return Effect.gen(function* () {
      const { events, state } = yield* run(twoModuleTask({ limits: { iterations: 6 } }))
      assert.deepStrictEqual(
        ofTag(events, "iteration").map(({ module }) => module),
        ["extract", "check", "extract", "check", "extract", "check"]
      )
      assert.include(prompts[0], "Yours is the instruction of the stage `extract`; `check` stays as it is")
      assert.include(prompts[0], "<contract>\nList the facts.\n</contract>")
      assert.include(prompts[1], "Yours is the instruction of the stage `check`; `extract` stays as it is")
      assert.include(prompts[1], "<contract>\nSay of each fact whether the note has it.\n</contract>")
      for (const { candidate } of state.members.slice(1)) {
        const parent = state.member(candidate.parents[0]!)!.candidate
        const changed = Object.keys(candidate.instructions).filter(
          (module) => candidate.instructions[module] !== parent.instructions[module]
        )
        assert.deepStrictEqual(changed, [candidate.iteration % 2 === 1 ? "extract" : "check"])
      }
    }).pipe(Effect.provide(Layer.merge(twoModuleJudge(), rising(prompts))))
  })

  it.effect("shows the verdicts on a note beside those on its twin, thing by thing", () => {
    const prompts: Array<string> = []
    return Effect.gen(function* () {
      yield* run(twoModuleTask({ seeds: [pair("skill 2", "skill 2")], limits: { iterations: 1 } }))
      assert.include(prompts[0], 'Verdicts that are worse in this note than in its twin:\n- "thing ')
      assert.match(prompts[0]!, /- "thing \d" \(critical\): absent in this note, full in the twin/)
      assert.include(prompts[0], "none of the 4 things that the judge checked is worse in this note than in its twin")
    }).pipe(Effect.provide(Layer.merge(twoModuleJudge(), rising(prompts))))
  })

  it.effect("refuses a text only where it would give a candidate that the run has", () =>
    Effect.gen(function* () {
      const seeds = [pair("e1", "c1", "one"), pair("e2", "c1", "two"), pair("e1", "c2", "three")]
      const { state } = yield* run(twoModuleTask({ seeds, limits: { iterations: 1 } }))
      const [one, two] = state.members.map(({ candidate }) => candidate)
      assert.deepStrictEqual([...state.taken(one!, "extract")], ["e1", "e2"])
      assert.deepStrictEqual([...state.taken(one!, "check")], ["c1", "c2"])
      assert.deepStrictEqual([...state.taken(two!, "check")], ["c1"])
    }).pipe(
      Effect.provide(
        Layer.merge(
          twoModuleJudge(),
          reflectBy(() => answer("useless"))
        )
      )
    )
  )

  it.effect("counts attempts by module", () => {
    const prompts: Array<string> = []
    return Effect.gen(function* () {
      yield* run(twoModuleTask({ limits: { iterations: 3 } }))
      assert.notInclude(prompts[1], "<attempt ")
      assert.include(prompts[2], "useless 1")
      assert.notInclude(prompts[2], "useless 2")
    }).pipe(
      Effect.provide(
        Layer.merge(
          twoModuleJudge(),
          reflectBy((prompt, iteration) => {
            prompts.push(prompt)
            return answer(`useless ${iteration} skill 0`)
          })
        )
      )
    )
  })
})

describe("any search", () => {
  const settings = fc.record({
    seed: fc.nat(50),
    search: fc.record(
      {
        merge: fc.record({ after: fc.integer({ min: 1, max: 4 }), atMost: fc.nat(5) }),
        proposals: fc.integer({ min: 1, max: 3 }),
        accept: fc.constantFrom<NonNullable<RunSettings["search"]["accept"]>>(
          "strict",
          { margin: 0.02 },
          { paired: { repeats: 2, alpha: 0.2 } }
        ),
        racing: fc.boolean()
      },
      { requiredKeys: [] }
    ),
    modules: fc.constantFrom(["extract", "check"], ["check"]),
    cut: fc.double({ min: 0, max: 1, noNaN: true })
  })

  it.effect(
    "of the same seed has the same events, also when it is cut off anywhere and goes on, and is their fold",
    () =>
      Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(settings, async ({ cut, modules, search, seed }) => {
            const base = twoModuleTask({ seed, limits: { iterations: 4 } })
            const task: Task = {
              ...base,
              modules,
              settings: { ...base.settings, search: { ...base.settings.search, ...search } }
            }
            const go = (logged: Parameters<typeof memorySink>[1] = []) => {
              const events: Parameters<typeof memorySink>[0] = []
              const workers = Layer.merge(twoModuleJudge(), rising())
              return Effect.runPromise(
                runSearch(task, { sink: memorySink(events, logged) }).pipe(
                  Effect.map((state) => ({ state, events })),
                  Effect.provide(workers)
                )
              )
            }
            const whole = await go()
            assert.deepStrictEqual((await go()).events, whole.events)
            const known = whole.events.slice(0, Math.round(cut * whole.events.length))
            assert.deepStrictEqual([...known, ...(await go(known)).events], whole.events)
            const folded = foldRun(whole.events)
            assert.deepStrictEqual(folded.members, whole.state.members)
            assert.deepStrictEqual(folded.winner, whole.state.winner)
            assert.isUndefined(folded.current)
            assert.isEmpty(folded.waiting)
          }),
          { numRuns: 20 }
        )
      )
  )
})
