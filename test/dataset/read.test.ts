import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { contentHash } from "../../src/dataset/identity.ts"
import { readDataset, readDatasetReport } from "../../src/dataset/read.ts"
import { datasetText } from "../../src/dataset/write.ts"
import { consultation, inFolder, lines, write } from "./support.ts"

/** The error lines of a dataset file with this content, without the folder's name. */
const errorsOf = (content: string | Uint8Array) =>
  inFolder((folder) =>
    Effect.gen(function* () {
      const file = write(folder, "data.jsonl", content)
      const result = yield* Effect.result(readDataset(file))
      assert.isTrue(Result.isFailure(result), "the dataset is refused")
      return Result.isFailure(result) ? result.failure.message.replaceAll(`${folder}/`, "").split("\n") : []
    })
  )

const warningsOf = (content: string) =>
  inFolder((folder) =>
    Effect.map(readDataset(write(folder, "data.jsonl", content)), (read) =>
      read.warnings.map(({ what, field, line }) => `${line}: ${field}: ${what}`)
    )
  )

const good = consultation("a")
const withNotes = (notes: unknown) => ({ ...good, notes })
const withPair = (fields: object) => ({ ...good, pairs: [{ ...good.pairs[0]!, ...fields }, good.pairs[1]!] })

describe("readDataset refuses, saying file, line, field, found and expected:", () => {
  const cases: ReadonlyArray<readonly [string, unknown, ReadonlyArray<string>]> = [
    [
      "a wrong type",
      { ...good, stratum: 7 },
      ["data.jsonl:1: stratum: is not usable (found 7; expected text that is not empty)"]
    ],
    [
      "an unknown field",
      { ...good, transcrip: "x" },
      ['data.jsonl:1: transcrip: unknown field. Did you mean "transcript"?']
    ],
    [
      "a missing field",
      { ...good, transcript: undefined },
      ["data.jsonl:1: transcript: is missing (expected text or null)"]
    ],
    [
      "an empty note",
      withNotes([{ id: "clean", text: " \n" }, ...good.notes.slice(1)]),
      ['data.jsonl:1: notes[0].text: is not usable (found " \\n"; expected a note with text)']
    ],
    [
      "an empty id",
      withNotes([{ id: "", text: "x" }, ...good.notes]),
      ['data.jsonl:1: notes[0].id: is not usable (found ""; expected text that is not empty)']
    ],
    [
      "a duplicate note id",
      withNotes([...good.notes, { id: "clean", text: "again" }]),
      [
        'data.jsonl:1: notes[3].id: note id "clean" is used twice in the consultation (expected an id of its own: notes[0] has this one)'
      ]
    ],
    [
      "a duplicate pair id",
      withPair({ id: "x1" }),
      [
        'data.jsonl:1: pairs[1].id: pair id "x1" is used twice in the consultation (expected an id of its own: pairs[0] has this one)'
      ]
    ],
    [
      "a duplicate fact id",
      { ...good, facts: [...good.facts!, ...good.facts!] },
      [
        'data.jsonl:1: facts[1].id: fact id "f1" is used twice in the consultation (expected an id of its own: facts[0] has this one)'
      ]
    ],
    [
      "a pair naming a missing note",
      withPair({ clean: "claen" }),
      [
        'data.jsonl:1: pairs[0].clean: names a note that the consultation does not have (found "claen"; expected the id of one of its 3 notes). Did you mean "clean"?'
      ]
    ],
    [
      "flawed = clean",
      withPair({ flawed: "clean" }),
      ['data.jsonl:1: pairs[0]: flawed and clean name the same note (found "clean"; expected two notes)']
    ],
    [
      "flawed and clean with one text",
      withNotes([good.notes[0], { id: "flawed-o1", text: good.notes[0]!.text }, good.notes[2]]),
      [
        'data.jsonl:1: pairs[0]: the flawed note "flawed-o1" and the clean note "clean" have the same text (expected texts that differ by the error)'
      ]
    ],
    [
      "a trace on a commission",
      withPair({ class: "addition" }),
      [
        'data.jsonl:1: pairs[0].trace: a trace belongs to an omission, and this pair is an addition (found "complete"; expected no trace)'
      ]
    ],
    [
      "an unknown class",
      withPair({ class: "omision" }),
      [
        'data.jsonl:1: pairs[0].class: is not usable (found "omision"; expected "omission" or "addition" or "alteration"). Did you mean "omission"?'
      ]
    ],
    ["a value that is no object", 5, ["data.jsonl:1: is not usable (found 5; expected an object)"]],
    [
      "a list",
      [good],
      ["data.jsonl:1: is a list (expected one consultation as a JSON object). Write each entry on a line of its own"]
    ]
  ]
  for (const [name, value, expected] of cases) {
    it.effect(name, () => Effect.map(errorsOf(lines([value])), (found) => assert.deepStrictEqual(found, expected)))
  }

  it.effect("a duplicate consultation id, naming both lines, even where one of them is wrong otherwise", () =>
    Effect.map(errorsOf(`\n${lines([good, consultation("b"), { ...good, stratum: 1 }])}`), (found) =>
      assert.deepStrictEqual(found, [
        "data.jsonl:4: stratum: is not usable (found 1; expected text that is not empty)",
        'data.jsonl:4: id: consultation id "a" is used twice (expected an id of its own: line 2 has this one)'
      ])
    )
  )
  it.effect("bad JSON, with its column", () =>
    Effect.map(errorsOf(`${lines([good])}{"id": "b",, }\n`), (found) => {
      assert.strictEqual(found.length, 1)
      assert.match(found[0]!, /^data\.jsonl:2:12: not JSON: .*expected one consultation as a JSON object on the line/)
    })
  )
  it.effect("JSON over many lines, with a hint", () =>
    Effect.map(errorsOf(`{\n  "id": "a"\n}\n`), (found) => assert.match(found[0]!, /write one object a line$/))
  )
  it.effect("every error of the file, not the first only", () =>
    Effect.map(
      errorsOf(
        lines([
          { ...good, stratum: 7, notes: [{ id: 1, text: "" }] },
          { ...withPair({ clean: "none", trace: "all" }), id: "b" }
        ])
      ),
      (found) =>
        assert.deepStrictEqual(
          found.map((line) => line.split(": ").slice(0, 2).join(": ")),
          [
            "data.jsonl:1: stratum",
            "data.jsonl:1: notes[0].id",
            "data.jsonl:1: notes[0].text",
            "data.jsonl:2: pairs[0].trace"
          ]
        )
    )
  )
  it.effect("bytes that are not UTF-8, with line and offset", () =>
    Effect.map(
      errorsOf(
        Buffer.concat([
          Buffer.from(lines([good])),
          Buffer.from('{"id": "M'),
          Buffer.from([0xfc]),
          Buffer.from('ller"}\n')
        ])
      ),
      (found) =>
        assert.deepStrictEqual(found, [
          `data.jsonl:2: not UTF-8 at byte ${Buffer.byteLength(lines([good])) + 9} of the file (found byte 0xfc; expected UTF-8 text). Save the file as UTF-8`
        ])
    )
  )
  it.effect("UTF-16, by its name", () =>
    Effect.map(errorsOf(Buffer.from(`\ufeff${lines([good])}`, "utf16le")), (found) =>
      assert.match(found[0]!, /^data\.jsonl:1: not UTF-8 at byte 0 .*looks like UTF-16/)
    )
  )
  it.effect("a file without a consultation", () =>
    Effect.map(errorsOf("\n \n"), (found) =>
      assert.deepStrictEqual(found, ["data.jsonl: the dataset holds no consultation (expected one JSON object a line)"])
    )
  )
  it.effect("a missing file, and a folder", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const missing = yield* Effect.flip(readDataset(`${folder}/none.jsonl`))
        assert.strictEqual(missing.message, `${folder}/none.jsonl: the dataset is not there. Check the path`)
        const isFolder = yield* Effect.flip(readDataset(folder))
        assert.strictEqual(isFolder.message, `${folder}: the dataset is a folder (expected a file)`)
      })
    )
  )
})

describe("readDataset warns of", () => {
  it.effect("a transcript that is null, pairs that are none, and a note in no pair is fine", () =>
    Effect.map(warningsOf(lines([{ ...good, transcript: null, pairs: [] }])), (found) =>
      assert.deepStrictEqual(found, [
        "1: transcript: there is no transcript: the notes are judged on their own",
        "1: pairs: the consultation has no pairs and is not scored"
      ])
    )
  )
  it.effect("a residual quote that is not in the flawed note", () =>
    Effect.map(
      warningsOf(lines([withPair({ trace: "fragment", residual: [{ quote: "No fever" }, { quote: "no fever" }] })])),
      (found) =>
        assert.deepStrictEqual(found, [
          "1: pairs[0].residual[1].quote: the quote is not in the flawed note word for word"
        ])
    )
  )
  it.effect("a fact that looks like an id and is none; the fact's own words are fine", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* warningsOf(lines([withPair({ fact: "f2" })])), [
        '1: pairs[0].fact: "f2" is no fact of the consultation and is taken as the fact\'s own words'
      ])
      assert.deepStrictEqual(yield* warningsOf(lines([withPair({ fact: "Cough for 3 days" })])), [])
    })
  )
  it.effect("a transcript that another consultation has", () =>
    Effect.map(
      warningsOf(lines([good, { ...consultation("b"), transcript: good.transcript!.toUpperCase() }])),
      (found) =>
        assert.deepStrictEqual(found, [
          '2: transcript: "b" has the transcript of "a" (line 1): a split treats them as one consultation'
        ])
    )
  )
  it.effect("half a character, and makes the text well-formed", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const text = JSON.stringify({ ...good, language: "LONE" }).replace("LONE", "x\\ud800y")
        const { consultations, warnings } = yield* readDataset(write(folder, "data.jsonl", text))
        assert.strictEqual(consultations[0]!.language, "x\ufffdy")
        assert.match(warnings[0]!.what, /half a character/)
      })
    )
  )
})

describe("readDataset reads the same from", () => {
  const read = (content: string | Uint8Array) =>
    inFolder((folder) =>
      Effect.map(readDataset(write(folder, "data.jsonl", content)), (loaded) => loaded.consultations)
    )
  const two = [consultation("a"), consultation("b", { transcript: "Doctor: one\nPatient: two\n" })]

  it.effect(
    "LF and CRLF, with and without a byte order mark, a last line end or blank lines, and CRLF within texts",
    () =>
      Effect.gen(function* () {
        const expected = yield* read(lines(two))
        assert.deepStrictEqual(expected, two)
        assert.deepStrictEqual(yield* read(lines(two).replaceAll("\n", "\r\n")), two)
        assert.deepStrictEqual(yield* read(`\ufeff${lines(two)}`), two)
        assert.deepStrictEqual(yield* read(lines(two).trimEnd()), two)
        assert.deepStrictEqual(yield* read(`\n${lines(two).replaceAll("\n", "\n \r\n")}`), two)
        assert.deepStrictEqual(yield* read(lines(two).replaceAll("\\n", "\\r\\n")), two)
      })
  )

  it.effect("lines longer than a chunk of the stream, and characters that stand across its edge", () =>
    Effect.gen(function* () {
      const long = two.map((one) => ({ ...one, transcript: "Patient: ß漢🙂. ".repeat(60_000) + one.id }))
      assert.deepStrictEqual(yield* read(lines(long)), long)
    })
  )

  it("round trip: what is written is read back, whatever the texts and ids hold", async () => {
    const text = fc
      .string({ unit: "grapheme", minLength: 1 })
      .map((some) => some.toWellFormed().replaceAll("\r\n", "\n"))
    const noteText = text.filter((some) => some.trim() !== "")
    await fc.assert(
      fc.asyncProperty(text, text, noteText, noteText, async (id, transcript, clean, flawed) => {
        fc.pre(clean !== flawed)
        const one = consultation(id, {
          transcript,
          notes: [
            { id: "clean", text: clean },
            { id: "flawed-o1", text: flawed }
          ],
          pairs: [{ id, flawed: "flawed-o1", clean: "clean", class: "omission" }]
        })
        const back = await Effect.runPromise(read(datasetText([one])))
        assert.deepStrictEqual(back, [one])
        assert.strictEqual(contentHash(back[0]!), contentHash(one))
      }),
      { numRuns: 40 }
    )
  })
})

describe("hostile input", () => {
  it.effect("keeps strange ids and long lines as they are, and shows none of their control characters in errors", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const evil = "../../x\u001b[31mred\u0007\u202e\u009b2J"
        const file = write(
          folder,
          "data.jsonl",
          lines([
            consultation("../../x"),
            consultation(evil, { notes: [{ id: "clean", text: `مرحبا ${"x".repeat(50_000)}` }] })
          ])
        )
        const report = yield* readDatasetReport(file)
        assert.deepStrictEqual(
          Array.from(report.consultations, (one) => one.id),
          ["../../x", evil]
        )
        const error = yield* Effect.flip(
          readDataset(write(folder, "twice.jsonl", lines([consultation(evil), consultation(evil)])))
        )
        assert.notMatch(error.message, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
        assert.include(error.message, "is used twice")
      })
    )
  )
  it.effect("takes __proto__ as a name like any other", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const read = yield* readDataset(write(folder, "data.jsonl", lines([consultation("__proto__")])))
        assert.strictEqual(read.consultations[0]!.id, "__proto__")
        const error = yield* Effect.flip(
          readDataset(write(folder, "bad.jsonl", JSON.stringify(good).replace('"stratum"', '"__proto__"')))
        )
        assert.include(error.message, "unknown field")
      })
    )
  )
})
