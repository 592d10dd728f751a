import { assert, describe, it } from "vitest"
import { adjusted, familySizes } from "../../src/measure/holmFamilies.ts"
import { compareJudges } from "../../src/measure/judgeComparison.ts"
import { judgeReplicates } from "../../src/measure/replicateSpread.ts"
import { judgedAll, noteSet } from "./noteSets.ts"

const options = { cap: 0.1, seed: 11, resamples: 1000 }

/** Scores of a set with one flawed note a consultation, from each pair's outcome: 1, ½, 0, or NaN for unreadable. */
const ofOutcomes = (outcomes: ReadonlyArray<number>) =>
  outcomes.flatMap((outcome) => [5, Number.isNaN(outcome) ? Number.NaN : outcome === 1 ? 4 : outcome === 0 ? 6 : 5])

describe("a comparison over replicates", () => {
  const set = noteSet(4, 1)
  const a = [
    judgedAll(ofOutcomes([1, 1, 0, 0.5]), "11", "a"),
    judgedAll(ofOutcomes([1, 0, Number.NaN, 0]), "22", "a"),
    judgedAll(ofOutcomes([0.5, 0, 1, 1]), "33", "a")
  ]
  const b = [judgedAll(ofOutcomes([0, 0.5, 0.5, 1]), "11", "b"), judgedAll(ofOutcomes([0.5, 0.5, 0.5, 1]), "33", "b")]
  const compared = compareJudges(set, a, b, options)
  const differences = [2.5 / 3 - 0.25, 1 / 3 - 0.5, 0, 0.5 - 1]

  it("is of each pair's mean outcome over the replicates in which it could be ranked", () => {
    const { better, difference, same, worse } = compared.paired
    assert.approximately(difference!, differences.reduce((sum, one) => sum + one, 0) / 4, 1e-15)
    assert.deepStrictEqual([better, worse, same, compared.pairs], [1, 2, 1, 4])
    assert.strictEqual(compared.paired.signTest!.p, 1)
    assert.deepStrictEqual(compared.leftOut, { notJudged: 0, unparsed: 0 })
  })

  it("permutes the means of whole consultations", () => {
    const observed = Math.abs(differences.reduce((sum, one) => sum + one, 0))
    let extreme = 0
    for (let signs = 0; signs < 16; signs++) {
      const sum = differences.reduce((total, one, at) => total + ((signs >> at) & 1 ? -one : one), 0)
      if (Math.abs(sum) >= observed - 1e-12) extreme++
    }
    assert.strictEqual(compared.paired.swap!.p, extreme / 16)
    assert.isTrue(compared.paired.swap!.exact)
    assert.strictEqual(compared.paired.signFlip!.p, extreme / 16)
    assert.approximately(compared.paired.swap!.statistic, compared.paired.difference!, 1e-15)
  })

  it("lists each replicate against its namesake, over the pairs that both could rank", () => {
    assert.deepStrictEqual(
      compared.paired.replicates.map((one) => [one.a, one.b, one.pairs, one.difference]),
      [
        ["11", "11", 4, 0.125],
        ["33", "33", 4, 0]
      ]
    )
  })

  it("is the comparison of one replicate when the others repeat it", () => {
    const once = compareJudges(set, a.slice(0, 1), b.slice(0, 1), options)
    const again = compareJudges(
      set,
      [a[0]!, { ...a[0]!, replicate: "12" }],
      [b[0]!, { ...b[0]!, replicate: "12" }],
      options
    )
    assert.deepStrictEqual({ ...again.paired, replicates: [] }, { ...once.paired, replicates: [] })
    assert.deepStrictEqual(again.detection, once.detection)
  })
})

describe("the mean over replicates of which one could rank fewer pairs", () => {
  const set = noteSet(40, 1)
  const consultations = Array.from({ length: 40 }, (_, at) => at)
  const first = judgedAll(ofOutcomes(consultations.map((at) => (at % 3 === 0 ? 1 : 0))), "11")
  const few = (count: number) => ofOutcomes(consultations.map((at) => (at < count ? 1 : Number.NaN)))
  const [own] = judgeReplicates(set, [first], options).figures
  const sameEnds = (interval: readonly [number, number], of: (end: number) => number) => {
    assert.approximately(interval[0], of(own!.paired.interval![0]), 1e-12)
    assert.approximately(interval[1], of(own!.paired.interval![1]), 1e-12)
  }

  it("has the interval of the mean, in which both count the same", () => {
    const { spread } = judgeReplicates(set, [first, judgedAll(few(12), "22")], options)
    assert.approximately(spread.paired.mean!, (own!.paired.value! + 1) / 2, 1e-15)
    sameEnds(spread.paired.interval!, (end) => (end + 1) / 2)
  })

  it("has none where a replicate has too few consultations for one", () => {
    const { spread } = judgeReplicates(set, [first, judgedAll(few(2), "22")], options)
    assert.deepStrictEqual(
      [spread.paired.interval, spread.paired.intervalNote, spread.paired.consultations],
      [null, "few-consultations", 40]
    )
  })

  it("leaves out a replicate that could rank none", () => {
    const { spread } = judgeReplicates(set, [first, judgedAll(few(0), "22")], options)
    assert.strictEqual(spread.paired.mean, own!.paired.value)
    sameEnds(spread.paired.interval!, (end) => end)
  })
})

describe("a comparison without a shared pair", () => {
  const set = noteSet(2, 1)
  const half = (first: boolean, judge: string) => ({
    ...judgedAll([5, 4, 5, 4], "1", judge),
    judged: Uint8Array.from(first ? [1, 1, 0, 0] : [0, 0, 1, 1])
  })

  it("has no p-value and belongs to no family", () => {
    const whole = judgedAll([5, 4, 5, 6], "1", "c")
    const comparisons = adjusted([
      compareJudges(set, [half(true, "a")], [half(false, "b")], options),
      compareJudges(set, [half(true, "a")], [whole], options)
    ])
    const [empty, full] = comparisons
    assert.deepStrictEqual(
      [empty!.pairs, empty!.paired.signTest, empty!.paired.signFlip, empty!.paired.swap, empty!.detection],
      [0, null, null, null, null]
    )
    assert.strictEqual(full!.paired.signTest!.holm, full!.paired.signTest!.p)
    assert.deepStrictEqual(familySizes(comparisons), {
      signTest: 1,
      signFlip: 1,
      swap: 1,
      detectionSwap: 1,
      mcnemar: 1,
      falseAlarms: 1
    })
  })
})
