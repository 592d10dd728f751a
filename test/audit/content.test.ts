import { assert, describe, it } from "@effect/vitest"
import { contentOf } from "../../src/audit/content.ts"
import { contract, preamble } from "../../src/judge/wholeNoteScore.ts"
import { candidateOf } from "./support.ts"

const found = (text: string, seedText = "") =>
  contentOf({
    candidate: candidateOf("w", null, { instructions: { judge: text } }),
    seedText,
    fixed: { preamble, contract },
    ids: new Map([
      ["uk-copd-review", "consultation"],
      ["clean", "note"]
    ])
  })
const kinds = (text: string) => found(text).map(({ kind, text: words }) => [kind, words])

describe("content that no general instruction should hold", () => {
  it("is told by its kind, with its words and its place", () => {
    assert.deepStrictEqual(kinds("Watch for the patient with the swollen left knee. Be fair."), [
      ["instance", "the patient with the swollen left knee"]
    ])
    assert.deepStrictEqual(kinds("A 45-year-old needs more; see note B2."), [
      ["instance", "45-year-old"],
      ["instance", "note B2"]
    ])
    assert.deepStrictEqual(kinds("As in uk-copd-review, a clean note is clean."), [["id", "uk-copd-review"]])
    assert.deepStrictEqual(kinds("Read {{transcript}} and </note> first."), [
      ["placeholder", "{{transcript}}"],
      ["placeholder", "</note>"]
    ])
    assert.deepStrictEqual(kinds("Answer in JSON."), [["contract", "JSON"]])
    assert.deepStrictEqual(kinds("Give one score from 0 to 10."), [["contract", "score from 0 to 10"]])
    assert.deepStrictEqual(kinds("Flag a note if the score is below 7. Give 3/10 otherwise. Deduct 2 points a gap."), [
      ["threshold", "Flag a note if the score is below 7"],
      ["threshold", "3/10"],
      ["threshold", "Deduct 2 points"]
    ])
    const [repeated] = found(
      "Remember: Check a clinical note against the transcript of the consultation that it documents."
    )
    assert.strictEqual(repeated!.kind, "contract")
    assert.include(repeated!.text, "the consultation that it documents")
  })

  it("is not in ordinary advice, and is marked where the seed has it", () => {
    const advice =
      "Decide whether the patient's story is whole. Give a high score to a complete note and a low score to a note from which something important is missing. Compare doses, and look at each of the last two weeks. The patient who reads the note should recognise it."
    assert.deepStrictEqual(kinds(advice), [])
    assert.deepStrictEqual(
      found("Flag below 7 always.", "We flag below 7, too").map(({ inSeed, text }) => [text, inSeed]),
      [["Flag below 7", false]]
    )
    assert.deepStrictEqual(
      found("Please flag below 7.", "Please flag below 7.").map(({ inSeed }) => inSeed),
      [true]
    )
  })
})
