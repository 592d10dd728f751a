import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { AuditCandidate } from "../../src/audit/AuditInput.ts"
import { addedParagraphs } from "../../src/audit/ablation.ts"
import { auditOf } from "../../src/audit/auditOf.ts"
import { instructionDifference } from "../../src/audit/instructionDifference.ts"
import { pathsOf } from "../../src/audit/lineage.ts"
import { auditHead, auditSections } from "../../src/report/auditSections.ts"
import { candidateOf, inputOf, noisyScores, outcomesOf, tableOf } from "./support.ts"

const table = tableOf(12, 3)
const base = noisyScores(table, 3)
const outcomes = (gap: number) => outcomesOf(table, (id) => base.get(id)! - (id.endsWith("/clean") ? 0 : gap))
const seed = candidateOf("seed", outcomes(0), { instructions: { judge: "Judge the note as a whole." } })
const middle = candidateOf("middle", outcomes(0.5), {
  origin: "reflection",
  parents: ["seed"],
  iteration: 1,
  instructions: { judge: "Judge the note as a whole.\n\nLook for doses." }
})
const last = candidateOf("last", outcomes(1.5), {
  origin: "merge",
  parents: ["middle", "seed"],
  iteration: 2,
  instructions: { judge: "Judge the entire note.\n\nLook for doses." }
})

describe("the lineage", () => {
  const audit = auditOf(inputOf(table, [seed, middle, last]))

  it("goes from the seed to the candidate, with the words that each step changed", () => {
    const { lineage } = audit
    assert.deepStrictEqual(lineage.path, ["seed", "middle", "last"])
    assert.deepStrictEqual(
      lineage.steps.map(({ child, parent }) => `${parent} ${child}`),
      ["seed middle", "middle last", "seed last"]
    )
    for (const { child, diff, parent } of lineage.steps) {
      const text = (kinds: ReadonlyArray<string>) =>
        diff
          .filter(({ kind }) => kinds.includes(kind))
          .map((part) => part.text)
          .join("")
      assert.strictEqual(
        text(["same", "removed"]),
        lineage.nodes.find(({ id }) => id === parent)!.instructions["judge"]
      )
      assert.strictEqual(text(["same", "added"]), lineage.nodes.find(({ id }) => id === child)!.instructions["judge"])
    }
    assert.deepStrictEqual(lineage.steps[0]!.growth, { characters: 17, tokens: 3 })
  })

  it("says what each step gained, in all and by class and trace, and marks few pairs as thin", () => {
    const [first] = audit.lineage.steps
    assert.deepStrictEqual(
      first!.gains.map(({ by, n, name, thin }) => [by, name, n, thin]),
      [
        ["all", "all", 36, false],
        ["class", "omission", 36, false],
        ["trace", "complete", 12, true],
        ["trace", "fragment", 12, true],
        ["trace", "restated", 12, true]
      ]
    )
    const parts = first!.gains.filter(({ by }) => by === "trace")
    const mean = parts.reduce((sum, { difference, n }) => sum + difference! * n, 0) / 36
    assert.closeTo(mean, first!.gains[0]!.difference!, 1e-12)
  })

  it("agrees with the flips: the gain is what was won less what was lost", () => {
    const { flips, separation, wall } = audit
    assert.strictEqual(flips!.gained.length + flips!.lost.length + flips!.bothRight + flips!.neitherRight, flips!.pairs)
    const own = separation!.find(({ candidate }) => candidate === "last")!
    assert.strictEqual(own.verdict, "separation")
    assert.closeTo(own.paired.difference!, (flips!.gained.length - flips!.lost.length) / flips!.pairs, 1e-12)
    assert.deepStrictEqual([wall!.of, wall!.points.length], [3, 3])
    assert.isTrue(wall!.points.every(({ own: point }) => point!.falseAlarms.rate! <= 0.1))
  })

  it("ends at a parent that is not known, and does not go round in circles", () => {
    const odd: ReadonlyArray<AuditCandidate> = [
      candidateOf("a", null, { parents: ["b"] }),
      candidateOf("b", null, { parents: ["a"] }),
      candidateOf("c", null, { parents: ["gone"] }),
      candidateOf("d", null, { parents: ["d"] })
    ]
    assert.deepStrictEqual([...pathsOf(odd).values()], [["a", "b"], ["b", "a"], ["c"], ["d"]])
    assert.doesNotThrow(() => auditOf(inputOf(null, odd)))
  })

  it("shows hostile names and texts without an escape sequence of theirs", () => {
    const hostile = candidateOf("x\u001b[2J", outcomes(0.5), {
      name: "\u001b]0;owned\u0007x",
      parents: ["seed"],
      instructions: { judge: "Look\u001b[31m for\u202e 5 mg\r\ngone" }
    })
    const shown = auditOf(inputOf(table, [seed, hostile]))
    const lines = [
      ...auditHead(shown),
      ...auditSections(shown).flatMap(({ remarks, rows }) => [...remarks, ...rows.flat().map(String)])
    ]
    // Sections hold texts as they are; `sectionsText` makes them plain, in one line each.
    assert.isTrue(lines.every((line) => !line.includes("\n")))
  })
})

describe("paragraphs that a candidate adds", () => {
  const text = fc.array(fc.stringMatching(/^[a-z]{2,8}( [a-z]{2,8}){0,4}$/), { minLength: 2, maxLength: 6 })

  it("are those that the seed has not; without each, the others are left", () => {
    fc.assert(
      fc.property(text, fc.nat(), (paragraphs, kept) => {
        const whole = paragraphs.join("\n\n")
        const seedText = paragraphs[kept % paragraphs.length]!
        const found = addedParagraphs({ judge: whole }, [seedText])
        for (const { end, start, text: own, without } of found) {
          assert.strictEqual(whole.slice(start, end), own)
          assert.isFalse(seedText.includes(own))
          assert.deepStrictEqual(`${without["judge"]}\n\n${own}`.split("\n\n").sort(), [...paragraphs].sort())
        }
        assert.strictEqual(found.length, paragraphs.filter((own) => !seedText.includes(own)).length)
      })
    )
  })

  it("are lines or sentences where there are no paragraphs, and never all that there is", () => {
    const texts = (instruction: string) => addedParagraphs({ judge: instruction }, ["Be fair."]).map((one) => one.text)
    assert.deepStrictEqual(texts("Be fair.\nLook at doses.\nBe kind."), ["Look at doses.", "Be kind."])
    assert.deepStrictEqual(texts("Be fair. Look at doses."), ["Look at doses."])
    assert.deepStrictEqual(texts("Look at doses."), [])
  })
})

describe("the difference of two instructions", () => {
  const text = fc
    .array(fc.constantFrom("dose", "note", "check ", "\n", "\n\n", " a", ". "), { maxLength: 60 })
    .map((parts) => parts.join(""))
  const joined = (parts: ReturnType<typeof instructionDifference>, kind: "added" | "removed") =>
    parts
      .filter((part) => part.kind === "same" || part.kind === kind)
      .map((part) => part.text)
      .join("")

  it("joins to both texts again", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const parts = instructionDifference(before, after)
        assert.strictEqual(joined(parts, "removed"), before)
        assert.strictEqual(joined(parts, "added"), after)
      })
    )
  })

  it("is bounded for a text that was written anew, and keeps the lines that stayed", () => {
    const long = (word: string) => Array.from({ length: 2000 }, (_, at) => `${word}${at}`).join(" ")
    const [before, after] = [`Keep this.\n${long("a")}\nAnd this.`, `Keep this.\n${long("b")}\nAnd this.`]
    assert.deepStrictEqual(
      instructionDifference(before, after).map(({ kind, text: own }) => [kind, own.slice(0, 4)]),
      [
        ["same", "Keep"],
        ["removed", "a0 a"],
        ["added", "b0 b"],
        ["same", "And "]
      ]
    )
  })

  it("takes what was gone on with for added, however much it is, and nothing for removed", () => {
    const more = Array.from({ length: 400 }, (_, at) => `word${at}`).join(" ")
    for (const before of ["Judge the note. Say why", "Judge the note."])
      assert.deepStrictEqual(
        instructionDifference(before, `${before}\n\n${more}`).map(({ kind, text: own }) => [kind, own.length]),
        [
          ["same", before.length],
          ["added", more.length + 2]
        ]
      )
  })
})
