import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readScoreTables } from "../../src/dataset/scoresTableRead.ts"
import type { InputError } from "../../src/domain/InputError.ts"
import { inFolder, write } from "../dataset/support.ts"
import { header, twoJudges } from "./support.ts"

const short = "consultation,note,clean,class,score"
const good = "a,c,,,8\na,e,c,omission,7\n"

/** What reading a file of this content is refused with, the file's folder left out. */
const refusal = (name: string, content: string | Uint8Array) =>
  inFolder((folder) =>
    Effect.map(Effect.flip(readScoreTables([write(folder, name, content)])), (error: InputError) =>
      error.message.replaceAll(`${folder}/`, "")
    )
  )

const read = (...files: ReadonlyArray<readonly [string, string]>) =>
  inFolder((folder) => readScoreTables(files.map(([name, content]) => write(folder, name, content))))

describe("tables of scores", () => {
  it.effect("reads CSV and JSONL to the same notes, pairs and scores", () =>
    Effect.gen(function* () {
      const [names, ...rows] = twoJudges.trim().split("\n")
      const jsonl = rows
        .map((row) => {
          const cells = row.split(",")
          const fields = names!.split(",").map((name, at) => [name, cells[at]!] as const)
          return JSON.stringify(
            Object.fromEntries(
              fields.map(([name, cell]) => [name, name === "score" ? (cell === "" ? null : Number(cell)) : cell])
            )
          )
        })
        .join("\n")
      const csv = yield* read(["t.csv", twoJudges])
      const lines = yield* read(["t.jsonl", jsonl])
      assert.deepStrictEqual(lines.set, csv.set)
      assert.deepStrictEqual(lines.runs, csv.runs)
      assert.deepStrictEqual(csv.set, {
        consultation: Int32Array.of(0, 0, 0, 1, 1, 2, 2),
        consultations: 3,
        clean: Int32Array.of(0, 3, 5),
        pairs: {
          flawed: Int32Array.of(1, 2, 4, 6),
          clean: Int32Array.of(0, 0, 3, 5),
          class: Int8Array.of(0, 2, 0, 0),
          trace: Int8Array.of(0, -1, 1, 2),
          severity: Int8Array.of(0, 1, 2, 0),
          stratum: Int32Array.of(0, 0, 1, 1)
        },
        strata: ["gp", "ward"]
      })
      assert.deepStrictEqual(
        csv.runs.map(({ judge, judged, replicate, scores }) => [judge, replicate, [...scores], [...judged]]),
        [
          ["a", "11", [9, 4, 9, 8, 8, 7, 9], [1, 1, 1, 1, 1, 1, 1]],
          ["b", "11", [6, 7, 2, 5, Number.NaN, 7, 6], [1, 1, 1, 1, 1, 1, 1]]
        ]
      )
    })
  )

  it.effect("names a judge after its file, and takes what a note is from another table", () =>
    Effect.map(
      read(["seed.csv", `${short}\n${good}`], ["winner.csv", "note,consultation,score\nc,a,5\ne,a,6\n"]),
      (tables) => {
        assert.deepStrictEqual(
          tables.runs.map(({ judge, scores }) => [judge, [...scores]]),
          [
            ["seed", [8, 7]],
            ["winner", [5, 6]]
          ]
        )
      }
    )
  )

  it.effect("says which notes a judge has no score of, and keeps them apart from unreadable ones", () =>
    Effect.map(read(["s.csv", `${short}\n${good}`], ["w.csv", "consultation,note,score\na,c,\n"]), (tables) => {
      assert.deepStrictEqual([...tables.runs[1]!.judged], [1, 0])
      assert.match(
        tables.warnings[0]!.what,
        /"w", replicate 1, has no score of 1 of the notes.*"e" of "a" \(.*s\.csv:3\)/
      )
    })
  )

  it.effect("reads cells that semicolons or tabs part, whatever the file is called", () =>
    Effect.gen(function* () {
      const csv = yield* read(["t.csv", twoJudges])
      for (const [name, delimiter] of [
        ["t.csv", ";"],
        ["t.csv", "\t"],
        ["t.tsv", "\t"],
        ["t.tsv", ","]
      ] as const) {
        const other = yield* read([name, twoJudges.replaceAll(",", delimiter)])
        assert.deepStrictEqual([other.set, other.runs], [csv.set, csv.runs], `${name} ${delimiter}`)
      }
    })
  )

  it.effect("takes NA, n/a and null for a judgement that could not be read", () =>
    Effect.gen(function* () {
      for (const word of ["NA", "n/a", "null", "N/A"]) {
        const { runs } = yield* read(["t.csv", `${short}\n${good}b,c,,,${word}\n`])
        assert.deepStrictEqual([...runs[0]!.scores], [8, 7, Number.NaN])
        assert.deepStrictEqual([...runs[0]!.judged], [1, 1, 1])
      }
      const { runs } = yield* read([
        "t.jsonl",
        '{"consultation":"a","note":"c","score":8}\n{"consultation":"a","note":"e","clean":"c","score":"NA"}\n'
      ])
      assert.deepStrictEqual([...runs[0]!.scores], [8, Number.NaN])
    })
  )

  it.effect("reads ids that hold line breaks, quotes and commas", () =>
    Effect.map(
      read(["t.csv", `${short}\r\na,"c\r\n1, ""x""",,,8\r\na,e,"c\r\n1, ""x""",omission,7\r\n`]),
      ({ set }) => {
        assert.deepStrictEqual(set.pairs.flawed, Int32Array.of(1))
      }
    )
  )

  it.effect("says of a misspelt column what may be meant", () =>
    Effect.map(read(["t.csv", `${short},severty\na,c,,,8,\na,e,c,omission,7,critical\n`]), ({ warnings }) => {
      assert.deepStrictEqual(
        warnings.map(({ hint, what }) => [what, hint]),
        [['the columns "severty" are not used', '"severty" may be meant as severity']]
      )
    })
  )

  const refused: ReadonlyArray<readonly [string, string, string | Uint8Array, string]> = [
    [
      "a clean twin without a row",
      "t.csv",
      `${short}\na,c,,,8\na,e,x,omission,7\n`,
      't.csv:3: clean: the clean twin "x" of the note "e" has no row in the consultation "a"'
    ],
    ["a clean twin of another consultation", "t.csv", `${short}\nb,c,,,8\na,e,c,omission,7\n`, "t.csv:3: clean:"],
    [
      "a clean twin that is flawed",
      "t.csv",
      `${short}\n${good}a,f,e,addition,7\n`,
      't.csv:4: clean: the clean twin "e" of the note "f" is a flawed note itself'
    ],
    ["a note that is its own twin", "t.csv", `${short}\na,c,c,,8\n`, "t.csv:2: clean:"],
    ["a class without a twin", "t.csv", `${short}\n${good}a,f,,omission,7\n`, "t.csv:4: clean:"],
    [
      "NaN in CSV",
      "t.csv",
      `${short}\n${good}a,f,c,omission,NaN\n`,
      't.csv:4: score: the score is no number (found "NaN"'
    ],
    [
      "NaN in JSONL",
      "t.jsonl",
      '{"consultation":"a","note":"c","score":8}\n{"consultation":"a","note":"e","score":NaN}\n',
      "t.jsonl:2: the row holds NaN"
    ],
    [
      "a word for a score",
      "t.csv",
      `${short}\n${good}a,f,c,omission,high\n`,
      't.csv:4: score: the score is no number (found "high"'
    ],
    ["a verdict in words", "t.csv", `${short}\n${good}a,f,c,omission,FAIL\n`, "write 1 for a note that passes and 0"],
    [
      "a verdict in JSONL",
      "t.jsonl",
      '{"consultation":"a","note":"c","score":true}\n',
      "write 1 for a note that passes"
    ],
    [
      "a score that no mean can be made of",
      "t.csv",
      `${short}\na,c,,,1.5e308\n`,
      "t.csv:2: score: the score is too large"
    ],
    [
      "such a score in JSONL",
      "t.jsonl",
      '{"consultation":"a","note":"c","score":-1e200}\n',
      "t.jsonl:1: score: the score is too large"
    ],
    ["a decimal comma", "t.csv", `${short}\n${good}a,f,c,omission,"7,5"\n`, "Write decimals with a point"],
    ["a score in quotes in JSONL", "t.jsonl", '{"consultation":"a","note":"c","score":"8"}\n', "t.jsonl:1: score:"],
    ["a duplicate", "t.csv", `${short}\n${good}a,e,c,omission,6\n`, "already, at t.csv:3"],
    ["a formula for a score", "t.csv", `${short}\na,c,,,=1+2\n`, "t.csv:2: score: the score is a formula"],
    ["a formula for an id", "t.csv", `${short}\na,=HYPERLINK(x),,,2\n`, "t.csv:2: note: the cell is a formula"],
    [
      "a ragged row",
      "t.csv",
      `${short}\n${good}a,f,c,omission\n`,
      "t.csv:4: the row has not as many cells as the header (found 4; expected 5)"
    ],
    [
      "a missing column",
      "t.csv",
      "consultation,note,scor\na,c,8\n",
      't.csv:1: score: there is no column score (found "consultation, note, scor"'
    ],
    [
      "a missing field",
      "t.jsonl",
      '{"note":"c","score":8}\n',
      "t.jsonl:1: consultation: there is no column consultation"
    ],
    ["another class", "t.csv", `${short}\na,c,,,8\na,e,c,omision,7\n`, "Did you mean omission?"],
    ["an open quote", "t.csv", `${short}\n${good}a,"f,c,omission,7\n`, "t.csv:4: a quote is opened"],
    [
      "Latin-1",
      "t.csv",
      Buffer.from(`${short}\na,c,,,8\na,\u00e9,c,omission,7\n`, "latin1"),
      "t.csv:3: the row is not UTF-8 text"
    ],
    [
      "Latin-1 in JSONL",
      "t.jsonl",
      Buffer.from('{"consultation":"a","note":"c","score":8}\n{"consultation":"\u00e9"}\n', "latin1"),
      "t.jsonl:2: the row is not UTF-8 text"
    ],
    ["UTF-16", "t.csv", Buffer.from(`\ufeff${short}\n${good}`, "utf16le"), "The file looks like UTF-16"],
    ["an empty file", "t.csv", "", "t.csv: the table of scores is empty"],
    ["no pair", "t.csv", `${short}\na,c,,,8\n`, "no row names a clean twin"]
  ]
  for (const [what, name, content, expected] of refused) {
    it.effect(`refuses ${what}, naming the row`, () =>
      Effect.map(refusal(name, content), (message) => assert.include(message, expected))
    )
  }

  it.effect("tells a row's own mistake, and not that it is missing then", () =>
    Effect.map(refusal("t.csv", `${header}\na,c,,,,,,,,x\na,e,c,omission,,,,,,7\n`), (message) =>
      assert.strictEqual(message.split("\n").length, 1)
    )
  )

  it.effect("reads omission-bench's published shape", () =>
    Effect.map(
      read([
        "v.json",
        JSON.stringify({
          leg: "mono",
          candidates: {
            seed: { scores: { "s|1|clean|ff": 9, "s|1|omitc|mc3|err": 8, "s|1|change|err": 9 } },
            winner: { scores: { "s|1|clean|ff": 9, "s|1|omitc|mc3|err": 7, "s|1|change|err": null } }
          }
        })
      ]),
      ({ runs, set }) => {
        assert.deepStrictEqual(
          runs.map(({ judge, scores }) => [judge, [...scores]]),
          [
            ["seed", [9, 9, 8]],
            ["winner", [9, Number.NaN, 7]]
          ]
        )
        assert.deepStrictEqual([[...set.pairs.class], [...set.pairs.trace], set.strata], [[2, 0], [-1, 0], ["s"]])
      }
    )
  )
})
