import { describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { assert } from "vitest"
import { escapeHtml, jsonForScript, visible } from "../../../src/report/html/escape.ts"
import { html } from "../../../src/report/html/markup.ts"

describe("escaping for a page", () => {
  it("leaves no character that begins an element, an entity or the end of an attribute", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const escaped = escapeHtml(text)
        assert.notMatch(escaped.replace(/&(?:amp|lt|gt|quot|#39);/g, ""), /[<>"'&]/)
      })
    )
  })

  it("shows what reorders text, and controls, by their names, and keeps right-to-left letters", () => {
    assert.strictEqual(visible("a\u202eb\u0000c\u2066"), "a⟦U+202E⟧b⟦U+0000⟧c⟦U+2066⟧")
    assert.strictEqual(visible("שלום\tمرحبا\n"), "שלום\tمرحبا\n")
    assert.strictEqual(visible("one\r\ntwo\rthree"), "one\ntwo\nthree")
  })

  it("makes JSON that no script element ends at, and that is the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: "binary" }), (value, text) => {
        const json = jsonForScript({ value, text, trap: "</script><!--\u2028\u2029" })
        assert.notMatch(json, /[<>\u2028\u2029]/)
        assert.deepStrictEqual(
          JSON.parse(json),
          JSON.parse(JSON.stringify({ value, text, trap: "</script><!--\u2028\u2029" }))
        )
      })
    )
  })

  it("of a template escapes every value but markup", () => {
    assert.strictEqual(
      html`<p title="${'"><b>'}">${"<i>"}${html`<br>`}</p>`.text,
      '<p title="&quot;&gt;&lt;b&gt;">&lt;i&gt;<br></p>'
    )
  })
})
