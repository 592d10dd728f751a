import { existsSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { genericJsonl } from "../../src/dataset/import/generic.ts"
import { medec } from "../../src/dataset/import/medec.ts"
import { type Shortcuts, shortcuts } from "../../src/dataset/shortcuts.ts"
import type { Consultation } from "../../src/domain/Dataset.ts"
import { signTest } from "../../src/statistics/signTest.ts"
import { wilson } from "../../src/statistics/wilson.ts"
import { inFolder } from "./support.ts"

const data = new URL("../../../shared/data", import.meta.url).pathname
const absent = !existsSync(data)

/** One consultation a pair. */
const pairs = (texts: ReadonlyArray<readonly [clean: string, flawed: string]>): ReadonlyArray<Consultation> =>
  texts.map(([clean, flawed], at) => ({
    id: `c${at}`,
    transcript: null,
    notes: [
      { id: "clean", text: clean },
      { id: "flawed", text: flawed }
    ],
    pairs: [{ id: "p", clean: "clean", flawed: "flawed", class: at % 2 === 0 ? "omission" : "alteration" }]
  }))

/** In how many pairs the side with more of the feature is the clean one, or the flawed one. */
const sides = (of: Shortcuts["cues"], name: string) => {
  const cue = of.find((one) => one.name === name)!
  return cue.turned ? [cue.wrong, cue.right, cue.tie] : [cue.right, cue.wrong, cue.tie]
}

describe("shortcuts", () => {
  it("counts the sides that each surface feature picks", () => {
    const { cues } = shortcuts(
      pairs([
        ["No fever. He has a cough.", "No fever. has a cough."],
        ["No fever.\nCough", "No fever.\nCough."],
        ["One.\n\nTwo.", "One. Two."],
        ["A  cough.", "A cough!!"],
        ["咳嗽。", "发烧。"]
      ])
    )
    assert.deepStrictEqual(
      cues.map((cue) => [cue.name, ...sides(cues, cue.name)]),
      [
        ["length", 2, 1, 2],
        ["lowerCase", 0, 1, 4],
        ["finalPunctuation", 1, 0, 4],
        ["lines", 1, 0, 4],
        ["doubledSpaces", 1, 0, 4],
        ["vocabulary", 0, 0, 5]
      ]
    )
    assert.deepStrictEqual(
      cues.map((cue) => cue.n),
      [5, 5, 5, 5, 5, 5]
    )
  })

  it("says the share that is solved, ties half, its interval, and the exact two-sided p over a family", () => {
    const longer = Array.from({ length: 8 }, () => ["No fever.", "Fever."] as const)
    const found = shortcuts(pairs([...longer, ["Fever.", "No fever."], ["ab.", "cd."]]))
    const p = signTest(8, 1)
    assert.strictEqual(p, 20 / 512)
    assert.deepStrictEqual(found.cues[0], {
      name: "length",
      picks: "the longer note",
      turned: false,
      n: 10,
      right: 8,
      wrong: 1,
      tie: 1,
      solved: 0.85,
      interval: wilson(8.5, 10),
      p,
      pByConsultation: p,
      holm: 6 * p
    })
    // The classes have five pairs each, too few for a test.
    assert.strictEqual(found.tested, 6)
    assert.deepStrictEqual(
      found.groups.flatMap(({ cues }) => cues.map((cue) => [cue.p, cue.holm])),
      Array.from({ length: 12 }, () => [null, null])
    )
  })

  it("gives every cue in the direction that is right more often, and says which", () => {
    const { cues } = shortcuts(pairs(Array.from({ length: 12 }, (_, at) => ["Fever.", `Fever, and more of it ${at}.`])))
    const length = cues.find((cue) => cue.name === "length")!
    assert.deepStrictEqual(
      [length.picks, length.turned, length.right, length.wrong, length.solved],
      ["the shorter note", true, 12, 0, 1]
    )
    for (const cue of cues) assert.isAtLeast(cue.right, cue.wrong, cue.name)
  })

  it("counts a consultation once where its pairs are not independent", () => {
    const [one] = pairs([["A long note.", "Short."]])
    const many = {
      ...one!,
      pairs: Array.from({ length: 20 }, (_, at) => ({ ...one!.pairs[0]!, id: `p${at}` }))
    }
    const found = shortcuts([many])
    assert.deepStrictEqual([found.pairs, found.consultations], [20, 1])
    assert.strictEqual(found.cues[0]!.p, signTest(20, 0))
    assert.strictEqual(found.cues[0]!.pByConsultation, 1)
    assert.strictEqual(found.cues[0]!.holm, 1)
  })

  it("shows opposite cues of the classes apart", () => {
    const { cues, groups } = shortcuts(
      pairs([
        ["a b.", "a."],
        ["a.", "a b."],
        ["a b.", "a."],
        ["a.", "a b."]
      ])
    )
    assert.deepStrictEqual(sides(cues, "length"), [2, 2, 0])
    assert.deepStrictEqual(
      groups.map(({ by, cues, value }) => [by, value, sides(cues, "length")]),
      [
        ["class", "alteration", [0, 2, 0]],
        ["class", "omission", [2, 0, 0]]
      ]
    )
  })

  it("learns the vocabulary of edits from other consultations only", () => {
    const given = shortcuts(
      pairs(Array.from({ length: 12 }, (_, at) => [`Sees word${at}.`, `Definitely word${at}.`] as const))
    )
    assert.deepStrictEqual(sides(given.cues, "vocabulary"), [12, 0, 0])
    assert.deepStrictEqual(
      given.words.map(({ clean, flawed, word }) => [word, clean, flawed]),
      [
        ["definitely", 0, 12],
        ["sees", 12, 0]
      ]
    )
    const own = shortcuts(pairs(Array.from({ length: 12 }, (_, at) => [`Right${at}.`, `Wrong${at}.`] as const)))
    assert.deepStrictEqual(sides(own.cues, "vocabulary"), [0, 0, 12])
    const [first, ...rest] = pairs([["Sees it.", "Definitely it."]])
    const one = { ...first!, pairs: [first!.pairs[0]!, { ...first!.pairs[0]!, id: "q" }] }
    assert.deepStrictEqual(sides(shortcuts([one, ...rest]).cues, "vocabulary"), [0, 0, 2])
  })

  it("has nothing to say of no pairs", () => {
    const { cues, groups, pairs: n } = shortcuts([])
    assert.deepStrictEqual([n, groups.length, cues.every((cue) => cue.p === null && cue.solved === 0)], [0, 0, true])
  })

  it.effect.skipIf(absent)("finds what is known of PriMock57 and MEDEC (skipped where ../shared/data is absent)", () =>
    inFolder(() =>
      Effect.gen(function* () {
        const primock = yield* genericJsonl.run(`${data}/primock57/clinician_pairs.jsonl`, {
          columns: {
            consultation: "consultation",
            flawed: "flawed_note",
            clean: "clean_note",
            pair: "id",
            class: "omission",
            stratum: "kind",
            values: {}
          }
        })
        assert.deepStrictEqual(
          shortcuts(primock.consultations).groups.map(({ cues, value }) => [value, sides(cues, "length")]),
          [
            ["checklist", [0, 18, 0]],
            ["post-edit", [35, 7, 0]]
          ]
        )
        const test = yield* medec.run(`${data}/medec/MEDEC-MS-TestSet-with-GroundTruth-and-ErrorType.csv`)
        assert.deepStrictEqual(sides(shortcuts(test.consultations).cues, "length"), [150, 135, 26])
      })
    )
  )
})
