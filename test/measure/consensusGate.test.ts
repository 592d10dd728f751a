import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { answerability } from "../../src/measure/answerability.ts"
import { applyGate, crossFittedGate, type ModelAnswers } from "../../src/measure/consensusGate.ts"
import type { ScoredQuestion } from "../../src/measure/squad.ts"

const scored = (answerable: boolean, answered: boolean, f1: number): ScoredQuestion => {
  const value = answerable && answered ? f1 : Number(answerable === answered)
  return { answerable, answered, f1: value, em: 0 }
}

interface Trial {
  readonly models: ModelAnswers
  readonly units: ReadonlyArray<string>
}

const trial = fc.tuple(fc.integer({ min: 2, max: 5 }), fc.integer({ min: 1, max: 24 })).chain(([models, questions]) =>
  fc
    .tuple(
      fc.array(fc.boolean(), { minLength: questions, maxLength: questions }),
      fc.array(fc.constantFrom("r1", "r2", "r3", "r4"), { minLength: questions, maxLength: questions }),
      fc.array(fc.array(fc.tuple(fc.boolean(), fc.nat(10)), { minLength: questions, maxLength: questions }), {
        minLength: models,
        maxLength: models
      })
    )
    .map(
      ([answerable, units, rows]): Trial => ({
        units,
        models: rows.map((row) => row.map(([answered, f1], i) => scored(answerable[i]!, answered, f1 / 10)))
      })
    )
)

describe("consensus gate", () => {
  it("can only lower the false-answer rate and raise the over-abstention rate, the more the higher it is", () => {
    fc.assert(
      fc.property(trial, ({ models }) => {
        let before = answerability(models[0]!)
        assert.deepStrictEqual(applyGate(models, 0, 0), models[0])
        for (let threshold = 1; threshold <= models.length; threshold++) {
          const after = answerability(applyGate(models, 0, threshold))
          assert.isAtMost(after.falseAnswerRate ?? 0, before.falseAnswerRate ?? 0)
          assert.isAtLeast(after.overAbstentionRate ?? 0, before.overAbstentionRate ?? 0)
          before = after
        }
      })
    )
  })

  it("withholds everything when more votes are asked for than there are other models", () => {
    fc.assert(
      fc.property(trial, ({ models }) => {
        assert.isTrue(applyGate(models, 0, models.length).every((question) => !question.answered))
      })
    )
  })

  it("lowers FAR and raises OAR cross-fitted too, whatever threshold a half chooses", () => {
    fc.assert(
      fc.property(trial, fc.constantFrom("own" as const, "pooled" as const), ({ models, units }, choose) => {
        const result = crossFittedGate(models, units, { seed: 11, splits: 20, choose })
        if (result === null) return assert.strictEqual(new Set(units).size, 1)
        assert.isAtMost(result.falseAnswerRate?.range[1] ?? 0, 0)
        assert.isAtLeast(result.overAbstentionRate?.range[0] ?? 0, 0)
        const choices = result.chosen.reduce((sum, times) => sum + times, 0)
        assert.strictEqual(choices, choose === "own" ? 20 * models.length : 20)
      })
    )
  })

  it("gains F1 where a model makes up answers alone, the same for a seed", () => {
    const reports = 30
    const units = Array.from({ length: 2 * reports }, (_, i) => `r${i >> 1}`)
    // Every second question has no answer; the first model answers it all the same, the two others decline.
    const rows = [0, 1, 2].map((model) => units.map((_, i) => scored(i % 2 === 0, i % 2 === 0 || model === 0, 0.8)))
    const result = crossFittedGate(rows, units, { seed: 11 })!
    assert.deepStrictEqual(crossFittedGate(rows, units, { seed: 11 }), result)
    assert.strictEqual(result.splits, 200)
    assert.closeTo(result.f1!.mean, 0.5 / 3, 1e-12)
    assert.closeTo(result.falseAnswerRate!.mean, -1 / 3, 1e-12)
    assert.closeTo(result.overAbstentionRate!.mean, 0, 1e-12)
    // The first model's gate opens at 1 vote; the others need none, and the lowest of equals is taken.
    assert.deepStrictEqual(result.chosen, [400, 200, 0])
  })

  it("needs two models and two units, and refuses rows of unequal length", () => {
    const row = [scored(true, true, 1), scored(true, true, 1)]
    assert.isNull(crossFittedGate([row], ["a", "b"], { seed: 1 }))
    assert.isNull(crossFittedGate([row, row], ["a", "a"], { seed: 1 }))
    assert.throws(() => crossFittedGate([row, row.slice(1)], ["a", "b"], { seed: 1 }), RangeError)
  })
})
