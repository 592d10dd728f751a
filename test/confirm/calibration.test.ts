import { assert, describe, it } from "vitest"
import { type CleanScore, calibrate } from "../../src/confirm/calibration.ts"

const options = { target: 0.1, precision: 0.05 }

/** Notes of consultations that a harsh judge flags as a whole, or not at all: `low` of them score 1, the others 9. */
const notesOf = (consultations: number, each: number, low: number): ReadonlyArray<CleanScore> =>
  Array.from({ length: consultations * each }, (_, note) => {
    const cluster = Math.floor(note / each)
    return { cluster, score: cluster < low ? 1 : 9 }
  })

describe("a threshold for clean notes", () => {
  it("is the greatest whose false alarms are at most the target, ties at the target included", () => {
    const found = calibrate(notesOf(100, 1, 10), options)!
    assert.deepStrictEqual([found.chosen.threshold, found.chosen.falseAlarms.count], [9, 10])
    assert.strictEqual(calibrate(notesOf(100, 1, 11), options)!.chosen.threshold, 1)
  })

  it("keeps its promise where Wilson's interval of independent notes lies below the target", () => {
    // 4 of 100: [0.016, 0.098]; 5 of 100: [0.022, 0.112].
    assert.strictEqual(calibrate(notesOf(100, 1, 4), options)!.safe?.threshold, 9)
    assert.strictEqual(calibrate(notesOf(100, 1, 5), options)!.safe?.threshold, 1)
  })

  it("keeps none by notes of one consultation that count as independent", () => {
    // 10 of 200 notes, Wilson [0.027, 0.090], but they are 2 of 40 consultations.
    const found = calibrate(notesOf(40, 5, 2), options)!
    assert.isBelow(found.chosen.falseAlarms.interval![1], options.target)
    assert.isAbove(found.chosen.clustered.interval![1], options.target)
    assert.strictEqual(found.safe?.threshold, 1)
    // None of 45 notes: Wilson's upper end is 0.079, of 9 consultations there is no interval.
    assert.isNull(calibrate(notesOf(9, 5, 0), options)!.safe)
  })

  it("counts a note that could not be read as not flagged", () => {
    const found = calibrate([...notesOf(90, 1, 10), { cluster: 90, score: Number.NaN }], { ...options, target: 0.11 })!
    assert.deepStrictEqual([found.chosen.threshold, found.chosen.falseAlarms.n, found.unparsed], [9, 91, 1])
  })
})
