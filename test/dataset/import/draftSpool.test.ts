import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { DraftSpool } from "../../../src/dataset/import/draftSpool.ts"
import { assemble, type Draft } from "../../../src/dataset/import/drafts.ts"
import { isFormula } from "../../../src/dataset/import/formulas.ts"
import { repeatedRowsWarning, repeatWarning } from "../../../src/dataset/import/repeats.ts"
import { RowSpool } from "../../../src/dataset/rowSpool.ts"

const draft = fc.record({
  file: fc.constantFrom("a.csv", "b.csv"),
  consultation: fc.constantFrom("one", "two", "three"),
  transcript: fc.constantFrom("talk", "talk", "talk", "other", null),
  flawed: fc.constantFrom("", "x", "y", "z"),
  clean: fc.constantFrom("", "x", "c", "c"),
  id: fc.nat(30)
})
const drafts = fc
  .array(draft, { maxLength: 30 })
  .map((all) =>
    all
      .toSorted((one, other) => (one.file < other.file ? -1 : one.file > other.file ? 1 : 0))
      .map(({ id, ...rest }, at): Draft => ({ ...rest, row: at + 1, pair: { id: `p${id}`, class: "omission" } }))
  )

describe("drafts laid down", () => {
  it("make the consultations and the report that all of them together make", () => {
    fc.assert(
      fc.property(drafts, (all) => {
        const files = ["a.csv", "b.csv"].map((name) => ({ name, rows: all.filter(({ file }) => file === name).length }))
        const spool = new DraftSpool()
        for (const { name, rows } of files) spool.file(name, rows)
        for (const one of all) spool.add(one)
        const { consultations, counts } = spool.assembled()
        const whole = assemble(all)
        const of = (name: string) => whole.kept.filter(({ file }) => file === name)
        const report = {
          read: files.map(({ name, rows }) => ({ file: name, rows, paired: of(name).length })),
          consultations: whole.consultations.length,
          notes: whole.consultations.reduce((sum, { notes }) => sum + notes.length, 0),
          pairs: whole.kept.length,
          leftOut: whole.leftOut.toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.row! - b.row!))
        }
        assert.deepStrictEqual([...consultations], whole.consultations)
        assert.deepStrictEqual([...consultations], whole.consultations)
        assert.deepStrictEqual(counts, report)
      })
    )
  })

  it("warn of pairs that have the texts of an earlier one, and name both rows", () => {
    const spool = new DraftSpool()
    const add = (row: number, flawed: string) =>
      spool.add({
        file: "t.csv",
        row,
        consultation: "one",
        transcript: null,
        flawed,
        clean: "c",
        pair: { id: `p${row}`, class: "omission" }
      })
    spool.file("t.csv", 3)
    add(1, "x")
    const warnings = () => {
      const { counts, repeats } = spool.assembled()
      return [...repeatedRowsWarning(repeats, counts.pairs, 1), ...repeatWarning(repeats, counts.pairs)]
    }
    assert.deepStrictEqual(warnings(), [])
    add(2, "y")
    add(5, "x")
    const [byRow, byId] = warnings()
    assert.match(byId!, /^1 of 3 pairs have the two texts of an earlier pair \(p5\): kept/)
    assert.match(byRow!, /^1 of 3 pairs have the two texts of an earlier pair of their consultation \(row 5 as row 1\)/)
  })
})

describe("a spool of rows", () => {
  it("gives back each value, few or more than memory is to hold, in any order", () => {
    const spool = new RowSpool<{ readonly at: number; readonly text: string }>()
    const text = (at: number) => `é日𝄞\n${"x".repeat((at * 7919) % 3000)}`
    const count = 9000
    for (let at = 0; at < count; at++) {
      assert.strictEqual(spool.add({ at, text: text(at) }), at)
      if (at === 5) assert.deepStrictEqual(spool.at(3), { at: 3, text: text(3) })
    }
    assert.strictEqual(spool.size, count)
    for (let turn = 0; turn < count; turn++) {
      const at = (turn * 4001) % count
      assert.deepStrictEqual(spool.at(at), { at, text: text(at) })
    }
  })
})

describe("a cell that begins like a formula", () => {
  it("is told from a note that begins with a dash or a sign", () => {
    assert.deepStrictEqual(
      ['=HYPERLINK("x")', "=1+2", "@SUM(A1)", "-A1+3", "- aspirin", "-5 kg", "+ve for blood", "= 5"].map(isFormula),
      [true, true, true, true, false, false, false, true]
    )
  })
})
