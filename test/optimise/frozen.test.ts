import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { brokenPassage, inheritedFrozen, markFrozen, readFrozen, sectionNamed } from "../../src/optimise/frozen.ts"
import { seed } from "./support.ts"

describe("frozen passages", () => {
  it("are read from marks in lines of their own and within lines, and the judge sees no mark", () => {
    const text =
      "Intro.\n<!-- freeze -->\nRule one.\nRule two.\n<!-- /freeze -->\nThen <!--freeze-->this<!--/freeze--> too."
    assert.deepStrictEqual(readFrozen(text), {
      instruction: "Intro.\nRule one.\nRule two.\nThen this too.",
      passages: ["Rule one.\nRule two.", "this"],
      problems: []
    })
  })

  it("with marks that do not pair are problems of their line", () => {
    const what = (text: string) => readFrozen(text).problems.map(({ line, what }) => `${line}: ${what}`)
    assert.deepStrictEqual(what("a\n<!-- freeze -->b"), ["2: the frozen passage has no end"])
    assert.deepStrictEqual(what("a\n\nb<!-- /freeze -->"), ["3: the end of a frozen passage has no beginning"])
    assert.deepStrictEqual(what("<!-- freeze --><!-- freeze -->b<!-- /freeze -->"), [
      "1: a passage is frozen within another"
    ])
    assert.deepStrictEqual(what("x <!-- freeze --> <!-- /freeze -->"), ["1: the frozen passage is empty"])
  })

  it("come back from what is marked again", () => {
    const word = fc.constantFrom("look", "for", "doses", "and", "sides", ".", "\n", "é")
    const words = fc.array(word, { minLength: 1, maxLength: 12 }).map((all) => all.join(" "))
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), words), { minLength: 1, maxLength: 6 }), (parts) => {
        const text = parts
          .map(([frozen, part]) => (frozen && part.trim() !== "" ? `<!-- freeze -->${part}<!-- /freeze -->` : part))
          .join("|")
        const { instruction, passages, problems } = readFrozen(text)
        assert.deepStrictEqual(problems, [])
        assert.isUndefined(brokenPassage(instruction, passages))
        const again = readFrozen(markFrozen(instruction, passages))
        assert.strictEqual(again.instruction, instruction)
        for (const passage of again.passages) assert.isTrue(passages.some((one) => one.includes(passage)))
      })
    )
  })

  it("are broken by any change of a word, and not by blanks at line ends", () => {
    const passages = ["Rule one.\nRule two."]
    assert.isUndefined(brokenPassage("x\nRule one.  \r\nRule two.\ny", passages))
    assert.strictEqual(brokenPassage("Rule one. Rule two.", passages), passages[0])
    assert.strictEqual(brokenPassage("Rule one.\nRule 2.", passages), passages[0])
  })

  it("can be a section by its heading, with what is under it", () => {
    const text = "# All\nfirst\n## Severity ##\ngrade it\n### Detail\nmore\n## Output\nlast"
    assert.strictEqual(sectionNamed(text, "severity"), "## Severity ##\ngrade it\n### Detail\nmore")
    assert.strictEqual(sectionNamed(text, "Output"), "## Output\nlast")
    assert.isUndefined(sectionNamed(text, "Nothing"))
  })

  it("of two parents bind their child together", () => {
    const a = { ...seed("a"), frozen: { judge: ["one", "two"] } }
    const b = { ...seed("b"), frozen: { judge: ["two"], check: ["three"] } }
    assert.deepStrictEqual(inheritedFrozen([a, b]), { frozen: { judge: ["one", "two"], check: ["three"] } })
    assert.deepStrictEqual(inheritedFrozen([seed("c")]), {})
  })
})
