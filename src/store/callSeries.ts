import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { CallOutcome } from "../model/outcome.ts"
import { isAnswered, isSent } from "../model/outcome.ts"
import { storeError } from "./errors.ts"

/** Calls of one outcome that were sent within one stretch of time. */
export interface CallStretch {
  /** The end of the stretch, in milliseconds since 1970: when the last of its calls was sent. */
  readonly until: number
  /** Requests sent, as a budget counts them. */
  readonly calls: number
  /** Of answered calls. */
  readonly tokens: number
  /** US dollars of the answered calls whose cost is known. */
  readonly usd: number
  /** Answered calls whose cost is unknown. */
  readonly unpriced: number
}

interface Row {
  readonly stretch: number
  readonly outcome: CallOutcome | "sent"
  readonly until: number
  readonly calls: number
  readonly tokens: number
  readonly cost: number
  readonly unknown: number
}

/** At how many times the course of the spending is looked at, at most. */
const stretches = 400

/** What a run has bought, in the order of time, in a few hundred steps however many its calls. */
export const callSeries = Effect.fn("callSeries")(function* (run: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<Row>`
    WITH span AS (SELECT min(time) AS first, max(time) - min(time) + 1 AS length FROM calls WHERE run = ${run})
    SELECT (time - span.first) * ${stretches} / span.length AS stretch, outcome, max(time) AS until, count(*) AS calls,
           coalesce(sum(coalesce(input, 0) + coalesce(output, 0)), 0) AS tokens, coalesce(sum(cost), 0) AS cost,
           count(*) - count(cost) AS unknown
    FROM calls, span WHERE run = ${run} GROUP BY stretch, outcome ORDER BY stretch, outcome`.pipe(
    Effect.mapError(storeError(`read what run ${run} bought when`))
  )
  return [...Map.groupBy(rows, ({ stretch }) => stretch).values()].map((some): CallStretch => {
    const answered = some.filter(({ outcome }) => isAnswered(outcome))
    const sum = (of: (row: Row) => number, among: ReadonlyArray<Row>) => among.reduce((all, row) => all + of(row), 0)
    return {
      until: Math.max(...some.map(({ until }) => until)),
      calls: sum(
        ({ calls }) => calls,
        some.filter(({ outcome }) => isSent(outcome))
      ),
      tokens: sum(({ tokens }) => tokens, answered),
      usd: sum(({ cost }) => cost, answered),
      unpriced: sum(({ unknown }) => unknown, answered)
    }
  })
})
