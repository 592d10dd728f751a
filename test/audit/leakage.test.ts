import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Leak } from "../../src/audit/Audit.ts"
import type { TextIndex } from "../../src/audit/AuditInput.ts"
import { leakageOf } from "../../src/audit/leakage.ts"
import { measuresIn } from "../../src/audit/phrases.ts"
import { indexOfPart, notLookedAt } from "../../src/audit/textIndex.ts"
import { candidateOf } from "./support.ts"

const consultation = (id: string, transcript: string | null, ...notes: ReadonlyArray<string>) => ({
  id,
  transcript,
  notes: notes.map((text, at) => ({ id: `n${at}`, text }))
})

const train = indexOfPart("train", [
  consultation(
    "t1",
    "Doctor: Good morning Mrs Okafor, how is the knee?\nPatient: Worse since I slipped on the wet bathroom floor last Tuesday evening.",
    "Knee pain after a slip on the wet bathroom floor. Amlodipine 5 mg once daily.",
    "Knee pain. Amlodipine 5 mg once daily."
  ),
  consultation(
    "t2",
    "Doctor: Any allergies?\nPatient: No.",
    "Takes naproxen 250 mg. BP 138/82. Seen by Okafor last year."
  )
])
const holdout = indexOfPart("holdout", [
  consultation("h1", "Doctor: Stay on forty units then.", "Insulin glargine 40 units at night.")
])

const leaks = (
  instruction: string,
  more: { readonly seed?: string; readonly contract?: string; readonly indices?: ReadonlyArray<TextIndex> } = {}
) =>
  leakageOf({
    candidates: [candidateOf("w", null, { instructions: { judge: instruction } })],
    candidate: "w",
    seedTextOf: () => more.seed ?? "",
    fixed: { preamble: "", contract: more.contract ?? "" },
    indices: more.indices ?? [train, holdout]
  })
const open = (some: ReadonlyArray<Leak>) => some.filter(({ excuse }) => excuse === null)

describe("leaks", () => {
  it("quotes a whole sentence of four to seven words, and no part of one", () => {
    const found = leaks("Be strict. Seen by okafor, last YEAR! Never lenient.")
    assert.deepStrictEqual(
      open(found.leaks).map(({ kind, shared, sources }) => [kind, shared, sources[0]!.consultation]),
      [["words", "Seen by okafor, last YEAR", "t2"]]
    )
    assert.strictEqual(leaks("Ask who was seen by whom last year.").count, 0)
    assert.strictEqual(leaks("Seen by Okafor last year.", { seed: "Seen by Okafor last year." }).count, 0)
  })

  it("quotes eight words in a row with the texts that they are from, as one leak however long the passage", () => {
    const text = "Be strict.\nA patient who SLIPPED on the wet -- bathroom floor last Tuesday evening needs care."
    const found = leaks(text)
    assert.strictEqual(found.count, 1)
    const [leak] = found.leaks
    assert.strictEqual(leak!.kind, "words")
    assert.strictEqual(leak!.shared, "SLIPPED on the wet -- bathroom floor last Tuesday evening")
    assert.strictEqual(text.slice(leak!.place.start, leak!.place.end), leak!.shared)
    assert.strictEqual(leak!.place.line, 2)
    const [source] = leak!.sources
    assert.deepStrictEqual(
      [source!.part, source!.consultation, source!.document, source!.note],
      ["train", "t1", "transcript", null]
    )
    assert.include(source!.quote, "slipped on the wet bathroom floor last Tuesday evening")
  })

  it("finds a dose with its drug, a unit in other words, a blood pressure and a number in words", () => {
    const shared = (text: string) =>
      leaks(text).leaks.map((leak) => [leak.kind, leak.shared, leak.found.map(({ part }) => part)])
    assert.deepStrictEqual(shared("Is amlodipine 5mg in it?"), [["number", "amlodipine 5mg", ["train"]]])
    assert.deepStrictEqual(shared("Or 250 milligrams of it?"), [["number", "250 milligrams", ["train"]]])
    assert.deepStrictEqual(shared("See 138/82."), [["number", "138/82", ["train"]]])
    assert.deepStrictEqual(shared("Look for forty units."), [["number", "forty units", ["holdout"]]])
    assert.deepStrictEqual(shared("Two or more things at 7 mg."), [])
  })

  it("takes for a name what the data write with a capital only, and for a drug what has doses", () => {
    const named = leaks("Ask whether Okafor is in it. Ask for Naproxen, and for naproxen.").leaks
    assert.deepStrictEqual(
      named.map(({ kind, shared }) => [kind, shared]),
      [
        ["name", "Okafor"],
        ["name", "Naproxen"]
      ]
    )
    assert.deepStrictEqual(leaks("Ask about the Bathroom, on Tuesday, and about the patient's morning.").leaks, [])
  })

  it("excuses what the seed or the fixed prompt has, and says so", () => {
    const text = "slipped on the wet bathroom floor last Tuesday evening, amlodipine 5 mg, Okafor"
    assert.strictEqual(leaks(text).count, 3)
    const seeded = leaks(text, { seed: `Before: ${text}. After: amlodipine 5 mg by Okafor` })
    assert.deepStrictEqual([seeded.count, seeded.leaks.map(({ excuse }) => excuse)], [0, ["seed", "seed", "seed"]])
    const fixed = leaks("The scale has 40 units.", { contract: "Give 40 units at most." })
    assert.deepStrictEqual(
      fixed.leaks.map(({ excuse }) => excuse),
      ["contract"]
    )
  })

  it("excuses what is in many consultations, and only then", () => {
    const many = (number: number) =>
      indexOfPart(
        "train",
        Array.from({ length: number }, (_, at) => consultation(`c${at}`, null, `Come back in 2 weeks. ${at}`))
      )
    assert.deepStrictEqual(
      leaks("after 2 weeks", { indices: [many(5)] }).leaks.map(({ excuse }) => excuse),
      ["common"]
    )
    assert.strictEqual(leaks("after 2 weeks", { indices: [many(4)] }).count, 1)
  })

  it("says what it did not look at, and finds nothing there", () => {
    const sealed = leaks("forty units", { indices: [train, notLookedAt("holdout", "sealed")] })
    assert.strictEqual(sealed.count, 0)
    assert.deepStrictEqual(
      sealed.looked.map(({ notLookedAt, part }) => [part, notLookedAt]),
      [
        ["train", null],
        ["holdout", "sealed"]
      ]
    )
  })

  it("finds every passage of eight words of a note that an instruction copies, wherever it is put", () => {
    const word = fc.stringMatching(/^[a-z]{3,9}$/)
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 12, maxLength: 30 }),
        fc.array(word, { minLength: 0, maxLength: 10 }),
        fc.nat(),
        (note, before, from) => {
          const start = from % (note.length - 8)
          const copied = note.slice(start, start + 8)
          const found = leaks(`${before.join(" ")}. ${copied.join(", ")}!`, {
            indices: [indexOfPart("acceptance", [consultation("a", note.join(" "))])]
          })
          assert.isTrue(
            open(found.leaks).some(({ kind, shared }) => kind === "words" && shared.includes(copied.join(", ")))
          )
        }
      ),
      { numRuns: 100 }
    )
  })

  it("finds nothing in texts that share no word", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-m .,\n]{0,300}$/), fc.stringMatching(/^[n-z .,\n]{0,300}$/), (one, other) => {
        const found = leaks(one, { indices: [indexOfPart("train", [consultation("c", other, other)])] })
        assert.deepStrictEqual(found.leaks, [])
      }),
      { numRuns: 100 }
    )
  })
})

describe("numbers with units", () => {
  it("gives their places in the text", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), fc.integer({ min: 1, max: 999 }), (before, value) => {
        const text = `${before}\nramipril ${value} mg`
        const last = measuresIn(text).at(-1)!
        assert.strictEqual(text.slice(last.start, last.end), `${value} mg`)
        assert.strictEqual(last.bare, `${value} mg`)
        assert.strictEqual(last.named, `ramipril ${value} mg`)
      })
    )
  })

  it("comes to an end on long texts made to be slow", () => {
    for (const text of ["a ", "a", "1 ", "5 mg of ", "-", "Mr A. "]) {
      const long = text.repeat(10_000)
      // A pattern that backtracks would take minutes, and run into the test's limit.
      assert.isAtLeast(measuresIn(long).length, 0)
      assert.isAtMost(leaks(long).count, 1)
    }
  })
})
