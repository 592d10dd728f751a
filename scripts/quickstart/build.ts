/**
 * `node scripts/quickstart/build.ts`: compiles campaigns/quickstart/source/*.yaml to campaigns/quickstart/dataset.jsonl,
 * the same bytes each time. Refuses sources that have problems.
 */
import { writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { datasetText } from "../../src/dataset/write.ts"
import type { Consultation } from "../../src/domain/Dataset.ts"
import { applyEdit, problems, readSources, type Source } from "./source.ts"

/** The consultation of a source: note `clean`, and for each edit a note `flawed-<edit>` and a pair of the edit's id. */
export const compile = (source: Source): Consultation => ({
  id: source.id,
  stratum: source.stratum,
  language: source.language,
  transcript: source.transcript.trim(),
  facts: source.facts.map(({ evidence, id, severity, text }) => ({ id, text, severity, evidence })),
  notes: [
    { id: "clean", text: source.note.trim() },
    ...source.edits.map((edit) => ({ id: `flawed-${edit.id}`, text: applyEdit(source.note, edit).trim() }))
  ],
  pairs: source.edits.map((edit) => ({
    id: edit.id,
    flawed: `flawed-${edit.id}`,
    clean: "clean",
    class: edit.class,
    ...(edit.trace === undefined ? {} : { trace: edit.trace }),
    severity: edit.severity,
    ...(edit.fact === undefined ? {} : { fact: edit.fact }),
    ...(edit.residual === undefined || edit.residual.length === 0 ? {} : { residual: edit.residual }),
    ...(edit.errorType === undefined ? {} : { errorType: edit.errorType })
  }))
})

/** The text of the dataset: consultations in the order of their ids. */
export const compileAll = (sources: ReadonlyArray<Source>): string =>
  datasetText([...sources].sort((one, other) => (one.id < other.id ? -1 : 1)).map(compile))

if (import.meta.main) {
  const folder = join(dirname(fileURLToPath(import.meta.url)), "../../campaigns/quickstart")
  const sources = readSources(join(folder, "source"))
  const found = sources.flatMap(problems)
  for (const problem of found) console.error(problem)
  if (found.length > 0) process.exit(1)
  writeFileSync(join(folder, "dataset.jsonl"), compileAll(sources))
  console.log(`${sources.length} consultations, ${sources.reduce((sum, one) => sum + one.edits.length, 0)} pairs`)
}
