import { existsSync, mkdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { data } from "../../src/cli/data.ts"
import { readCsv } from "../../src/dataset/import/csvRows.ts"
import { genericJsonl } from "../../src/dataset/import/generic.ts"
import { importers } from "../../src/dataset/import/registry.ts"
import { parseJson } from "../../src/dataset/parseJson.ts"
import { readDatasetReport } from "../../src/dataset/read.ts"
import { readScoreTables } from "../../src/dataset/scoresTableRead.ts"
import { InputError } from "../../src/domain/InputError.ts"
import { consultation, inFolder, lines, write } from "./support.ts"

const command = (...args: ReadonlyArray<string>) =>
  Effect.match(Command.runWith(data, { version: "test" })(args), {
    onFailure: (error) => (error instanceof InputError ? error.message : String(error)),
    onSuccess: () => "no error"
  })

const problems = <A, R>(effect: Effect.Effect<A, InputError, R>) =>
  Effect.map(Effect.flip(effect), (error) => error.message)

const mapping = {
  columns: { consultation: "visit", flawed: "bad", clean: "good", class: "kind", values: {} }
} as const

describe("an import that makes nothing", () => {
  it.effect("writes no file, and says for each reason the rows and a hint that is no guess", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const table = write(folder, "t.csv", "visit,bad,good,kind\n1,a,a b,missing\n2,b,b c,missing\n3,c,c d,\n")
        const out = `${folder}/out.jsonl`
        const args = ["--consultation", "visit", "--flawed", "bad", "--clean", "good", "--class", "kind"]
        const message = yield* command("import", "csv", table, "--out", out, ...args)
        assert.deepStrictEqual(message.replaceAll(`${folder}/`, "").split("\n"), [
          "t.csv: none of 3 rows became a pair: nothing is written",
          'left out, 2 rows (t.csv: 1, 2): the class "missing" is none of omission, addition, alteration (say what it means: --value missing=<omission|addition|alteration>)',
          "left out, 1 row (t.csv: 3): the class is blank"
        ])
        assert.isFalse(existsSync(out))
      })
    )
  )
  it.effect("of any format refuses an empty file", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const empty = write(folder, "empty.jsonl", "")
        const out = `${folder}/out.jsonl`
        for (const format of Object.keys(importers)) {
          const columns = ["--consultation", "v", "--flawed", "b", "--clean", "g", "--class", "omission"]
          const args = format === "csv" || format === "jsonl" ? columns : []
          const message = yield* command("import", format, empty, "--out", out, ...args)
          assert.match(message, /empty\.jsonl.*(holds no|is empty|is not there)/, format)
          assert.isFalse(existsSync(out), format)
        }
      })
    )
  )
  it.effect(
    "leaves tables of something else in a folder aside, and names what it looks for where no other is there",
    () =>
      inFolder((folder) =>
        Effect.gen(function* () {
          mkdirSync(`${folder}/data`)
          write(folder, "data/prices.csv", "item,price\na,1\n")
          const message = yield* command("import", "mederrbench", `${folder}/data`, "--out", `${folder}/out.jsonl`)
          assert.include(
            message,
            "no file of the folder is a table of this format (found prices.csv; expected reviewed_data_"
          )
          const header =
            "Text ID,Text,Error Flag,Error Sentence ID,Error Sentence,Error Type,Corrected Sentence,Corrected Text,Reasoning Type"
          write(
            folder,
            "data/reviewed_data_EN_test.csv",
            `${header}\nen-test-0,It is A.,1,0,It is A.,t,It is B.,It is B.,r\n`
          )
          assert.strictEqual(
            yield* command("import", "mederrbench", `${folder}/data`, "--out", `${folder}/out.jsonl`),
            "no error"
          )
          assert.strictEqual(readFileSync(`${folder}/out.jsonl`, "utf8").split("\n").length, 2)
        })
      )
  )
})

describe("devices and folders", () => {
  it.effect.skipIf(!existsSync("/dev/zero"))("are refused", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        for (const file of ["/dev/zero", "/dev/null"]) {
          assert.strictEqual(
            yield* problems(readDatasetReport(file)),
            `${file}: the dataset is a device or a terminal (expected a file)`
          )
          assert.include(yield* problems(readScoreTables([file])), "is a device")
        }
        assert.include(yield* problems(readScoreTables([folder])), "is a folder")
      })
    )
  )
})

describe("JSON that would be misread", () => {
  it("refuses a name that is there twice, wherever it is, and takes the same name in two objects", () => {
    const failure = (text: string) => {
      const result = parseJson(text)
      return result._tag === "Failure" ? [result.failure.column, result.failure.what] : result.success
    }
    assert.deepStrictEqual(failure('{"a":1,"b":{"c":[{"d":"x","d" :2}]}}'), [
      27,
      'the name "d" is there twice in one object'
    ])
    assert.deepStrictEqual(failure('{"a":1,"\\u0061":2}'), [8, 'the name "a" is there twice in one object'])
    assert.deepStrictEqual(failure('{"a":{"a":1},"b":[{"a":"\\\\"},{"a":"\\"a\\":"}]}'), {
      a: { a: 1 },
      b: [{ a: "\\" }, { a: '"a":' }]
    })
    assert.deepStrictEqual(failure(`${"[".repeat(100_000)}${"]".repeat(100_000)}`), [
      undefined,
      "is nested too deeply to be data"
    ])
  })
  it.effect("refuses whole numbers that are not read exactly as ids, in imports and tables of scores", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const row = '{"visit":9007199254740993,"bad":"a","good":"a b","kind":"omission"}\n'
        assert.include(
          yield* problems(genericJsonl.run(write(folder, "t.jsonl", row), mapping)),
          "t.jsonl:1: visit: is too large a number to be read exactly"
        )
        assert.include(
          yield* problems(
            readScoreTables([write(folder, "s.jsonl", '{"consultation":9007199254740993,"note":"a","score":1}\n')])
          ),
          "s.jsonl:1: consultation: is too large a number to be read exactly (found about 9007199254740992; expected text). Write the id as text, in quotes"
        )
        assert.include(
          yield* problems(
            readScoreTables([write(folder, "d.jsonl", '{"consultation":"a","note":"a","score":1,"score":2}\n')])
          ),
          'd.jsonl:1:42: the name "score" is there twice'
        )
      })
    )
  )
  it.effect("refuses half characters where two texts would become one, and in imports everywhere", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const text = (half: string) => `Seen.${half}`
        const one = consultation("a", {
          notes: [
            { id: "clean", text: text("\ud800") },
            { id: "flawed-o1", text: text("\ud801") },
            { id: "flawed-x1", text: "Other." }
          ]
        })
        const { errors } = yield* readDatasetReport(write(folder, "d.jsonl", lines([one])))
        assert.deepStrictEqual(
          errors.map(({ field, line, what }) => [line, field, what]),
          [[1, "notes[0].text", "two texts differ in half a character (a lone surrogate) only, and would become one"]]
        )
        const row = { visit: "1", bad: "a\ud800", good: "a b", kind: "omission" }
        assert.include(
          yield* problems(genericJsonl.run(write(folder, "t.jsonl", lines([row])), mapping)),
          "t.jsonl:1: bad: the text holds half a character"
        )
      })
    )
  )
})

describe("files that other programs save", () => {
  it.effect("says so of UTF-16 without a mark, once, and of line ends of old Macs", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const dataset = lines([consultation("a"), consultation("b"), consultation("c")])
        const utf16 = yield* readDatasetReport(write(folder, "u.jsonl", Buffer.from(dataset, "utf16le")))
        assert.deepStrictEqual(
          utf16.errors.map(({ hint, line }) => [line, hint]),
          [[1, "The file looks like UTF-16 or is no text: save it as UTF-8"]]
        )
        const mac = yield* readDatasetReport(write(folder, "m.jsonl", dataset.replaceAll("\n", "\r")))
        assert.include(mac.errors[0]!.hint, "CR alone")
        const csv = (text: string) => problems(readCsv(write(folder, "t.csv", text), "the table"))
        assert.include(yield* csv("a,b\r1,2\r"), "t.csv:1: the lines end in CR alone, as on old Macs")
        assert.include(yield* csv("sep=;\na;b\n1;2\n"), 'the first line, "sep=;", is no header')
        assert.include(yield* csv("a;b;c\n1;2;3\n"), 'the header has no "," between its cells (found "a;b;c")')
        assert.include(yield* csv("a\tb\tc\n1\t2\t3\n"), 'give --delimiter "\\t"')
      })
    )
  )
})
