import { assert, describe, it } from "vitest"
import { answer } from "../../../../src/model/embedded/answer.ts"
import { readInstruction } from "../../../../src/model/embedded/instruction.ts"
import { readMergePrompt } from "../../../../src/model/embedded/reflect/readMergePrompt.ts"
import { mergeMessages } from "../../../../src/optimise/mergePrompt.ts"
import { readReflection } from "../../../../src/optimise/readReflection.ts"

const first =
  "Go through the transcript turn by turn and list every fact. Then check each against the note.\n\nInclude numbers with their units and doses."
const second =
  "Judge the note.\n\nInclude allergies and reactions to medicines.\n\nInclude what the patient denied or answered no to."

const asked = (text: string, limit = 4000) => [
  ...mergeMessages({
    first: text,
    second,
    contract: "Give a score.",
    differences: [],
    counts: { both: 1, onlyFirst: 1, onlySecond: 1, neither: 1 },
    lengthLimit: limit
  })
]

const merged = (seed: number, limit = 4000) =>
  readReflection(
    { kind: "answered", text: answer({ messages: asked(first, limit), seed }).text, finish: "stop" },
    { lengthLimit: limit, pool: new Set(), trainGrams: new Set(), seedGrams: new Set() }
  )

const seeds = Array.from({ length: 60 }, (_, index) => index * 101)

describe("the embedded model merges two instructions", () => {
  it("reads both, and the limit, from the prompt", () => {
    assert.deepStrictEqual(readMergePrompt(asked(first, 1234)[0]!.content), {
      first,
      second,
      firstRight: 0,
      secondRight: 0,
      lengthLimit: 1234
    })
    assert.isUndefined(readMergePrompt("Merge these two."))
  })

  it("into one that asks for what either asked for, nearly always", () => {
    const whole = seeds.filter((seed) => {
      const { instruction } = merged(seed)
      if (instruction === null) return false
      const { asked: skill } = readInstruction(instruction)
      return (["enumerate", "numbers", "allergies", "negatives"] as const).every((name) => skill(name) >= 0.6)
    })
    assert.isAtLeast(whole.length / seeds.length, 0.7)
  })

  it("without saying a thing twice, and within the limit", () => {
    // A slip may still be too long, and is refused for it.
    const within = seeds.filter((seed) => {
      const { instruction, rejected } = merged(seed, 300)
      if (instruction !== null) assert.isTrue(instruction.length <= 300 || rejected?.reason === "too-long")
      return instruction !== null && rejected === null
    })
    assert.isAtLeast(within.length / seeds.length, 0.7)
    const same = answer({ messages: asked(second), seed: 101 }).text
    assert.isAtMost(same.split("Include allergies").length, 2)
  })

  it("the same for the same request", () => {
    for (const seed of seeds.slice(0, 10))
      assert.strictEqual(answer({ messages: asked(first), seed }).text, answer({ messages: asked(first), seed }).text)
  })
})
