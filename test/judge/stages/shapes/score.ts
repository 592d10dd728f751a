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
  ["two scores in prose", "Score: 7 for faithfulness, score: 3 for completeness", none],
  ["a part's score, then the overall one", "Score: 7/10 for part one\nOverall: 4/10", 4],
  ["scores of two parts, then the note's", "Faithfulness score: 9/10\nCompleteness score: 6/10\nScore: 7.5/10", 7.5],
  ["a part's score alone", "Faithfulness score: 9/10", none],
  ["a part's score alone, named behind it", "Score: 7/10 for the history", none],
  ["a part's score in a list", '{"scores": [{"criterion": "faithfulness", "score": 9}]}', none],
  ["a score and an overall one that differ", '{"score": 7, "overall_score": 5}', none],
  ["a score that the note records", 'The note records "pain score 8/10", where the transcript has 6/10.', none],
  [
    "a score that the note records, then the note's own",
    'The note records "pain score 8/10", where the transcript has 6/10.\n\nScore: 4',
    4
  ],
  ["a score of something else", "Confidence score: 9/10", none],
  ["a score that is refused", "I would not give a score of 10.", none],
  ["somebody else's score", "The previous reviewer gave a score of 8. I disagree.", none],
  ["a range in prose", "Score: 6–7/10", none],
  ["a second thought about it", "Score: 6, maybe 7", none],
  ["a condition", "Score: 8/10 if the dose is right, otherwise 3/10.", none],
  ["a percentage", "Score: 7%", none],
  ["another total in brackets", "Score: 4 (out of 5)", none],
  ["another total in the record", '{"score": 7, "max_score": 100}', none],
  ["the total in the record", '{"score": {"value": 7, "out_of": 10}}', 7],
  ["a sum", "Score: 10 - 2 - 1 = 7", none],
  [
    "a score that is taken back",
    '{"reason": "all is there", "score": 8}\n\nActually the allergy is missing, so 5.',
    none
  ],
  ["another score behind the record", '{"reason": "fine", "score": 8}\nFinal score: 5', none],
  ["the same score behind the record", '{"reason": "fine", "score": 8}\nFinal score: 8/10', 8],
  ["the shape that the retry shows", 'The answer should look like {"reason": "…", "score": 0}.', none],
  ["a reason behind a dash", "Score: 7 - the dose is missing", 7],
  ["a reason in brackets", "Score: 7 (two omissions, 1 of them grave)", 7],
  ["a reason that denies something", "The note isn't complete, so I give it a score of 6.", 6],
  ["the scale beside the name", "Score (0-10): 7", 7],
  ["tags", "<score>7</score>", 7]
]
