import { assert, describe, it } from "@effect/vitest"
import * as I from "./instructions.ts"
import { commissions, enough, measure, omissions, pairs, scoreOf } from "./quickstart.ts"

const discrimination = (instruction: string) => measure(omissions, instruction).discrimination

describe.skipIf(!enough)("the embedded judge on the quickstart pairs", () => {
  it("is a mediocre judge of omissions with a plain question", () => {
    // Chance is 0.5; a faithfulness judge that is told to ignore omissions is at chance, give or take its noise.
    for (const [instruction, least] of [
      [I.plainQuestion, 0.5],
      [I.completenessQuestion, 0.5],
      [I.faithfulnessOnly, 0.47]
    ] as const) {
      const figure = discrimination(instruction)
      assert.isAtLeast(figure, least, instruction)
      assert.isAtMost(figure, 0.7, instruction)
    }
  })

  it("is a good judge of omissions when told to enumerate and check", () => {
    assert.isAtLeast(discrimination(I.enumerateAndCheck), 0.8)
    assert.isAtLeast(discrimination(I.bothDirections), 0.8)
  })

  it("is in between with a part of the skills, and worse when a good instruction is padded", () => {
    const plain = discrimination(I.plainQuestion)
    const good = discrimination(I.enumerateAndCheck)
    const some = discrimination(I.enumerateSomeTopics)
    assert.isAbove(discrimination(I.enumerateOnly), plain)
    assert.isAbove(discrimination(I.topicsOnly), plain)
    assert.isAbove(some, plain + 0.1)
    assert.isBelow(some, good - 0.03)
    assert.isBelow(discrimination(I.padded), good - 0.05)
  })

  it("sees additions and alterations when told to look for them", () => {
    const asked = measure(commissions, I.bothDirections).discrimination
    assert.isAtLeast(asked, 0.7)
    assert.isAbove(asked, measure(commissions, I.plainQuestion).discrimination + 0.1)
  })

  it("moves its scores, and not their order, with harsh or lenient wording", () => {
    for (const base of [I.plainQuestion, I.completenessQuestion, I.enumerateAndCheck]) {
      const plain = measure(omissions, base)
      const harsh = measure(omissions, base + I.harsher)
      const mild = measure(omissions, base + I.milder)
      assert.isBelow(Math.abs(harsh.discrimination - plain.discrimination), 0.03)
      assert.isBelow(Math.abs(mild.discrimination - plain.discrimination), 0.03)
      assert.isAtLeast(harsh.flagged, plain.flagged + 0.1)
      assert.isAtMost(mild.flagged, plain.flagged)
    }
  })

  it("scores within 0 to 10 whatever the wording", () => {
    for (const pair of pairs.slice(0, 40)) {
      for (const instruction of [I.plainQuestion, I.plainQuestion + I.harsher, I.plainQuestion + I.milder, ""]) {
        const score = scoreOf(pair.transcript, pair.flawed, instruction, 7)
        assert.isTrue(Number.isNaN(score) || (score >= 0 && score <= 10))
      }
    }
  })
})
