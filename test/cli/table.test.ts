import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { table } from "../../src/cli/table.ts"
import { columns } from "../../src/terminal/columns.ts"

const rows = [
  ["part", "measure", "cases", "clean notes", "detectable, points"],
  ["acceptance", "paired discrimination of omissions", 33, 10, "20.5 [−3.0, 4.1]"],
  ["holdout", "detection", 32, 10, "none"]
]

describe("a table", () => {
  it("has one line a row for a pipe, whatever its width", () =>
    assert.strictEqual(
      table(rows, { width: undefined }),
      [
        "part        measure                             cases  clean notes  detectable, points",
        "acceptance  paired discrimination of omissions     33           10  20.5 [−3.0, 4.1]",
        "holdout     detection                              32           10  none"
      ].join("\n")
    ))
  it("breaks its widest texts between words where the terminal is narrower", () =>
    assert.strictEqual(
      table(rows, { width: 66 }),
      [
        "part        measure           cases  clean notes  detectable,",
        "                                                  points",
        "acceptance  paired               33           10  20.5 [−3.0, 4.1]",
        "            discrimination",
        "            of omissions",
        "holdout     detection            32           10  none"
      ].join("\n")
    ))
  it("goes on in another below where that is not enough, with what its rows are of", () => {
    const narrow = table(rows, { keys: 2, width: 44 })
    assert.strictEqual(narrow.split("\n\n").length, 2)
    for (const part of narrow.split("\n\n")) assert.match(part, /^part +measure/)
    for (const line of narrow.split("\n")) assert.isAtMost(columns(line), 44)
  })
  it("counts wide letters twice, and lets no control character through", () => {
    const shown = table(
      [
        ["judge", "says"],
        ["漢字の判定\u001b[31m", "発熱がありました 昨日から 続いています\u0007"],
        ["b", "c"]
      ],
      { width: 30 }
    )
    for (const line of shown.split("\n")) assert.isAtMost(columns(line), 30)
    assert.notMatch(shown, /[\u0000-\u0009\u000b-\u001f]/)
    assert.include(shown.replace(/\s/g, ""), "発熱がありました昨日から")
  })
  it("breaks a long name after its hyphens, and only then within words", () => {
    const shown = table(
      [
        ["of", ...Array.from({ length: 12 }, (_, at) => `heading${at}`)],
        ["stratum us-ambulatory-of-the-north", ...Array.from({ length: 12 }, (_, at) => 1000000 + at)]
      ],
      { width: 40 }
    )
    for (const line of ["stratum", "us-ambulatory-", "of-the-north"])
      assert.match(shown, new RegExp(`^${line}( {2}|$)`, "m"))
  })
  it("fits every terminal of 40 columns and more, and loses no figure", () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 40, max: 200 }),
        fc.integer({ min: 1, max: 2 }),
        fc.integer({ min: 3, max: 9 }).chain((wide) =>
          fc.array(
            fc.array(fc.oneof(fc.integer(), fc.stringMatching(/^[a-z漢🙂]{0,12}( [a-z0-9-]{1,30}){0,6}$/u)), {
              minLength: wide,
              maxLength: wide
            }),
            { minLength: 2, maxLength: 6 }
          )
        ),
        (width, keys, body) => {
          const named = body.map((row, at) => [`row ${at}`, ...row])
          const shown = table(named, { keys, width })
          for (const line of shown.split("\n")) assert.isAtMost(columns(line), width, shown)
          for (const figure of named.flat().filter((cell) => typeof cell === "number"))
            assert.include(shown, String(figure))
        }
      ),
      { numRuns: 60 }
    ))
})
