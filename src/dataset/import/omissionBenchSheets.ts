import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Schema from "effect/Schema"
import type { Fact } from "../../domain/Dataset.ts"
import type { InputError } from "../../domain/InputError.ts"
import { cleanTexts } from "../parseJson.ts"
import { type Release, readJsonFile } from "./omissionBenchFiles.ts"

const MustContain = Schema.Union([
  Schema.String,
  Schema.Struct({
    fact: Schema.String,
    evidence: Schema.optionalKey(Schema.NullOr(Schema.String)),
    load_bearing: Schema.optionalKey(Schema.NullOr(Schema.String)),
    scope: Schema.optionalKey(Schema.NullOr(Schema.String))
  })
])

const Sheet = Schema.Struct({
  must_contain: Schema.optionalKey(Schema.Array(MustContain)),
  must_not_contain: Schema.optionalKey(Schema.Array(Schema.Unknown)),
  salience_traps: Schema.optionalKey(Schema.Array(Schema.Unknown))
})

const Entry = Schema.Struct({ id: Schema.NonEmptyString, fact_sheet: Sheet })
const Document = Schema.Union([
  Schema.Struct({ records: Schema.Array(Schema.Unknown) }),
  Schema.Struct({ scenarios: Schema.Array(Schema.Unknown) })
])

export interface FactSheet {
  /** `mc0`, `mc1`, …: the place in `must_contain`. */
  readonly facts: ReadonlyArray<Fact>
  /** What the dataset format has no place for; `load_bearing` is not the severity of an omission. */
  readonly rest: {
    readonly facts: ReadonlyArray<{ readonly id: string; readonly load_bearing?: string; readonly scope?: string }>
    readonly must_not_contain: ReadonlyArray<unknown>
    readonly salience_traps: ReadonlyArray<unknown>
  }
}

const sheetOf = (sheet: typeof Sheet.Type): FactSheet => {
  const items = (sheet.must_contain ?? []).map((item, at) => ({
    id: `mc${at}`,
    ...(typeof item === "string" ? { fact: item } : item)
  }))
  const present = items.filter(({ fact }) => fact.trim() !== "")
  return {
    facts: present.map((item) => ({
      id: item.id,
      text: item.fact,
      ...("evidence" in item && typeof item.evidence === "string" ? { evidence: item.evidence } : {})
    })),
    rest: {
      facts: present.map((item) => ({
        id: item.id,
        ...("load_bearing" in item && typeof item.load_bearing === "string" ? { load_bearing: item.load_bearing } : {}),
        ...("scope" in item && typeof item.scope === "string" ? { scope: item.scope } : {})
      })),
      must_not_contain: sheet.must_not_contain ?? [],
      salience_traps: sheet.salience_traps ?? []
    }
  }
}

/**
 * The fact sheets of a release by consultation key: `<stratum>.json`, wherever it is, of records or scenarios.
 * Entries that cannot be read are in `warnings`.
 */
export const readFactSheets = Effect.fn("readFactSheets")(function* (
  release: Release,
  strata: ReadonlySet<string>
): Effect.fn.Return<
  {
    readonly files: ReadonlyArray<string>
    readonly sheets: ReadonlyMap<string, FactSheet>
    readonly warnings: ReadonlyArray<string>
  },
  InputError,
  FileSystem.FileSystem | Path.Path
> {
  const path = yield* Path.Path
  const sheets = new Map<string, FactSheet>()
  const files: Array<string> = []
  const warnings: Array<string> = []
  for (const name of release.names) {
    const stratum = /^(?!judgements\/|transcripts\/)(?:.*\/)?([^/]+)\.json$/.exec(name)?.[1]
    if (stratum === undefined || !strata.has(stratum) || name === release.pairs) continue
    const { value } = cleanTexts(yield* readJsonFile(path.join(release.folder, name), "the file of fact sheets"))
    if (!Schema.is(Document)(value)) {
      warnings.push(`${name}: no file of fact sheets: it has neither records nor scenarios`)
      continue
    }
    files.push(name)
    const entries = "records" in value ? value.records : value.scenarios
    for (const [at, entry] of entries.entries()) {
      if (!Schema.is(Entry)(entry)) {
        warnings.push(`${name}: entry ${at + 1} has no id or no usable fact_sheet`)
        continue
      }
      const key = `${stratum}|${entry.id}`
      if (sheets.has(key))
        warnings.push(`${name}: entry ${at + 1} is a second sheet of ${JSON.stringify(key)}; the first is kept`)
      else sheets.set(key, sheetOf(entry.fact_sheet))
    }
  }
  return { files, sheets, warnings }
})
