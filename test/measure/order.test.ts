import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { changeOfAuc, changeOfMean } from "../../src/audit/change.ts"
import { judgedOfOutcomes, notesOfTable } from "../../src/confirm/acceptancePart.ts"
import { calibrate } from "../../src/confirm/calibration.ts"
import { aucDifference, detectionDifference } from "../../src/confirm/scoreDifference.ts"
import type { Outcomes } from "../../src/domain/Judgement.ts"
import { mulberry32, shuffled } from "../../src/domain/Random.ts"
import type { ItemTable } from "../../src/domain/RunEvent.ts"
import { answerFigures, compareAnswers } from "../../src/measure/answerFigures.ts"
import { crossFittedGate } from "../../src/measure/consensusGate.ts"
import { labelAgreement } from "../../src/measure/labelAgreement.ts"
import { rescuesOf } from "../../src/measure/rescues.ts"
import { scoreReport } from "../../src/measure/scoreReport.ts"
import { usualResampling } from "../../src/measure/usualResampling.ts"
import { figuresOf } from "../../src/optimise/figures.ts"
import { indexTable } from "../../src/optimise/itemTable.ts"
import { wholeNoteScale } from "../../src/optimise/rewards.ts"
import { clusterSwap } from "../../src/statistics/clusterPermutation.ts"
import { compareOnPairs } from "../../src/terminal/compare.ts"

const seed = 11
const resampling = { seed, resamples: 500 }
/** More than the exact tests take. */
const consultations = 75
const next = mulberry32(3)
const drawn = (most: number) => Math.floor(next() * (most + 1))

/** Fails where the measure says anything else of the same rows in another order. */
const isOfNoOrder = <A>(rows: ReadonlyArray<A>, measure: (rows: ReadonlyArray<A>) => unknown, numRuns = 4) => {
  const expected = measure(rows)
  fc.assert(
    fc.property(fc.nat(), (order) => {
      assert.deepStrictEqual(measure(shuffled(rows, (row) => JSON.stringify(row), order)), expected)
    }),
    { numRuns }
  )
  return expected
}

const names = Array.from({ length: consultations }, (_, at) => `${at % 3 === 0 ? "é" : "c"}${at}`)
const pairs = names.flatMap((consultation, at) =>
  Array.from({ length: 1 + (at % 3) }, (_, flaw) => ({
    consultation,
    id: `${consultation}/p${flaw}`,
    flawed: `${consultation}/f${flaw}`,
    clean: `${consultation}/clean`,
    class: flaw === 0 ? ("omission" as const) : ("addition" as const)
  }))
)
const items = [
  ...new Map(
    pairs.flatMap(({ clean, consultation, flawed }) => [
      [clean, consultation],
      [flawed, consultation]
    ])
  )
]
/** Wide enough a scale that the figures have an interval, and worse for a judge of less `skill`. */
const outcomesOf = (skill: number): Outcomes =>
  Object.fromEntries(
    items.map(([id]) => [
      id,
      drawn(20) === 0
        ? { _tag: "unparsed" as const }
        : { _tag: "scored" as const, score: drawn(10) + (id.endsWith("clean") ? skill : 0) }
    ])
  ) as Outcomes
const outcomes = [outcomesOf(4), outcomesOf(4), outcomesOf(2), outcomesOf(2)] as const

const tableOf = (rows: ReadonlyArray<(typeof items)[number] | (typeof pairs)[number]>): ItemTable => {
  const ofPairs = rows.flatMap((row) => ("class" in row ? [row] : []))
  return {
    items: rows.flatMap((row) => ("class" in row ? [] : [{ id: row[0]!, consultation: row[1]! }])),
    pairs: ofPairs.map(({ consultation: _, ...pair }) => pair),
    clean: [...new Set(ofPairs.map(({ clean }) => clean))],
    lone: []
  }
}

const objective = { primary: { measure: "paired-discrimination" } } as const

describe("the order in which consultations and notes are listed", () => {
  it("changes no interval and no p of a score's, a confirmation's and a run's figures", () => {
    const rows = [...items, ...pairs]
    isOfNoOrder(
      rows,
      (some) => {
        const table = tableOf(some)
        const judges = outcomes.map((one, at) => judgedOfOutcomes(at < 2 ? "a" : "b", String(at % 2), table, one))
        const report = scoreReport(
          { source: "s", set: notesOfTable(table), runs: judges, origins: new Map(), compare: [["a", "b"]] },
          { cap: 0.2, ...resampling }
        )
        const [comparison] = report.comparisons
        assert.strictEqual(comparison!.paired.signFlip!.exact, false)
        assert.strictEqual(comparison!.detection!.swap!.exact, false)
        assert.isNotNull(comparison!.detection!.interval)
        const index = indexTable(table)
        return {
          report,
          discrimination: figuresOf(index, outcomes[0], objective, wholeNoteScale).discrimination,
          compared: compareOnPairs(outcomes[0], outcomes[2], table)
        }
      },
      3
    )
  })

  it("gives a run's figure the interval that a score has of it", () => {
    const table = tableOf([...items, ...pairs].reverse())
    const report = scoreReport(
      {
        source: "s",
        set: notesOfTable(table),
        runs: [judgedOfOutcomes("a", "0", table, outcomes[0])],
        origins: new Map(),
        compare: []
      },
      { cap: 0.2, ...usualResampling }
    )
    const { discrimination } = figuresOf(indexTable(table), outcomes[0], objective, wholeNoteScale)
    assert.isNotNull(discrimination.interval)
    assert.deepStrictEqual(report.judges[0]!.figures.paired.interval, discrimination.interval)
  })

  const notes = items.map(([id, name]) => ({
    cluster: names.indexOf(name),
    name,
    flawed: id.endsWith("clean") ? 0 : 1,
    a: drawn(10),
    b: drawn(10)
  }))
  const column = <A, B>(rows: ReadonlyArray<A>, of: (row: A) => B) => rows.map(of)
  const twice = (rows: typeof notes) => ({
    cluster: column(rows, ({ cluster }) => cluster),
    flawed: column(rows, ({ flawed }) => flawed),
    a: column(rows, ({ a }) => a),
    b: column(rows, ({ b }) => b)
  })

  it("changes nothing of the swaps of AUC and detection", () => {
    isOfNoOrder(notes, (rows) => [
      aucDifference([twice([...rows])], resampling),
      detectionDifference([twice([...rows])], { ...resampling, cap: 0.2 })
    ])
  })

  it("changes nothing of an audit's changes", () => {
    isOfNoOrder(notes, (rows) => {
      const { a, b, cluster, flawed } = twice([...rows])
      return [
        changeOfMean({ before: a, after: b, cluster }, resampling),
        changeOfAuc({ before: a, after: b, cluster, flawed }, resampling)
      ]
    })
  })

  it("changes nothing of a calibration", () => {
    isOfNoOrder(notes, (rows) =>
      calibrate(
        rows.map(({ a, cluster }) => ({ cluster, score: a })),
        { target: 0.2, precision: 0.1 }
      )
    )
  })

  it("changes no drawn p of a swap of named clusters", () => {
    // Eighths are added exactly, in any order, and too finely for an exact test.
    const fine = notes.map(({ name }) => ({ name, a: drawn(1e6) / 8, b: drawn(1e6) / 8 }))
    const result = isOfNoOrder(fine, (rows) =>
      clusterSwap(
        column(rows, ({ a }) => a),
        column(rows, ({ b }) => b),
        column(rows, ({ name }) => name),
        { seed, draws: 2000 }
      )
    ) as ReturnType<typeof clusterSwap>
    assert.strictEqual(result!.exact, false)
  })

  it("changes nothing of the agreement with labels, of refused rescues, of answers and of the consensus gate", () => {
    const verdicts = notes.map(({ a, b, name }) => ({
      cluster: name,
      met: a > 4,
      labels: [b > 4, drawn(1) === 1, drawn(1) === 1]
    }))
    isOfNoOrder(verdicts, (rows) => labelAgreement(rows, resampling))
    const looks = notes.map(({ a, b, name }) => ({
      consultation: name,
      outcome: { _tag: "scored" as const, score: a, details: { rescued: a, "rescues refused": b } }
    }))
    isOfNoOrder(looks, (rows) => rescuesOf(rows as Parameters<typeof rescuesOf>[0], resampling))
    const question = () => {
      const answerable = drawn(3) > 0
      const answered = drawn(3) > 0
      const score = answerable === answered ? (answered ? drawn(2) / 2 : 1) : 0
      return { answerable, answered, f1: score, em: Number(score === 1) }
    }
    const questions = notes.map(({ name }) => {
      const first = question()
      const other = () => ({ ...question(), answerable: first.answerable })
      return { name, answers: [first, other(), other()] as const, sure: drawn(10) }
    })
    isOfNoOrder(questions, (rows) => {
      const groups = column(rows, ({ name }) => name)
      const of = (at: 0 | 1 | 2) => column(rows, ({ answers }) => answers[at])
      return [
        answerFigures(
          of(0),
          groups,
          column(rows, ({ sure }) => sure),
          resampling
        ),
        compareAnswers(of(0), of(1), groups, resampling),
        crossFittedGate([of(0), of(1), of(2)], groups, { seed, splits: 50 })
      ]
    })
  })
})
