import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import stringWidth from "string-width"
import { chopped, columns, fit } from "../../src/terminal/columns.ts"
import { wrapLine, wrapProse, wrapText } from "../../src/terminal/wrap.ts"

describe("columns", () => {
  it("counts what terminals draw: two for wide letters, emoji and flags, none for marks and colours", () => {
    for (const text of [
      "plain",
      "漢字",
      "한글",
      "é",
      "e\u0301",
      "🙂",
      "👨‍👩‍👧",
      "👍🏽",
      "🇫🇷🇩🇪",
      "❤️",
      "→ −1 × ≥",
      "ｆｕｌｌ"
    ])
      assert.strictEqual(columns(text), stringWidth(text), text)
    assert.strictEqual(columns("\u001b[1;31mred\u001b[39m"), 3)
  })
  it("are never cut within a letter, its marks or an emoji", () => {
    assert.strictEqual(fit("漢字かな", 5), "漢字…")
    assert.strictEqual(fit("漢字かな", 4), "漢…")
    assert.strictEqual(fit("e\u0301e\u0301e\u0301", 2), "e\u0301…")
    assert.deepStrictEqual(chopped("👨‍👩‍👧👨‍👩‍👧", 3), ["👨‍👩‍👧", "👨‍👩‍👧"])
    assert.strictEqual(fit("漢", 1), "…")
  })
})

describe("a line for a terminal", () => {
  it("is broken between words; what follows is indented by two, or stands under the second column", () => {
    assert.deepStrictEqual(wrapLine("the quick brown fox jumps", 12), ["the quick", "  brown fox", "  jumps"])
    assert.deepStrictEqual(wrapLine("- a point of several words", 12), ["- a point of", "  several", "  words"])
    assert.deepStrictEqual(wrapLine("tokens    input 3198645 (0 cached)", 24), [
      "tokens    input 3198645",
      "          (0 cached)"
    ])
  })
  it("keeps a number and its % together", () =>
    assert.deepStrictEqual(wrapLine("faithful in 55.2 % of", 17), ["faithful in", "  55.2 % of"]))
  it("keeps a word whole that is wider than the terminal, so that it can be copied", () => {
    const hash = "5e0714c9ef0283668a7edc0e2f911090eed77ab1083e44f0"
    assert.deepStrictEqual(wrapLine(`hash ${hash}, as sealed`, 20), ["hash", `  ${hash},`, "  as sealed"])
  })
  it("is broken between letters of a script without spaces", () => {
    const lines = wrapLine("note: 患者さんは昨日から発熱があり", 16)
    for (const line of lines) assert.isAtMost(columns(line), 16)
    assert.strictEqual(lines.map((line) => line.trim()).join(""), "note: 患者さんは昨日から発熱があり")
  })
  it("is left as it is for a pipe", () => assert.strictEqual(wrapText("a\tb c d", undefined), "a\tb c d"))
  it("of running text goes on without an indent, of a list's point under its words", () =>
    assert.strictEqual(wrapProse("one two three\n\n1. four five", 9), "one two\nthree\n\n1. four\n   five"))
  it("never gains a line that is too wide, and loses no word", () =>
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-zé漢字🙂]{1,8}$/u), { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 24, max: 90 }),
        (words, width) => {
          const lines = wrapLine(words.join(" "), width)
          for (const line of lines) assert.isAtMost(columns(line), width)
          assert.strictEqual(lines.join(" ").replace(/\s+/g, ""), words.join(""))
        }
      )
    ))
})
