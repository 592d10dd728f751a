import { assert, describe, it } from "@effect/vitest"
import { measuredDifference } from "../../src/confirm/measured.ts"
import { auc } from "../../src/measure/discrimination.ts"
import { operatingPoint } from "../../src/measure/operatingPoint.ts"
import type { JudgedNotes } from "../../src/measure/scoredNotes.ts"
import { normalDraws } from "../../src/statistics/normalDraws.ts"
import { judgedAll, noteSet } from "../measure/noteSets.ts"

const consultations = 16
const set = noteSet(consultations, 2)
const options = { cap: 0.1, seed: 11, resamples: 500 }
const flawedNotes = new Set(set.pairs.flawed)

/** Replicates of a judge whose flawed notes are lower by `worse`; with `failing`, the first note was never judged. */
const replicates = (judge: string, worse: number, seed: number, failing = false): ReadonlyArray<JudgedNotes> => {
  const draw = normalDraws(seed)
  return ["11", "22", "33"].map((replicate) => {
    const scores = Array.from(set.consultation, (_, note) =>
      Math.round(6 - (flawedNotes.has(note) ? worse : 0) + 1.5 * draw())
    )
    const run = judgedAll(scores, replicate, judge)
    if (!failing) return run
    run.scores[0] = Number.NaN
    run.judged[0] = 0
    return run
  })
}

const rows = (run: JudgedNotes, notes: Iterable<number>, without?: number) =>
  [...notes].filter((note) => note !== without).map((note) => run.scores[note]!)
const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length

describe("a measure of two judges over replicates", () => {
  const a = replicates("a", 3, 1)
  const b = replicates("b", 1, 2, true)

  it("is, for detection, the share flagged in all of them, each at its own threshold, on the notes that both judged", () => {
    const rate = (runs: ReadonlyArray<JudgedNotes>) =>
      mean(
        runs.map((run) => {
          const point = operatingPoint(rows(run, flawedNotes, 0), rows(run, set.clean, 0), 0.1)!
          return point.detected / point.flawed
        })
      )
    const found = measuredDifference(set, a, b, { measure: "detection", maxFalseAlarms: 0.1 }, options)
    assert.closeTo(found.a!, rate(a), 1e-12)
    assert.closeTo(found.b!, rate(b), 1e-12)
    assert.closeTo(found.difference!, rate(a) - rate(b), 1e-12)
    assert.deepStrictEqual([found.n, found.consultations], [2 * consultations, consultations])
    const [low, high] = found.interval!
    assert.isTrue(low <= found.difference! && found.difference! <= high)
  })

  it("is, for AUC, the mean over them, and tells a large gain", () => {
    const value = (runs: ReadonlyArray<JudgedNotes>) =>
      mean(runs.map((run) => auc(rows(run, flawedNotes, 0), rows(run, set.clean, 0))!))
    const found = measuredDifference(set, a, b, { measure: "auc" }, options)
    assert.closeTo(found.difference!, value(a) - value(b), 1e-12)
    assert.isBelow(found.p!, 0.01)
    assert.isAbove(found.interval![0], 0)
  })

  it("has nothing to say without a note that both judged", () => {
    const none = b.map((run) => ({ ...run, judged: new Uint8Array(run.judged.length) }))
    for (const measure of [{ measure: "auc" }, { measure: "detection", maxFalseAlarms: 0.1 }] as const) {
      const { measure: _, ...found } = measuredDifference(set, a, none, measure, options)
      assert.deepStrictEqual(found, {
        a: null,
        b: null,
        difference: null,
        interval: null,
        intervalNote: "no-data",
        p: null,
        n: 0,
        consultations: 0
      })
    }
  })
})
