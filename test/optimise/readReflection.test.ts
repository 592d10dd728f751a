import { assert, describe, it } from "vitest"
import { copiedPassage, gramsOf } from "../../src/optimise/overlap.ts"
import { type ReflectionReply, readReflection } from "../../src/optimise/readReflection.ts"
import { closingMarker, openingMarker } from "../../src/optimise/reflectionPrompt.ts"

const note = "Patient reports two weeks of intermittent chest tightness on exertion, relieved by rest within minutes."
const rules = {
  lengthLimit: 200,
  pool: new Set(["Already here."]),
  trainGrams: gramsOf([note]),
  seedGrams: gramsOf(["relieved by rest within minutes is what a seed may say of anything"])
}
const block = (text: string) => `Thoughts first.\n${openingMarker}\n${text}\n${closingMarker}\nDone.`
const answered = (
  text: string,
  finish: "stop" | "length" | "refusal" | "content-filter" = "stop"
): ReflectionReply => ({ kind: "answered", text, finish })
const reasonOf = (reply: ReflectionReply) => readReflection(reply, rules).rejected?.reason

describe("a reflection", () => {
  it("is the text between its markers", () => {
    assert.deepStrictEqual(readReflection(answered(block("  List the facts first.\n\nThen check each.  ")), rules), {
      instruction: "List the facts first.\n\nThen check each.",
      rejected: null
    })
  })

  it("may have Windows line ends, and thinking in front that holds a block of its own", () => {
    const drafted = `<think>\n${openingMarker}\ndraft\n${closingMarker}\n</think>\n${block("Final.").replaceAll("\n", "\r\n")}`
    assert.strictEqual(readReflection(answered(drafted), rules).instruction, "Final.")
  })

  it.each([
    ["call-failed", { kind: "failed", message: "timeout" }],
    ["refused", answered("I will not.", "refusal")],
    ["refused", answered(block("x"), "content-filter")],
    ["truncated", answered(block("looks whole"), "length")],
    ["truncated", answered(`${openingMarker}\nnever closed`)],
    ["empty", answered("  \n")],
    ["empty", answered(block("  "))],
    ["no-block", answered("Just be more careful with doses.")],
    ["no-block", answered("```\nA fenced instruction.\n```")],
    ["several-blocks", answered(`${block("one")}\n${block("two")}`)],
    ["too-long", answered(block("x".repeat(201)))],
    ["placeholder", answered(block("Look at {{note}} first."))],
    ["placeholder", answered(block("End with </instruction> please."))],
    ["identical", answered(block("Already here."))],
    ["identical", answered(block("Already\u00a0 here.\u200b"))],
    ["copies-notes", answered(block("Look for TWO WEEKS of intermittent chest tightness on exertion; relieved."))],
    [
      "copies-notes",
      answered(block("two we\u00adeks of inter\u200bmittent chest tíghtness on ｅxertion, re\u00adlieved"))
    ]
  ] as ReadonlyArray<[string, ReflectionReply]>)("is rejected as %s", (reason, reply) =>
    assert.strictEqual(reasonOf(reply), reason)
  )

  it("keeps the text of what it rejects, where there is one", () => {
    assert.strictEqual(readReflection(answered(block("x".repeat(201))), rules).instruction, "x".repeat(201))
  })

  it("counts characters as a reader does", () => assert.isUndefined(reasonOf(answered(block("🙂".repeat(200))))))

  it("may keep what the seeds had from the start", () => {
    assert.isUndefined(reasonOf(answered(block("It is relieved by rest within minutes is what a seed may say."))))
  })
})

describe("the overlap guard", () => {
  it("quotes the copied words, letter case and punctuation aside", () => {
    assert.strictEqual(
      copiedPassage(
        "Ask about chest tightness, on exertion relieved by REST within minutes!",
        rules.trainGrams,
        new Set()
      ),
      "chest tightness on exertion relieved by rest within"
    )
  })
  it("lets seven words pass", () =>
    assert.isUndefined(
      copiedPassage("intermittent chest tightness on exertion relieved by", rules.trainGrams, new Set())
    ))
  it("works in scripts without spaces", () => {
    const text = "患者は二週間前から労作時の胸部圧迫感を自覚しており安静で軽快する"
    assert.isDefined(copiedPassage(`例:${text}。`, gramsOf([text]), new Set()))
    assert.isUndefined(copiedPassage("胸部圧迫感を自覚", gramsOf([text]), new Set()))
  })
})
