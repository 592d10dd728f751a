import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Item } from "../../src/domain/Item.ts"
import type { RunSettings } from "../../src/domain/RunEvent.ts"
import type { Task } from "../../src/optimise/engine.ts"
import { mergeKey, swapped } from "../../src/optimise/merge.ts"
import { ofTag, replaysFromAnywhere, run } from "./replay.ts"
import { answer, judgeBy, reflectBy, seed, taskOf } from "./support.ts"
import { pair, twoModuleJudge, twoModuleTask } from "./twoModules.ts"

/** Tells the notes without the things that the instruction names, in the consultations of an even or odd number each. */
const thingsScore = (instruction: string, item: Item): number => {
  const flaw = /without thing (\d+)/.exec(item.note)
  return flaw !== null && instruction.includes(`thing ${flaw[1]}`) ? 5 : 8
}

const merging = (task: Task, merge: NonNullable<RunSettings["search"]["merge"]>): Task => ({
  ...task,
  settings: { ...task.settings, search: { ...task.settings.search, merge } }
})

const partners = (prompt: string) =>
  ["first", "second"].map(
    (name) => new RegExp(`<${name}_instruction>\n([\\s\\S]*?)\n</${name}_instruction>`).exec(prompt)?.[1]
  )

/** Merges by naming what both name; reflections come to nothing. */
const joining = (prompts: Array<string> = []) =>
  reflectBy((prompt, iteration) => {
    const [first, second] = partners(prompt)
    if (first === undefined || second === undefined) return answer(`useless ${iteration}`)
    prompts.push(prompt)
    const things = new Set([...`${first} ${second}`.matchAll(/thing \d+/g)].map(([thing]) => thing))
    return answer(`look for ${[...things].sort().join(" and ")}`)
  })

const seeds = [seed("look for thing 0", "zero"), seed("look for thing 1", "one"), seed("look for thing 2", "two")]
const crossing = (options: Parameters<typeof taskOf>[0] = {}) =>
  merging(taskOf({ seeds, ...options }), { after: 3, atMost: 4 })

describe("a crossover", () => {
  it.effect("makes one instruction of two that lead on other instances, and has both for parents", () => {
    const prompts: Array<string> = []
    return Effect.gen(function* () {
      const { events, state } = yield* run(crossing({ limits: { iterations: 12 } }))
      const merges = ofTag(events, "merge")
      assert.isNotEmpty(merges)
      assert.isTrue(
        merges.every(({ ancestor, choices, how }) => how === "crossover" && ancestor === null && choices === null)
      )
      const child = state.members.find(({ candidate }) => candidate.origin === "merge")!
      const [first] = merges
      assert.deepStrictEqual(child.candidate.parents, first!.parents)
      assert.strictEqual(child.candidate.iteration, first!.iteration)
      assert.strictEqual(state.winner?.candidate.instructions["judge"], "look for thing 0 and thing 1 and thing 2")
      // A merge shows what either alone ranks rightly, and nothing that both do.
      assert.match(prompts[0]!, /<pair note="[A-D]\d" right="first">/)
      assert.match(prompts[0]!, /<pair note="[A-D]\d" right="second">/)
      assert.include(prompts[0], "Rank: right. It scored below; its clean twin A1 has score 8.")
      assert.include(prompts[0], "at most 2000 characters; the first has 16, the second 16")
    }).pipe(Effect.provide(Layer.merge(judgeBy(thingsScore), joining(prompts))))
  })

  it.effect("is judged against the better parent, which it names", () =>
    Effect.gen(function* () {
      const { events } = yield* run(crossing({ limits: { iterations: 12 } }))
      for (const merge of ofTag(events, "merge")) {
        const own = <E extends { readonly iteration: number }>(all: ReadonlyArray<E>) =>
          all.find(({ iteration }) => iteration === merge.iteration)
        const rewards = [own(ofTag(events, "parentJudged")), own(ofTag(events, "partnerJudged"))].map(
          (event) => event!.reward!
        )
        const decided = own(ofTag(events, "decided"))!
        assert.deepStrictEqual(
          [decided.parent, decided.partner!],
          rewards[1]! > rewards[0]! ? merge.parents.toReversed() : merge.parents
        )
        if (decided.childReward !== null) assert.approximately(decided.parentReward!, Math.max(...rewards), 1e-9)
      }
    }).pipe(Effect.provide(Layer.merge(judgeBy(thingsScore), joining())))
  )

  it.effect("starts once the pool has as many members as it says, happens no more often, and never twice", () =>
    Effect.gen(function* () {
      const task = (after: number, atMost: number) =>
        merging(taskOf({ seeds, limits: { iterations: 40, stall: 1000 } }), { after, atMost })
      const none = yield* run(task(3, 0))
      assert.isEmpty(ofTag(none.events, "merge"))
      const early = yield* run(task(30, 4))
      assert.isEmpty(ofTag(early.events, "merge"))
      const two = yield* run(task(3, 2))
      assert.lengthOf(ofTag(two.events, "merge"), 2)
      const many = yield* run(task(3, 1000))
      const keys = ofTag(many.events, "merge").map(mergeKey)
      assert.lengthOf(new Set(keys), keys.length)
      assert.isAtLeast(keys.length, 2)
    }).pipe(Effect.provide(Layer.merge(judgeBy(thingsScore), joining())))
  )

  it.effect("asks nobody when the two rank the same pairs rightly", () => {
    // They differ on the acceptance part only.
    const judge = judgeBy((instruction, item) =>
      item.consultation.startsWith("t") ? 8 : thingsScore(instruction, item)
    )
    const prompts: Array<string> = []
    return Effect.gen(function* () {
      const { events } = yield* run(crossing())
      const [merge] = ofTag(events, "merge")
      const decided = ofTag(events, "decided").find(({ iteration }) => iteration === merge!.iteration)
      assert.strictEqual(decided?.reason, "nothing-to-merge")
      assert.isEmpty(prompts)
    }).pipe(Effect.provide(Layer.merge(judge, joining(prompts))))
  })

  it.effect("goes on from any event to the same end", () =>
    Effect.asVoid(replaysFromAnywhere(crossing())).pipe(Effect.provide(Layer.merge(judgeBy(thingsScore), joining())))
  )

  it.effect("changes nothing before the first one: runs without merges draw the same", () =>
    Effect.gen(function* () {
      const without = yield* run(taskOf({ seeds }))
      const { events } = yield* run(crossing())
      const first = events.findIndex(({ _tag }) => _tag === "merge") - 1
      assert.isAbove(first, 3)
      assert.deepStrictEqual(events.slice(1, first), without.events.slice(1, first))
    }).pipe(Effect.provide(Layer.merge(judgeBy(thingsScore), joining())))
  )
})

describe("a module swap", () => {
  const ancestor = pair("e0", "c0")
  const give = (first: [string, string], second: [string, string], better: "first" | "second" = "first") =>
    swapped([pair(...first), pair(...second)], ancestor, better)?.instructions

  it("takes each module from the one that changed it", () => {
    assert.deepStrictEqual(give(["e1", "c0"], ["e0", "c2"]), { extract: "e1", check: "c2" })
  })
  it("takes a module that both changed from the better one", () => {
    const three = { ...ancestor, instructions: { a: "0", b: "0", c: "0" } }
    const one = { ...ancestor, instructions: { a: "1", b: "1", c: "0" } }
    const two = { ...ancestor, instructions: { a: "0", b: "2", c: "0" } }
    assert.deepStrictEqual(swapped([one, two], three, "first")?.instructions, { a: "1", b: "1", c: "0" })
    assert.deepStrictEqual(swapped([one, two], three, "second")?.instructions, { a: "1", b: "2", c: "0" })
  })
  it("is none where both changed every module", () => {
    assert.isUndefined(give(["e1", "c1"], ["e2", "c2"]))
  })

  const rising = reflectBy((prompt, iteration) => {
    const current = /<current_instruction>\n([\s\S]*?)\n<\/current_instruction>/.exec(prompt)![1]!
    return answer(`attempt ${iteration} skill ${Number(/skill (\d+)/.exec(current)![1]) + 1}`)
  })
  const task = (options: Parameters<typeof taskOf>[0] = {}) =>
    merging(twoModuleTask({ limits: { iterations: 16 }, ...options }), { after: 3, atMost: 4 })

  it.effect("puts modules of two descendants of an ancestor together, and asks no reflector", () =>
    Effect.gen(function* () {
      const { events, state } = yield* run(task())
      const merges = ofTag(events, "merge")
      assert.isNotEmpty(merges)
      for (const { ancestor, choices, how, iteration, parents } of merges) {
        assert.strictEqual(how, "swap")
        assert.isDefined(state.member(ancestor!))
        assert.isTrue(Object.values(choices!).every((from) => parents.includes(from)))
        assert.isFalse(ofTag(events, "proposed").some((event) => event.iteration === iteration))
        const decided = ofTag(events, "decided").find((event) => event.iteration === iteration)!
        assert.sameMembers([decided.parent, decided.partner!], [...parents])
      }
      const [child] = state.members.filter(({ candidate }) => candidate.origin === "merge")
      const merge = merges.find(({ iteration }) => iteration === child?.candidate.iteration)!
      for (const [module, from] of Object.entries(merge.choices!)) {
        assert.strictEqual(child?.candidate.instructions[module], state.member(from)?.candidate.instructions[module])
      }
    }).pipe(Effect.provide(Layer.merge(twoModuleJudge(), rising)))
  )

  it.effect("never gives what the pool has, nor the same twice", () =>
    Effect.gen(function* () {
      for (const runSeed of [1, 2, 3]) {
        const { events, state } = yield* run(task({ seed: runSeed, limits: { iterations: 30 } }))
        assert.lengthOf(state.triedMerges, state.merges)
        const children = ofTag(events, "childJudged").map(({ child }) => child)
        const ids = state.members.map(({ candidate }) => candidate.id)
        assert.lengthOf(new Set(ids), ids.length)
        assert.isNotEmpty(children)
      }
    }).pipe(Effect.provide(Layer.merge(twoModuleJudge(), rising)))
  )

  it.effect("goes on from any event to the same end", () =>
    Effect.gen(function* () {
      const { events } = yield* replaysFromAnywhere(task({ limits: { iterations: 9 } }))
      assert.isNotEmpty(ofTag(events, "merge"))
    }).pipe(Effect.provide(Layer.merge(twoModuleJudge(), rising)))
  )

  it.effect("leaves the modules their turns", () =>
    Effect.gen(function* () {
      const { events } = yield* run(task())
      const merged = new Set(ofTag(events, "merge").map(({ iteration }) => iteration))
      const modules = ofTag(events, "iteration").flatMap(({ iteration, module }) =>
        merged.has(iteration) ? [] : [module]
      )
      assert.deepStrictEqual(
        modules,
        modules.map((_, at) => (at % 2 === 0 ? "extract" : "check"))
      )
    }).pipe(Effect.provide(Layer.merge(twoModuleJudge(), rising)))
  )
})
