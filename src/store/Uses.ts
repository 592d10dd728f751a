import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as SqlClient from "effect/sql/SqlClient"
import type { Role } from "../model/LanguageModel.ts"
import { CorruptStore, type StoreError, storeError } from "./errors.ts"
import { type JudgementRow, replyOfRow } from "./judgementRow.ts"

/** Which answer a run has used for what: `key` names the judgement. */
export interface Use {
  readonly role: Role
  /** A candidate's id. */
  readonly candidate: string
  /** An item's id; for a reflection, the iteration. */
  readonly item: string
  readonly sample: number
  /** Which stage of the judge's design asked; left out for a reflection. */
  readonly stage?: string
  readonly key: string
}

/** A use with what was asked, answered and paid, for exports. */
export interface UsedJudgement extends Use {
  /** The request, as JSON. */
  readonly request: string
  readonly text: string
  readonly finish: string
  readonly input: number | null
  readonly cachedInput: number | null
  readonly output: number | null
  readonly reasoning: number | null
  readonly cacheWrite: number | null
  /** 1 where the server reported no usage and the tokens were counted instead. */
  readonly estimated: number | null
  readonly cost: number | null
  readonly latencyMs: number
  readonly servedModel: string | null
  /** Milliseconds since 1970. */
  readonly created: number
}

/** What the judge's answers for one candidate took, summed; null where any of them does not say. */
export interface CandidateUse {
  readonly candidate: string
  readonly answers: number
  /** Different notes; one note may take several answers. */
  readonly notes: number
  readonly input: number | null
  readonly output: number | null
  readonly usd: number | null
}

interface Page {
  readonly role: string
  readonly candidate: string
  readonly item: string
  readonly sample: number
  readonly key: string
}

interface Row extends JudgementRow, Page {
  readonly role: Role
  readonly stage: string | null
  readonly request: string
  readonly created: number
}

const fromRow = ({
  cache_write,
  cached_input,
  estimated,
  latency_ms,
  served_model,
  sha256: _,
  stage,
  ...row
}: Row): UsedJudgement => ({
  ...row,
  ...(stage === null ? {} : { stage }),
  cachedInput: cached_input,
  cacheWrite: cache_write ?? null,
  estimated: estimated ?? null,
  latencyMs: latency_ms,
  servedModel: served_model
})

const start: Page = { role: "", candidate: "", item: "", sample: -1, key: "" }
const pageSize = 200

/** The link between runs and the judgements that they rest on, bought by them or before them. */
export class Uses extends Context.Service<
  Uses,
  {
    /** All or none are noted. What is noted already stays as it is. */
    note(run: string, uses: ReadonlyArray<Use>): Effect.Effect<void, StoreError>
    count(run: string, role: Role): Effect.Effect<number, StoreError>
    /** Uses whose answers are no longer stored. */
    missing(run: string): Effect.Effect<number, StoreError>
    /** Of the judge's answers that are still stored, candidate by candidate. */
    byCandidate(run: string): Effect.Effect<ReadonlyArray<CandidateUse>, StoreError>
    /** Ordered by role, candidate, item and sample. Uses whose answers are no longer stored are left out. */
    read(run: string): Stream.Stream<UsedJudgement, CorruptStore | StoreError>
  }
>()("assize/Uses") {
  static readonly layer = Layer.effect(
    Uses,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const insert = (run: string) => (use: Use) =>
        sql`INSERT INTO uses (run, role, candidate, item, sample, key, stage)
            VALUES (${run}, ${use.role}, ${use.candidate}, ${use.item}, ${use.sample}, ${use.key}, ${use.stage ?? null}) ON CONFLICT DO NOTHING`
          .raw

      const note = (run: string, uses: ReadonlyArray<Use>) =>
        uses.length === 0
          ? Effect.void
          : sql
              .withTransaction(Effect.forEach(uses, insert(run), { discard: true }))
              .pipe(Effect.mapError(storeError(`note which judgements run ${run} uses`)))

      const count = (run: string, role: Role) =>
        sql<{ readonly n: number }>`SELECT count(*) AS n FROM uses WHERE run = ${run} AND role = ${role}`.pipe(
          Effect.mapBoth({
            onSuccess: ([row]) => row?.n ?? 0,
            onFailure: storeError(`count the judgements of run ${run}`)
          })
        )

      const missing = (run: string) =>
        sql<{ readonly n: number }>`SELECT count(*) AS n FROM uses
          WHERE run = ${run} AND key NOT IN (SELECT key FROM judgements)`.pipe(
          Effect.mapBoth({
            onSuccess: ([row]) => row?.n ?? 0,
            onFailure: storeError(`count the judgements of run ${run}`)
          })
        )

      const byCandidate = (run: string) =>
        sql<CandidateUse>`
          SELECT candidate, count(*) AS answers, count(DISTINCT item) AS notes,
                 CASE WHEN count(input) = count(*) THEN sum(input) END AS input,
                 CASE WHEN count(output) = count(*) THEN sum(output) END AS output,
                 CASE WHEN count(cost) = count(*) THEN sum(cost) END AS usd
          FROM uses JOIN judgements ON judgements.key = uses.key
          WHERE run = ${run} AND role = 'judge' GROUP BY candidate`.pipe(
          Effect.mapError(storeError(`sum up the judgements of run ${run}`))
        )

      const page = Effect.fnUntraced(function* (run: string, after: Page) {
        const rows = yield* sql<Row>`
          SELECT uses.role, uses.candidate, uses.item, uses.sample, uses.stage, uses.key, request, text, finish, input, cached_input,
                 output, reasoning, cache_write, estimated, cost, latency_ms, served_model, sha256, created
          FROM uses JOIN judgements ON judgements.key = uses.key
          WHERE run = ${run} AND (role, candidate, item, sample, uses.key)
                > (${after.role}, ${after.candidate}, ${after.item}, ${after.sample}, ${after.key})
          ORDER BY role, candidate, item, sample, uses.key LIMIT ${pageSize}`.pipe(
          Effect.mapError(storeError(`read the judgements of run ${run}`))
        )
        const damaged = rows.find((row) => replyOfRow(row.key, row) === undefined)
        if (damaged !== undefined) {
          return yield* new CorruptStore({
            row: `judgement ${damaged.key}`,
            what: "does not match its checksum",
            kind: "judgement"
          })
        }
        const next = rows.length < pageSize ? Option.none<Page>() : Option.some<Page>(rows[rows.length - 1]!)
        return [rows.map(fromRow), next] as const
      })

      const read = (run: string) => Stream.paginate(start, (after: Page) => page(run, after))

      return Uses.of({ note, count, missing, byCandidate, read })
    })
  )
}
