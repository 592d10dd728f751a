import type { ScoreRow } from "../dataset/import/Importer.ts"
import { type ItemSet, noteIdOf } from "../domain/Item.ts"
import type { JudgedNotes } from "../measure/scoredNotes.ts"

export interface ScoreRows {
  readonly rows: ReadonlyArray<ScoreRow>
  /** Pairs whose flawed note belongs to an earlier pair too: a table has one clean twin a note. */
  readonly lost: number
}

/** The texts from outside that the rows of these judges would hold. */
export const textsOfRows = ({ items, pairs }: ItemSet, judges: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...judges,
  ...items.flatMap((item) => [item.consultation, noteIdOf(item)]),
  ...pairs.flatMap(({ stratum }) => stratum ?? [])
]

/**
 * The score of every judged note, as `assize score --scores` reads it: null where the judgement could not be read; a note
 * whose calls failed has no row.
 */
export const scoreRows = ({ items, pairs }: ItemSet, runs: ReadonlyArray<JudgedNotes>): ScoreRows => {
  const pairOf = new Map<number, (typeof pairs)[number]>()
  for (const pair of pairs) if (!pairOf.has(pair.flawed)) pairOf.set(pair.flawed, pair)
  const rows = runs.flatMap(({ judge, judged, replicate, scores }) =>
    items.flatMap((item, at): ReadonlyArray<ScoreRow> => {
      if (judged[at] !== 1) return []
      const pair = pairOf.get(at)
      return [
        {
          consultation: item.consultation,
          note: noteIdOf(item),
          clean: pair === undefined ? "" : noteIdOf(items[pair.clean]!),
          ...(pair === undefined ? {} : { class: pair.class }),
          ...(pair?.trace === undefined ? {} : { trace: pair.trace }),
          ...(pair?.severity === undefined ? {} : { severity: pair.severity }),
          ...(pair?.stratum === undefined ? {} : { stratum: pair.stratum }),
          judge,
          replicate: Number(replicate),
          score: Number.isNaN(scores[at]!) ? null : scores[at]!
        }
      ]
    })
  )
  return { rows, lost: pairs.length - pairOf.size }
}
