import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readCsv } from "../../src/dataset/import/csvRows.ts"
import { inFolder, write } from "./support.ts"

const read = (content: string | Uint8Array, columns: ReadonlyArray<string> = [], delimiter = ",") =>
  inFolder((folder) => readCsv(write(folder, "t.csv", content), "the table", { columns, delimiter }))

const message = (content: string | Uint8Array, columns: ReadonlyArray<string> = []) =>
  Effect.map(Effect.flip(read(content, columns)), (failure) => failure.message.replace(/^\S*\/t\.csv/gm, "t.csv"))

describe("readCsv", () => {
  it.effect("reads a byte order mark, Windows line ends, cells over several lines and doubled quotes", () =>
    Effect.map(
      read('\uFEFFid,text\r\n1,"one\r\ntwo ""x"""\r\n,\r\n2,=SUM(A1)\r\n\r\n 3 ,"a,b"', ["text"]),
      ({ blankRows, header, rows }) => {
        assert.deepStrictEqual(header, ["id", "text"])
        assert.deepStrictEqual(rows, [
          { row: 1, line: 2, cells: { id: "1", text: 'one\ntwo "x"' } },
          { row: 3, line: 5, cells: { id: "2", text: "=SUM(A1)" } },
          { row: 5, line: 7, cells: { id: " 3 ", text: "a,b" } }
        ])
        assert.deepStrictEqual(blankRows, [2, 4])
      }
    )
  )
  it.effect("takes another separator", () =>
    Effect.map(read("a\tb\n1\t2,3\n", [], "\t"), ({ rows }) =>
      assert.deepStrictEqual(rows[0]!.cells, { a: "1", b: "2,3" })
    )
  )
  it.effect("names every column that is missing or there twice, and every ragged row", () =>
    Effect.map(message("id,Text,id,\n1,2,3,4\n\n1,2\n1,2,3,4,5\n", ["text", "idd", "flag"]), (text) =>
      assert.deepStrictEqual(text.split("\n"), [
        't.csv:1: the header has the column "id" 2 times (expected a name of its own for every column)',
        't.csv:1: the header has no column "text" (found "id, Text, id, (column 4)"). Did you mean "Text"?',
        't.csv:1: the header has no column "idd" (found "id, Text, id, (column 4)"). Did you mean "id"?',
        't.csv:1: the header has no column "flag" (found "id, Text, id, (column 4)")',
        "t.csv:4: row 3 has not as many cells as the header (found 2; expected 4)",
        "t.csv:5: row 4 has not as many cells as the header (found 5; expected 4)"
      ])
    )
  )
  it.effect("names the row of a quote that is never closed, and of one that closes too soon", () =>
    Effect.gen(function* () {
      assert.include(
        yield* message('a,b\n1,2\n3,"four\nfive\n'),
        "t.csv:3: a quote is opened in this row and never closed"
      )
      assert.include(yield* message('a,b\n1,2\n3,"f"our\n'), "t.csv:3: the row is not CSV: Invalid Closing Quote")
      assert.include(yield* message('a,b\n1,f"our\n'), "t.csv:2: the row is not CSV: Invalid Opening Quote")
    })
  )
  it.effect("refuses other encodings and an empty file", () =>
    Effect.gen(function* () {
      assert.include(
        yield* message(Buffer.from("\uFEFFa,b\n1,2\n", "utf16le")),
        "The file looks like UTF-16: save it as UTF-8"
      )
      assert.include(yield* message(Buffer.from("a,b\n1,2\n", "utf16le")), "t.csv:1: holds a NUL character")
      assert.include(yield* message(Buffer.from("a,b\n1,caf\u00e9\n", "latin1")), "t.csv:2: not UTF-8")
      assert.include(yield* message("\n\n"), "t.csv: the table is empty")
    })
  )
})
