import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as SqlClient from "effect/sql/SqlClient"
import { Outcome, type Outcomes } from "../domain/Judgement.ts"
import { CorruptStore, type StoreError, storeError } from "./errors.ts"

/** A judgement of a run that says what its score is made of. */
export interface KeptOutcome {
  /** A candidate's id. */
  readonly candidate: string
  /** An item's id. */
  readonly item: string
  readonly outcome: Outcome
}

const Row = Schema.fromJsonString(Outcome)
/** Of the text that a judgement is kept as. */
export const decodeOutcome = Schema.decodeUnknownEffect(Row)
const encode = Schema.encodeSync(Row)

/** Whether an outcome says more than its score and reason, and so is kept beside the log, which holds scores alone. */
const saysMore = (outcome: Outcome): boolean =>
  outcome._tag === "scored" && (outcome.findings !== undefined || outcome.flagged !== undefined)

const pageSize = 200

/** A row of the table. */
export interface WrittenOutcome {
  readonly candidate: string
  readonly item: string
  readonly outcome: string
}

/** What the judgements of runs are made of: facts with their verdicts, questions, criteria, and flags. */
export class Findings extends Context.Service<
  Findings,
  {
    /** Keeps those outcomes that say more than a score. A later judgement takes the place of an earlier one. */
    note(run: string, candidate: string, outcomes: Outcomes): Effect.Effect<void, StoreError>
    find(run: string, candidate: string, item: string): Effect.Effect<Option.Option<Outcome>, CorruptStore | StoreError>
    /** Ordered by candidate and item. */
    read(run: string): Stream.Stream<KeptOutcome, CorruptStore | StoreError>
  }
>()("assize/Findings") {
  static readonly layer = Layer.effect(
    Findings,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const note = (run: string, candidate: string, outcomes: Outcomes) => {
        const more = Object.entries(outcomes).filter(([, outcome]) => saysMore(outcome))
        if (more.length === 0) return Effect.void
        return sql
          .withTransaction(
            Effect.forEach(
              more,
              ([item, outcome]) =>
                sql`INSERT OR REPLACE INTO findings (run, candidate, item, outcome)
                    VALUES (${run}, ${candidate}, ${item}, ${encode(outcome)})`.raw,
              { discard: true }
            )
          )
          .pipe(Effect.mapError(storeError(`note the findings of run ${run}`)))
      }

      const read1 = ({ candidate, item, outcome }: WrittenOutcome) =>
        decodeOutcome(outcome).pipe(
          Effect.mapBoth({
            onSuccess: (decoded): KeptOutcome => ({ candidate, item, outcome: decoded }),
            onFailure: () =>
              new CorruptStore({
                row: `findings of candidate ${candidate} on ${item}`,
                what: "are no outcome of a judgement",
                kind: "judgement"
              })
          })
        )

      const find = Effect.fnUntraced(function* (run: string, candidate: string, item: string) {
        const [row] = yield* sql<WrittenOutcome>`SELECT candidate, item, outcome FROM findings
          WHERE run = ${run} AND candidate = ${candidate} AND item = ${item}`.pipe(
          Effect.mapError(storeError(`read the findings of run ${run}`))
        )
        return row === undefined ? Option.none() : Option.some((yield* read1(row)).outcome)
      })

      const page = Effect.fnUntraced(function* (run: string, after: Pick<WrittenOutcome, "candidate" | "item">) {
        const rows = yield* sql<WrittenOutcome>`SELECT candidate, item, outcome FROM findings
          WHERE run = ${run} AND (candidate, item) > (${after.candidate}, ${after.item})
          ORDER BY candidate, item LIMIT ${pageSize}`.pipe(
          Effect.mapError(storeError(`read the findings of run ${run}`))
        )
        const next = rows.length < pageSize ? Option.none<WrittenOutcome>() : Option.some(rows[rows.length - 1]!)
        return [yield* Effect.forEach(rows, read1), next] as const
      })

      const read = (run: string) =>
        Stream.paginate({ candidate: "", item: "" }, (after: Pick<WrittenOutcome, "candidate" | "item">) =>
          page(run, after)
        )

      return Findings.of({ note, find, read })
    })
  )
}
