import { ErrorClass, Severity, Trace } from "../domain/Dataset.ts"
import { type Outcomes, scoreOf } from "../domain/Judgement.ts"
import type { ItemTable } from "../domain/RunEvent.ts"
import type { JudgedNotes, NoteSet } from "../measure/scoredNotes.ts"
import { clusterNumbers } from "../statistics/clusterOrder.ts"

/** Notes and pairs of a run's table as measures take them. Fails with an Error on a table that names a note it does not list. */
export const notesOfTable = (table: ItemTable): NoteSet => {
  const positions = new Map(table.items.map(({ id }, at) => [id, at]))
  const position = (id: string): number => {
    const at = positions.get(id)
    if (at === undefined) throw new Error(`the run's table of notes has no note ${id}`)
    return at
  }
  const consultations = clusterNumbers(table.items.map(({ consultation }) => consultation))
  const strata = [...new Set(table.pairs.flatMap(({ stratum }) => stratum ?? []))].sort()
  const codes = (values: ReadonlyArray<string>, of: (pair: ItemTable["pairs"][number]) => string | undefined) =>
    table.pairs.map((pair) => values.indexOf(of(pair) ?? ""))
  return {
    consultation: Int32Array.from(table.items, ({ consultation }) => consultations.get(consultation)!),
    consultations: consultations.size,
    clean: Int32Array.from(table.clean, position),
    pairs: {
      flawed: Int32Array.from(table.pairs, ({ flawed }) => position(flawed)),
      clean: Int32Array.from(table.pairs, ({ clean }) => position(clean)),
      class: Int8Array.from(codes(ErrorClass.literals, (pair) => pair.class)),
      trace: Int8Array.from(codes(Trace.literals, (pair) => pair.trace)),
      severity: Int8Array.from(codes(Severity.literals, (pair) => pair.severity)),
      stratum: Int32Array.from(codes(strata, (pair) => pair.stratum))
    },
    strata
  }
}

/** What a run's judge made of the notes, with failed calls as not judged. */
export const judgedOfOutcomes = (
  judge: string,
  replicate: string,
  table: ItemTable,
  outcomes: Outcomes
): JudgedNotes => ({
  judge,
  replicate,
  scores: Float64Array.from(table.items, ({ id }) => scoreOf(outcomes[id])),
  judged: Uint8Array.from(table.items, ({ id }) =>
    outcomes[id] === undefined || outcomes[id]._tag === "failed" ? 0 : 1
  )
})
