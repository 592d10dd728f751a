import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Acceptance } from "../../src/domain/Campaign.ts"
import type { Item } from "../../src/domain/Item.ts"
import { decideAcceptance, pairedTest, repeatsOf } from "../../src/optimise/accept.ts"
import type { Task } from "../../src/optimise/engine.ts"
import { indexTable, itemTable } from "../../src/optimise/itemTable.ts"
import { ofTag, replaysFromAnywhere, run } from "./replay.ts"
import { improving, itemSet, judgeBy, skillScore, taskOf } from "./support.ts"

/** Four consultations with a clean note and two flawed ones each: instances 0, 3, 6, 9 … are clean. */
const index = indexTable(itemTable(itemSet("t", 4, [{ class: "omission" }, { class: "omission" }])))
const all = (value: number) => Float64Array.from(index.instances, () => value)
const decide = (parent: number, child: number, accept?: Acceptance, repeats = 1) =>
  decideAcceptance(
    index,
    {
      parent: Array.from({ length: repeats }, () => all(parent)),
      child: Array.from({ length: repeats }, () => all(child))
    },
    accept,
    "the parent's",
    11
  )

describe("the strict rule", () => {
  it("asks for a mean reward above the parent's, by any amount", () => {
    assert.isTrue(decide(0.5, 0.5 + 1e-6).accepted)
    assert.strictEqual(decide(0.5, 0.5).reason, "not-better")
    assert.strictEqual(decide(0.5, 0.5 + 1e-12).reason, "not-better")
    assert.strictEqual(decide(0.5, 0.625).detail, "mean reward 0.625 against the parent's 0.500 on the same 12 notes")
  })

  it("compares what both could be judged on, and not less than half of it", () => {
    const child = all(0.9)
    child.fill(Number.NaN, 0, 6)
    const half = decideAcceptance(index, { parent: [all(0.5)], child: [child] }, "strict", "the parent's", 11)
    assert.deepStrictEqual([half.accepted, half.compared], [true, 6])
    child[6] = Number.NaN
    const less = decideAcceptance(index, { parent: [all(0.5)], child: [child] }, "strict", "the parent's", 11)
    assert.deepStrictEqual([less.reason, less.compared], ["not-judged", 5])
  })
})

describe("the rule with a margin", () => {
  it("asks for more than the margin", () => {
    assert.isTrue(decide(0.5, 0.56, { margin: 0.05 }).accepted)
    const equal = decide(0.5, 0.55, { margin: 0.05 })
    assert.strictEqual(equal.reason, "not-better")
    assert.include(equal.detail, "a gain of more than 0.05 is asked for")
    assert.isFalse(decide(0.5, 0.5, { margin: 0 }).accepted)
  })
})

describe("the rule with a paired test", () => {
  const paired = (repeats: number, alpha: number) => ({ paired: { repeats, alpha } })

  it("has the exact one-sided p of sign flips over consultations and repeats", () => {
    // All 4 units the same way: one arrangement of 16. With two repeats one of 256.
    assert.strictEqual(pairedTest(index, [all(0.5)], [all(0.6)], 11).p, 1 / 16)
    assert.deepStrictEqual(pairedTest(index, [all(0.5), all(0.5)], [all(0.6), all(0.6)], 11), { p: 1 / 256, units: 8 })
    // Three up by 1, one down by 1: the sums 4 and 2 are reached by 1 + 4 of 16.
    const mixed = all(0.5)
    index.instances.forEach(({ item }, at) => {
      mixed[at]! += index.table.items[item]!.consultation === "t0" ? -0.1 : 0.1
    })
    assert.approximately(pairedTest(index, [all(0.5)], [mixed], 11).p, 5 / 16, 1e-12)
    assert.strictEqual(pairedTest(index, [all(0.5)], [all(0.4)], 11).p, 1)
    assert.strictEqual(pairedTest(index, [all(0.5)], [all(0.5)], 11).p, 1)
  })

  it("accepts a child whose p is small enough, and says p either way", () => {
    assert.isTrue(decide(0.5, 0.6, paired(2, 0.05), 2).accepted)
    const weak = decide(0.5, 0.6, paired(1, 0.05))
    assert.deepStrictEqual([weak.accepted, weak.reason, weak.p], [false, "not-better", 1 / 16])
    assert.include(
      weak.detail,
      "one-sided p 0.0625 by sign flips of 4 consultations and repeats, at most 0.05 is asked for"
    )
    assert.strictEqual(decide(0.6, 0.5, paired(2, 0.5), 2).accepted, false)
  })

  it("judges as often as it says", () => {
    assert.deepStrictEqual(
      [repeatsOf(undefined), repeatsOf("strict"), repeatsOf({ margin: 1 }), repeatsOf(paired(3, 0.1))],
      [1, 1, 1, 3]
    )
  })
})

describe("a search with a paired test", () => {
  const withRule = (accept: Acceptance, iterations = 6): Task => {
    const task = taskOf({ limits: { iterations } })
    return { ...task, settings: { ...task.settings, search: { ...task.settings.search, accept } } }
  }
  /** A noisy judge: the same note under another key is another draw. */
  const noisy = (instruction: string, item: Item) =>
    skillScore(instruction, item) + ((item.key.length + instruction.length + item.id.length) % 2)

  it.effect("asks the judge anew in every repeat, and keeps all of it", () => {
    const keys = new Set<string>()
    return Effect.gen(function* () {
      const { events } = yield* run(withRule({ paired: { repeats: 3, alpha: 0.05 } }))
      const [judged] = ofTag(events, "parentJudged")
      assert.lengthOf(judged!.repeats!, 2)
      assert.deepStrictEqual(Object.keys(judged!.repeats![1]!), Object.keys(judged!.outcomes))
      assert.isTrue([...keys].some((key) => key.endsWith(" repeat 3")))
      const decided = ofTag(events, "decided").filter(({ childReward }) => childReward !== null)
      assert.isTrue(decided.every(({ compared, p }) => compared === 36 && p !== undefined))
      assert.isTrue(decided.every(({ accepted, p }) => accepted === p! <= 0.05))
    }).pipe(
      Effect.provide(
        Layer.merge(
          judgeBy(noisy, (items) => {
            for (const { key } of items) keys.add(key)
          }),
          improving
        )
      )
    )
  })

  it.effect("goes on from any event to the same end", () =>
    Effect.asVoid(replaysFromAnywhere(withRule({ paired: { repeats: 2, alpha: 0.1 } }, 4))).pipe(
      Effect.provide(Layer.merge(judgeBy(noisy), improving))
    )
  )

  it.effect("takes less than a strict one", () =>
    Effect.gen(function* () {
      const strict = yield* run(withRule("strict", 10))
      const wide = yield* run(withRule({ margin: 0.15 }, 10))
      const accepted = ({ state }: typeof strict) => state.decisions.filter(({ accepted }) => accepted).length
      assert.isBelow(accepted(wide), accepted(strict))
    }).pipe(Effect.provide(Layer.merge(judgeBy(skillScore), improving)))
  )
})
