import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { imputedShare } from "../../src/measure/imputedVerdicts.ts"
import { judgeBreakdown } from "../../src/measure/judgeBreakdown.ts"
import { compareJudges } from "../../src/measure/judgeComparison.ts"
import { judgeFigures } from "../../src/measure/judgeFigures.ts"
import { spreadOf } from "../../src/measure/replicateSpread.ts"
import type { JudgedNotes, NoteSet } from "../../src/measure/scoredNotes.ts"
import { judgedAll, noteSet } from "./noteSets.ts"
import { score } from "./scores.ts"

const consultations = 6
/** Each consultation has a clean note and two flawed ones. */
const set: NoteSet = {
  consultation: new Int32Array(3 * consultations).map((_, note) => Math.floor(note / 3)),
  consultations,
  clean: new Int32Array(consultations).map((_, at) => 3 * at),
  pairs: {
    flawed: new Int32Array(2 * consultations).map((_, pair) => 3 * (pair >> 1) + 1 + (pair & 1)),
    clean: new Int32Array(2 * consultations).map((_, pair) => 3 * (pair >> 1)),
    class: new Int8Array(2 * consultations).map((_, pair) => pair % 3),
    trace: new Int8Array(2 * consultations).fill(-1),
    severity: new Int8Array(2 * consultations).map((_, pair) => pair % 3),
    stratum: new Int32Array(2 * consultations).fill(-1)
  },
  strata: []
}
const run = fc
  .tuple(
    fc.array(score, { minLength: 3 * consultations, maxLength: 3 * consultations }),
    fc.array(fc.boolean(), { minLength: 3 * consultations, maxLength: 3 * consultations })
  )
  .map(
    ([scores, judged]): JudgedNotes => ({
      judge: "j",
      replicate: "1",
      scores: Float64Array.from(scores, (value, at) => (judged[at] ? value : Number.NaN)),
      judged: Uint8Array.from(judged, Number)
    })
  )
const options = { cap: 0.1, seed: 11, resamples: 200 }

describe("a judge's figures", () => {
  it("count every judged note once in rates, and only pairs with two scores in paired figures", () => {
    fc.assert(
      fc.property(run, (judge) => {
        const { operating, paired, pairs, parseFailures } = judgeFigures(set, judge, options)
        const judgedOf = (notes: Int32Array) => notes.filter((note) => judge.judged[note] === 1).length
        if (operating !== null) {
          assert.strictEqual(operating.detection.n, judgedOf(set.pairs.flawed))
          assert.strictEqual(operating.falseAlarms.n, judgedOf(set.clean))
          assert.isAtMost(operating.falseAlarms.count, 0.1 * operating.falseAlarms.n + 1e-9)
        }
        assert.strictEqual(paired.wins + paired.ties + paired.losses, pairs.ranked)
        assert.strictEqual(pairs.judged - pairs.ranked, parseFailures.pairs)
        if (paired.interval !== null) assert.isAtMost(paired.interval[0], paired.interval[1])
      }),
      { numRuns: 100 }
    )
  })
})

describe("a comparison", () => {
  it("mirrors when its sides are swapped", () => {
    fc.assert(
      fc.property(run, run, (a, b) => {
        const one = compareJudges(set, [a], [b], options)
        const other = compareJudges(set, [b], [a], options)
        assert.deepStrictEqual(other.a, one.b)
        assert.strictEqual(other.pairs, one.pairs)
        assert.deepStrictEqual([other.paired.better, other.paired.worse], [one.paired.worse, one.paired.better])
        for (const test of ["signTest", "signFlip", "swap"] as const) {
          assert.approximately(other.paired[test]?.p ?? 0, one.paired[test]?.p ?? 0, 1e-12)
        }
        assert.strictEqual(other.detection?.mcnemar.p, one.detection?.mcnemar.p)
        assert.strictEqual(one.pairs + one.leftOut.notJudged + one.leftOut.unparsed, 2 * consultations)
      }),
      { numRuns: 100 }
    )
  })

  it("finds no difference between a judge and itself", () => {
    fc.assert(
      fc.property(run, (a) => {
        const { detection, paired } = compareJudges(set, [a], [a], options)
        assert.isTrue(paired.difference === null || paired.difference === 0)
        assert.strictEqual(paired.signTest?.p ?? 1, 1)
        assert.isTrue(detection === null || (detection.mcnemar.p === 1 && detection.difference === 0))
      }),
      { numRuns: 50 }
    )
  })
})

describe("imputed verdicts", () => {
  it("are drawn with the chance given, the same for the same seed", () => {
    const share = { points: 60, known: 100, missing: 50, chance: 0.6 }
    const drawn = imputedShare(share, 11)!
    assert.deepStrictEqual(imputedShare(share, 11), drawn)
    assert.approximately(drawn.mean, 0.6, 0.01)
    assert.deepStrictEqual([drawn.imputed, drawn.n], [50, 150])
  })

  it("give nothing where nothing is missing, and no range where nothing is left to chance", () => {
    assert.isNull(imputedShare({ points: 3, known: 5, missing: 0, chance: 0.6 }, 1))
    for (const chance of [0, 1]) {
      const drawn = imputedShare({ points: 5, known: 5, missing: 5, chance }, 1)!
      assert.deepStrictEqual([drawn.mean, drawn.interval], [(1 + chance) / 2, null])
    }
  })

  it("are none of flags where there is no operating point", () => {
    const run = judgedAll([5, Number.NaN, 5, 4])
    const { operating, parseFailures } = judgeFigures(
      noteSet(2, 1),
      { ...run, judged: Uint8Array.of(0, 1, 0, 1) },
      { cap: 0.1, seed: 11, resamples: 0 }
    )
    assert.isNull(operating)
    assert.deepStrictEqual(parseFailures.imputed, { paired: null, detection: null, falseAlarms: null })
  })
})

describe("a flawed note of two pairs", () => {
  const once = noteSet(12, 1)
  const severity = Int8Array.from(once.pairs.severity)
  severity[0] = 2
  const doubled = <A extends Int8Array | Int32Array>(column: A): A => {
    const all = column.constructor as new (values: ReadonlyArray<number>) => A
    return new all([...column, column[0]!])
  }
  const { pairs } = once
  const twice = {
    ...once,
    pairs: {
      flawed: doubled(pairs.flawed),
      clean: doubled(pairs.clean),
      class: doubled(pairs.class),
      trace: doubled(pairs.trace),
      // Critical in the first pair, peripheral in the second.
      severity: Int8Array.of(...pairs.severity, 2),
      stratum: doubled(pairs.stratum)
    }
  }

  it("counts once in detection by severity, at the lower grade", () => {
    const run = judgedAll(Array.from({ length: 24 }, (_, note) => (note % 2 === 0 ? 9 : note % 3 === 1 ? 2 : 9)))
    const options = { cap: 0.1, seed: 11, resamples: 1000 }
    const found = judgeFigures(twice, run, options)
    const expected = judgeFigures({ ...once, pairs: { ...pairs, severity } }, run, options)
    assert.deepStrictEqual(found.severityWeighted, expected.severityWeighted)
    assert.strictEqual(found.severityWeighted.notes, 12)
    assert.deepStrictEqual(found.intervals.severityWeighted, expected.intervals.severityWeighted)
    assert.strictEqual(found.paired.pairs, 13)
    assert.strictEqual(found.operating?.detection.n, 12)
  })
})

describe("the spread of replicates", () => {
  it("leaves out replicates without a figure and has no deviation of one", () => {
    assert.deepStrictEqual(spreadOf([0.5, null, 0.75]), {
      values: [0.5, null, 0.75],
      n: 2,
      mean: 0.625,
      min: 0.5,
      max: 0.75,
      sd: Math.sqrt(0.03125)
    })
    assert.isNull(spreadOf([0.5]).sd)
  })
})

describe("the breakdown", () => {
  it("gives every cell the figures that the judge has, of its own pairs", () => {
    fc.assert(
      fc.property(run, (judge) => {
        const whole = judgeFigures(set, judge, options)
        const threshold = whole.operating?.threshold ?? null
        const cells = judgeBreakdown(set, judge, threshold, options)
        assert.isAbove(cells.length, 0)
        for (const cell of cells.filter(({ by }) => by === "class")) {
          const classes = cell.value === "commission" ? (["addition", "alteration"] as const) : ([cell.value] as never)
          const own = judgeFigures(set, judge, { ...options, classes, ...(threshold === null ? {} : { threshold }) })
          assert.deepStrictEqual(cell.paired, own.paired)
          assert.deepStrictEqual(cell.auc, own.auc)
          // A class without a judged note has flags to count nothing of, but no operating point of its own.
          if (own.operating === null) continue
          assert.deepStrictEqual(cell.flags?.bothCorrect, own.bothCorrect)
          assert.deepStrictEqual(cell.flags?.pointwise, own.pointwise)
          assert.deepStrictEqual(cell.flags?.severityWeighted, own.severityWeighted)
          assert.deepStrictEqual(cell.detection, own.operating.detection)
          assert.deepStrictEqual(cell.flags?.rates.specificity.rate, own.pointwise?.specificity)
          assert.deepStrictEqual(cell.flags?.rates.bothCorrect.n, own.bothCorrect?.counts.pairs)
        }
      }),
      { numRuns: 60 }
    )
  })
})
