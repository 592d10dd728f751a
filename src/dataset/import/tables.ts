import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import { type InputError, inputError } from "../../domain/InputError.ts"
import { type SpooledTable, spoolCsv } from "./csvRows.ts"
import { sourceFiles } from "./drafts.ts"
import type { LeftOut } from "./Importer.ts"

/**
 * The tables of a source that have the columns, one after the other: of a folder, other tables are left out, and it
 * fails where no table is left. A source that is one file must be such a table.
 */
export const readTables = Effect.fn("readTables")(function* <const Column extends string>(
  source: string,
  options: {
    /** As "the MEDEC file". */
    readonly what: string
    readonly columns: ReadonlyArray<Column>
    /** Which files are looked for, as "MEDEC-MS-*.csv". */
    readonly wanted: string
  }
): Effect.fn.Return<
  {
    readonly tables: ReadonlyArray<{ readonly name: string; readonly table: SpooledTable<Column> }>
    readonly leftOut: ReadonlyArray<LeftOut>
  },
  InputError,
  FileSystem.FileSystem | Path.Path
> {
  const { columns, wanted, what } = options
  const files = yield* sourceFiles(source, `${what} or folder`, [".csv"])
  const alone = files.length === 1 && files[0]!.path === source
  const tables: Array<{ readonly name: string; readonly table: SpooledTable<Column> }> = []
  const leftOut: Array<LeftOut> = []
  for (const { name, path } of files) {
    const table = yield* spoolCsv(path, what, { columns, mayLack: !alone })
    if (table.missing.length === 0) tables.push({ name, table })
    else leftOut.push({ file: name, reason: `no table of this format: it has no column ${table.missing.join(", ")}` })
  }
  if (tables.length > 0) return { tables, leftOut }
  return yield* inputError({
    file: source,
    what: `no file of the folder is a table of this format`,
    found: leftOut.map((one) => one.file).join(", "),
    expected: `${wanted}, with the columns ${columns.join(", ")}`
  })
})
