import { contract, messages } from "../../../../src/judge/wholeNoteScore.ts"
import { coated, empty, type Shape } from "./common.ts"

const example = /\{.*\}/.exec(contract)![0]
const none = "unreadable"

export const shapes: ReadonlyArray<Shape<number | "unreadable">> = [
  ...coated<number | "unreadable">({ reason: "the allergy isn't there", score: 6.5 }, 6.5),
  ...empty<number | "unreadable">(
    none,
    messages({ transcript: "Doctor: Hello.", note: "Seen." }, "Judge the note.")[0]!.content,
    example
  ),
  ["a number as a string", '{"score": "7.5"}', 7.5],
  ["a fraction of ten", '{"score": 8/10}', 8],
  ["a fraction of ten as a string", '{"score": "8/10"}', 8],
  ["words for the fraction", '{"score": "8 out of 10"}', 8],
  ["a decimal comma in a string", '{"score": "7,5"}', 7.5],
  ["a unit behind the number", '{"score": 7 points}', 7],
  ["a plus sign", '{"score": +7}', 7],
  ["the reason behind the score", '{"score": 7, "reason": "x"}', 7],
  ["final_score", '{"final_score": 7}', 7],
  ["braces in the reason", '{"reason": "a } and a { in it", "score": 7}', 7],
  ["quotes in the reason", '{"reason": "he said "no" to it", "score": 7}', 7],
  ["line breaks in the reason", '{"reason": "one\ntwo", "score": 7}', 7],
  ["a bare number", "7", 7],
  ["bold markdown", "**Score: 7/10**", 7],
  ["a sentence", "I would give this note a score of 7 out of 10.", 7],
  ["a YAML line", "reason: fine\nscore: 7", 7],
  ["two scores, the last one counts", '{"score": 2}\nOn reflection:\n{"score": 6}', 6],
  ["two scores in one record", '{"score": 2, "score": 6}', none],
  ["NaN", '{"score": NaN}', none],
  ["a word", '{"score": "high"}', none],
  ["null", '{"score": null}', none],
  ["a range", '{"score": "6-8"}', none],
  ["out of range", '{"score": 85}', none],
  ["out of another total", '{"score": "4/5"}', none],
  ["a list", '{"score": [6, 7]}', none],
  ["a cut reason", '{"reason": "the note leaves out the', none],
  ["a cut score", '{"reason": "fine", "score": 1', none],
  ["two scores in prose", "Score: 7 for faithfulness, score: 3 for completeness", none]
]
