import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { answerability, f1Change, selectivity } from "../../src/measure/answerability.ts"
import { type ScoredQuestion, scoreQuestion } from "../../src/measure/squad.ts"

/** One question scored under two conditions. */
const twoConditions = fc.array(
  fc
    .tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.nat(10), fc.nat(10))
    .map(([answerable, first, second, f1A, f1B]): readonly [ScoredQuestion, ScoredQuestion] => {
      const scored = (answered: boolean, f1: number): ScoredQuestion => {
        const value = answerable && answered ? f1 / 10 : Number(answerable === answered)
        return { answerable, answered, f1: value, em: Math.floor(value) }
      }
      return [scored(first, f1A), scored(second, f1B)]
    }),
  { maxLength: 40 }
)

describe("SQuAD-2.0 scores", () => {
  it("take the best of several spans, and a claimed answer without a span as a wrong one", () => {
    const golds = ["left lower lobe"]
    assert.strictEqual(scoreQuestion({ golds, prediction: ["right lung", "the left lower lobe"] }).em, 1)
    assert.deepStrictEqual(scoreQuestion({ golds, prediction: null, answered: true }), {
      answerable: true,
      answered: true,
      f1: 0,
      em: 0
    })
    assert.deepStrictEqual(scoreQuestion({ golds: [], prediction: [], answered: true }), {
      answerable: false,
      answered: true,
      f1: 0,
      em: 0
    })
    assert.isFalse(scoreQuestion({ golds, prediction: ["", "the"] }).answered)
  })

  it("call a question whose golds have no word unanswerable", () => {
    assert.deepStrictEqual(scoreQuestion({ golds: ["the", "..."], prediction: null }), {
      answerable: false,
      answered: false,
      f1: 1,
      em: 1
    })
  })

  it("satisfy the identities of the breakdown: answerable F1 = (1 - OAR) × extraction F1, and the overall mean", () => {
    fc.assert(
      fc.property(twoConditions, (questions) => {
        const result = answerability(questions.map(([a]) => a))
        if (result.extractionF1 !== null) {
          assert.closeTo(result.answerableF1!, (1 - result.overAbstentionRate!) * result.extractionF1, 1e-12)
        }
        if (result.f1 === null) return
        const right = (result.questions - result.answerable) * (1 - (result.falseAnswerRate ?? 0))
        assert.closeTo(result.f1 * result.questions, right + result.answerable * (result.answerableF1 ?? 0), 1e-9)
      })
    )
  })
})

describe("decomposition of a change in F1", () => {
  it("adds up, turns round with the conditions, and is nothing without a change", () => {
    fc.assert(
      fc.property(twoConditions, (questions) => {
        const [a, b] = [questions.map(([first]) => first), questions.map(([, second]) => second)]
        const change = f1Change(a, b)
        if (change === null) return assert.strictEqual(questions.length, 0)
        assert.closeTo(change.delta, change.f1B - change.f1A, 1e-12)
        assert.closeTo(change.extraction + change.answerabilityShift, change.delta, 1e-12)
        assert.closeTo(change.shiftAnswerable + change.shiftUnanswerable, change.answerabilityShift, 1e-12)
        const only = change.answerableOnly
        if (only !== null) assert.closeTo(only.extraction + only.answerabilityShift, only.delta, 1e-12)
        assert.closeTo(f1Change(b, a)!.extraction, -change.extraction, 1e-12)
        assert.strictEqual(f1Change(a, a)!.delta, 0)
      })
    )
  })

  it("refuses conditions that disagree on what is answerable, or on the number of questions", () => {
    const [yes, no] = [scoreQuestion({ golds: ["x"], prediction: "x" }), scoreQuestion({ golds: [], prediction: "x" })]
    assert.throws(() => f1Change([yes], [no]), RangeError)
    assert.throws(() => f1Change([yes], []), RangeError)
  })
})

describe("selectivity of new abstentions", () => {
  const scored = (answered: boolean, f1: number): ScoredQuestion => ({ answerable: true, answered, f1, em: 0 })

  it("compares the earlier scores of questions newly declined with those still answered", () => {
    const unanswerable = scoreQuestion({ golds: [], prediction: "x" })
    const a = [scored(true, 0.2), scored(true, 0.6), scored(true, 0.8), scored(false, 0), unanswerable]
    const b = [scored(false, 0), scored(false, 0), scored(true, 0.1), scored(true, 1), unanswerable]
    const result = selectivity(a, b)
    assert.deepStrictEqual(
      { ...result, difference: 0 },
      {
        newlyDeclined: 2,
        stillAnswered: 1,
        declinedPrior: 0.4,
        answeredPrior: 0.8,
        difference: 0,
        withdrawnGood: 0.5,
        priors: [
          { declined: true, score: 0.2 },
          { declined: true, score: 0.6 },
          { declined: false, score: 0.8 },
          null,
          null
        ]
      }
    )
    assert.closeTo(result.difference!, -0.4, 1e-12)
    assert.isNull(selectivity([], []).difference)
  })
})
