import { assert, describe, it } from "vitest"
import { parseScore } from "../../src/judge/parseScore.ts"

const score = (reply: string) => {
  const parsed = parseScore(reply, 10)
  return parsed.kind === "score" ? parsed.score : `unreadable: ${parsed.why}`
}

describe("a score is read from", () => {
  it.each([
    ["plain JSON", '{"reason": "fine", "score": 7}', 7],
    ["JSON with a decimal", '{"score": 7.25, "reason": "fine"}', 7.25],
    ["zero", '{"score": 0}', 0],
    ["a code fence", '```json\n{"reason": "fine", "score": 6}\n```', 6],
    ["a fence without a language", '```\n{"score": 6}\n```', 6],
    ["prose around the JSON", 'Here is my judgement:\n{"reason": "ok", "score": 8}\nLet me know!', 8],
    ["prose with braces before it", 'The set {a, b} is odd. {"score": 5}', 5],
    ["a number as a string", '{"score": "7.5"}', 7.5],
    ["a fraction of ten as a string", '{"score": "8/10"}', 8],
    ["a fraction of ten outside a string", '{"reason": "ok", "score": 8/10}', 8],
    ["words for the fraction", '{"score": "8 out of 10"}', 8],
    ["a decimal comma in a string", '{"score": "7,5"}', 7.5],
    ["a trailing comma", '{"reason": "ok", "score": 4,}', 4],
    ["single quotes", "{'reason': 'it isn\\'t complete', 'score': 4}", 4],
    ["single quotes with an apostrophe", "{'reason': 'it isn't complete', 'score': 4}", 4],
    ["curly quotes", "{“reason”: “ok”, “score”: 4}", 4],
    ["bare keys", '{reason: "ok", score: 4}', 4],
    ["a Python literal", '{"reason": None, "score": 4}', 4],
    ["a plus sign", '{"score": +4}', 4],
    ["raw line breaks in the reason", '{"reason": "one\ntwo", "score": 4}', 4],
    ["another case of the key", '{"Score": 9}', 9],
    ["final_score", '{"final_score": 9}', 9],
    ["a wrapped object", '{"result": {"score": 3, "reason": "x"}}', 3],
    ["the last of two objects", '{"score": 2} … on reflection: {"score": 6}', 6],
    ["braces inside the reason", '{"reason": "a } and { inside", "score": 6}', 6],
    ["thinking before the answer", '<think>maybe {"score": 2}</think>{"score": 6}', 6],
    ["thinking whose opening tag is missing", 'maybe {"score": 2}</think>\n{"score": 6}', 6],
    ["a bare number", "7", 7],
    ["a bare fraction", " 7/10 ", 7],
    ["bold markdown", "**Score: 7**", 7],
    ["prose with one score", "I would give this a score of 7 out of 10 because the dose is right.", 7],
    ["the same score stated twice", "Score: 7. So my final score is 7/10.", 7],
    ["Windows line ends", '{"reason": "ok",\r\n "score": 4}\r\n', 4]
  ] as const)("%s", (_, reply, expected) => assert.strictEqual(score(reply), expected))
})

describe("no score is read from", () => {
  it.each([
    ["nothing", ""],
    ["white space", " \n"],
    ["a refusal in words", "I cannot help with that."],
    ["a score out of range", '{"score": 85}'],
    ["a negative score", '{"score": -1}'],
    ["a score out of another total", '{"score": "80/100"}'],
    ["prose out of another total", "Score: 4/5"],
    ["two different scores in prose", "Score: 7 for faithfulness, score: 3 for completeness"],
    ["null", '{"score": null}'],
    ["NaN", '{"score": NaN}'],
    ["a range", '{"score": "6-8"}'],
    ["words", '{"score": "high"}'],
    ["a list", '{"score": [7]}'],
    ["a truncated object", '{"reason": "the note leaves out the'],
    ["a number in prose that is no score", "The patient takes 5 mg daily for 10 days."],
    ["a truncated object after thinking", '<think>7</think>{"reason": "x']
  ])("%s", (_, reply) => assert.match(String(score(reply)), /^unreadable/))
})

it("keeps the judge's reason", () => {
  assert.deepStrictEqual(parseScore('{"reason": " the dose is wrong ", "score": 3}', 10), {
    kind: "score",
    score: 3,
    reason: "the dose is wrong"
  })
})

it("reads hostile replies in linear time", () => {
  const start = performance.now()
  for (const reply of [
    `7${" ".repeat(300_000)}x`,
    `{"score":"7${"\n".repeat(300_000)}x"}`,
    `The score${" ".repeat(300_000)}x`,
    "<think>".repeat(50_000),
    `score ${"*".repeat(300_000)}`,
    `{'a': '${"':'".repeat(50_000)}`
  ])
    assert.match(String(score(reply)), /^unreadable/)
  assert.isBelow(performance.now() - start, 3000)
})

it("takes no score from a reply that repeats the contract's example", () => {
  assert.match(
    String(score('{"reason": "the observation that decided the score, in one or two sentences", "score": 0}')),
    /^unreadable/
  )
})
