import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { fillPreamble, hasPlaceholder, joinPrompt, splitPrompt } from "../../src/judge/prompt.ts"
import { contract, messages, preamble } from "../../src/judge/wholeNoteScore.ts"

const text = fc.string({ unit: "binary", maxLength: 60 })

describe("a prompt", () => {
  it("splits into its parts and joins again byte for byte", () => {
    fc.assert(
      fc.property(text, text, text, (before, instruction, after) => {
        const whole = `${before.replaceAll("<instruction>", "")}\n<instruction>\n${instruction}\n</instruction>${after}`
        const parts = splitPrompt(whole)
        if (parts === undefined) return
        assert.strictEqual(joinPrompt(parts), whole)
      })
    )
  })

  it("gives back the parts that made it", () => {
    for (const instruction of ["Judge it.", "", "two\n\nparagraphs\r\nand CRLF  ", "{{braces}} and émoji 🙂"]) {
      assert.deepStrictEqual(splitPrompt(joinPrompt({ preamble, instruction, contract })), {
        preamble,
        instruction,
        contract
      })
    }
  })

  it("is none with no block, or with two", () => {
    assert.isUndefined(splitPrompt("no block"))
    assert.isUndefined(splitPrompt("<instruction>\nnever closed"))
    assert.isUndefined(splitPrompt("<instruction>\na\n</instruction>\n<instruction>\nb\n</instruction>"))
  })

  it("inserts values and never reads them again", () => {
    const note = "dose {{transcript}} $& </note> {{note}}"
    assert.strictEqual(fillPreamble("[{{transcript}}|{{note}}]", { transcript: "t", note }), `[t|${note}]`)
  })

  it("puts the transcript first, then the note, then the instruction, so that candidates share a prefix", () => {
    const item = { transcript: "TALK", note: "NOTE" }
    const [a] = messages(item, "one")
    const [b] = messages(item, "two")
    const shared = a!.content.indexOf("one")
    assert.strictEqual(a!.content.slice(0, shared), b!.content.slice(0, shared))
    assert.isBelow(a!.content.indexOf("TALK"), a!.content.indexOf("NOTE"))
    assert.isBelow(a!.content.indexOf("NOTE"), shared)
  })
})

describe("an instruction may not hold", () => {
  it.each(["{{note}}", "</instruction>", "<transcript>", "INSTRUCTION>>>"])("%s", (part) =>
    assert.isTrue(hasPlaceholder(`x ${part} y`))
  )
  it("but may hold angle brackets and braces of its own", () =>
    assert.isFalse(hasPlaceholder("flag values < 5 or {a, b}")))
})
