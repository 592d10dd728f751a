import { assert, describe, it } from "vitest"
import type { Outcome } from "../../src/domain/Judgement.ts"
import { rescuesOf } from "../../src/measure/rescues.ts"
import { rescuesSections, rescuesSentence, rescuesText } from "../../src/report/rescuesText.ts"

const options = { seed: 11, resamples: 500 }
const looked = (rescued: number, refused: number): Outcome => ({
  _tag: "scored",
  score: 0.5,
  details: { rescued, "rescues refused": refused }
})
const plain: Outcome = { _tag: "scored", score: 1, details: { coerced: 0 } }

describe("rescues in all", () => {
  it("are counted over the judgements, with their consultations", () => {
    const found = rescuesOf(
      [
        { consultation: "a", outcome: looked(2, 1) },
        { consultation: "a", outcome: looked(0, 1) },
        { consultation: "b", outcome: looked(0, 0) },
        { consultation: "c", outcome: plain },
        { consultation: "d", outcome: { _tag: "unparsed", reply: "?" } },
        { consultation: "e", outcome: { _tag: "failed", cause: "no connection" } },
        { consultation: "f", outcome: undefined }
      ],
      options
    )
    assert.deepStrictEqual(found, {
      tried: 4,
      refused: 2,
      share: 0.5,
      judgements: 4,
      consultations: 1,
      interval: null,
      intervalNote: "few-consultations"
    })
  })

  it("have an interval over consultations where there are enough", () => {
    const found = rescuesOf(
      Array.from({ length: 20 }, (_, at) => ({ consultation: `c${at}`, outcome: looked(at % 3, at % 2) })),
      options
    )
    const [low, high] = found!.interval!
    assert.isBelow(low, found!.share!)
    assert.isAbove(high, found!.share!)
  })

  it("are none where nobody looked twice, which is not the same as nothing tried", () => {
    assert.isNull(rescuesOf([{ consultation: "c", outcome: plain }], options))
    const nothing = rescuesOf([{ consultation: "c", outcome: looked(0, 0) }], options)
    assert.deepStrictEqual([nothing?.tried, nothing?.share, nothing?.intervalNote], [0, null, "no-data"])
    assert.deepStrictEqual([rescuesText(null), rescuesText(nothing)], ["-", "none tried"])
  })

  it("are said with every n", () => {
    const found = rescuesOf([{ consultation: "a", outcome: looked(2, 1) }], options)!
    assert.match(
      rescuesSentence(found),
      /^rescues refused: 1 of 3 that the second look tried, 0\.333.*, over 1 judgement; tried in 1 consultation$/
    )
    const [section] = rescuesSections([
      { judge: "new", rescues: found },
      { judge: "old", rescues: null }
    ])
    assert.deepStrictEqual(
      section?.rows.slice(1).map((row) => [row[0], row[1], row[2], row[4], row[5]]),
      [
        ["new", "1", "3", 1, 1],
        ["old", "-", "-", "-", "-"]
      ]
    )
    assert.deepStrictEqual(rescuesSections([{ judge: "old", rescues: null }]), [])
  })
})
