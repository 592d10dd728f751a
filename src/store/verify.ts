import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { hashOf } from "../domain/hash.ts"
import { inputError } from "../domain/InputError.ts"
import { RunSettings } from "../domain/RunEvent.ts"
import { confirmationChecksum } from "./Confirmations.ts"
import { decodeEventRow, type EventRow } from "./eventRow.ts"
import { decodeOutcome, type WrittenOutcome } from "./Findings.ts"
import { checkedJudgements } from "./judgementCheck.ts"
import { latestVersion, storeVersion } from "./migrations.ts"
import { type KnownRun, runStatuses } from "./runStatuses.ts"

/** One thing that is not as it was written. */
export interface Damage {
  /** As `judgement 3fa2…` or `event 12 of run quickstart-1`. */
  readonly row: string
  /** Ends a sentence that starts with the row. */
  readonly what: string
  readonly kind: "file" | "judgement" | "run" | "call"
}

export interface Verification {
  readonly file: string
  /** How many rows were looked at. */
  readonly checked: {
    readonly judgements: number
    readonly runs: number
    readonly events: number
    readonly calls: number
    readonly confirmations: number
  }
  readonly damage: ReadonlyArray<Damage>
  /** What is no damage and yet worth knowing. */
  readonly remarks: ReadonlyArray<string>
}

const decodeSettings = Schema.decodeUnknownEffect(Schema.fromJsonString(RunSettings))
/** What an outcome looks like: which there are is the business of who writes them. */
const outcomePattern = /^[a-z]+(-[a-z]+)*$/
const pageSize = 100

/** `1 call`, `2 calls`. */
const counted = (n: number, noun: string) => `${n} ${noun}${n === 1 ? "" : "s"}`

/**
 * Looks at every row of the store and changes none: SQLite's own integrity and foreign keys, each answer's checksum and
 * place, each run's settings, its events' order, checksums and shape, what became of calls, and read-outs. A store of an earlier
 * version is looked at as it is. `locks` is the folder of the store's locks.
 */
export const verifyStore = Effect.fn("verifyStore")(function* (file: string, locks: string) {
  const sql = yield* SqlClient.SqlClient
  const damage: Array<Damage> = []
  const remarks: Array<string> = []
  const checked = { judgements: 0, runs: 0, events: 0, calls: 0, confirmations: 0 }
  const hasTable = (name: string) =>
    Effect.orElseSucceed(
      Effect.map(sql`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ${name}`, (rows) => rows.length > 0),
      () => false
    )
  /** A table that cannot be read to its end is one more damage, and no reason not to look at the others. */
  const section = <R>(table: string, work: Effect.Effect<void, SqlError, R>): Effect.Effect<void, never, R> =>
    Effect.catch(work, ({ reason: { cause } }) =>
      Effect.sync(() => {
        const why = cause instanceof Error ? cause.message : String(cause)
        damage.push({ row: table, what: `cannot be read to its end (${why})`, kind: "file" })
      })
    )

  const version = yield* Effect.orElseSucceed(storeVersion, () => 0)
  if (version === 0 || version > latestVersion) {
    return yield* inputError({
      file,
      what: version === 0 ? "this file is no store of assize" : "this store was written by a later version of assize",
      hint: version === 0 ? "Name the store with --store" : "Upgrade assize"
    })
  }

  yield* section(
    "the file",
    Effect.gen(function* () {
      const rows = yield* sql<{ readonly integrity_check: string }>`PRAGMA integrity_check(1000)`
      for (const { integrity_check } of rows)
        if (integrity_check !== "ok") damage.push({ row: "the file", what: integrity_check, kind: "file" })
      const orphans = yield* sql<{ readonly table: string; readonly rowid: number | null; readonly parent: string }>`
        PRAGMA foreign_key_check`
      for (const { parent, rowid, table } of orphans)
        damage.push({
          row: rowid === null ? `a row of ${table}` : `row ${rowid} of ${table}`,
          what: `belongs to a row of ${parent} that is not there`,
          kind: "run"
        })
    })
  )

  yield* section(
    "the table of judgements",
    checkedJudgements.pipe(
      Stream.runForEach((page) =>
        Effect.sync(() => {
          checked.judgements += page.length
          for (const { damage: what, key } of page)
            if (what !== undefined) damage.push({ row: `judgement ${key}`, what, kind: "judgement" })
        })
      )
    )
  )

  const [column] = yield* sql<{ readonly n: number }>`
    SELECT count(*) AS n FROM pragma_table_info('events') WHERE name = 'sha256'`.pipe(Effect.orElseSucceed(() => []))
  const checksum = sql.literal(column?.n === 1 ? "sha256" : "NULL AS sha256")
  let unchecked = 0

  const verifyLog = Effect.fnUntraced(function* (run: string) {
    let next = 0
    while (true) {
      const rows = yield* sql<EventRow>`SELECT sequence, type, time, payload, ${checksum} FROM events
        WHERE run = ${run} AND sequence >= ${next} ORDER BY sequence LIMIT ${pageSize}`
      for (const row of rows) {
        if (row.sequence > next) {
          const what = row.sequence - next === 1 ? `event ${next}` : `events ${next} to ${row.sequence - 1}`
          damage.push({ row: `${what} of run ${run}`, what: "missing", kind: "run" })
        }
        const name = `event ${row.sequence} of run ${run}`
        if (row.sequence === 0 && row.type !== "started")
          damage.push({ row: name, what: `is ${row.type}, and the first of a run is started`, kind: "run" })
        const decoded = yield* Effect.result(decodeEventRow(run, row))
        if (decoded._tag === "Failure") damage.push({ row: name, what: decoded.failure, kind: "run" })
        if (row.sha256 === null) unchecked++
        next = row.sequence + 1
      }
      checked.events += rows.length
      if (rows.length < pageSize) return
    }
  })

  yield* section(
    "the tables of runs and events",
    Effect.gen(function* () {
      const runs = yield* sql<{ readonly id: string; readonly settings: string; readonly hash: string }>`
        SELECT id, settings, settings_hash AS hash FROM runs ORDER BY created, rowid`
      for (const { hash, id, settings } of runs) {
        checked.runs++
        const decoded = yield* Effect.result(decodeSettings(settings))
        if (decoded._tag === "Failure") damage.push({ row: `run ${id}`, what: "has unreadable settings", kind: "run" })
        else if (hashOf(decoded.success) !== hash)
          damage.push({ row: `run ${id}`, what: "has settings that do not match their checksum", kind: "run" })
        yield* verifyLog(id)
      }
    })
  )
  if (unchecked > 0)
    remarks.push(`${counted(unchecked, "event")} from before events had checksums: read, and not compared with one`)

  yield* section(
    "the table of calls",
    Effect.gen(function* () {
      const known: ReadonlyArray<KnownRun> = yield* Effect.orElseSucceed(runStatuses(locks), () => [])
      const running = new Set(known.filter(({ status }) => status === "running").map(({ id }) => id))
      const rows = yield* sql<{ readonly run: string; readonly outcome: string; readonly n: number }>`
        SELECT run, outcome, count(*) AS n FROM calls GROUP BY run, outcome ORDER BY run, outcome`
      for (const { n, outcome, run } of rows) {
        checked.calls += n
        if (!outcomePattern.test(outcome))
          damage.push({
            row: `${counted(n, "call")} of run ${run}`,
            what: `${n === 1 ? "has" : "have"} an outcome that cannot be, ${JSON.stringify(outcome)}`,
            kind: "call"
          })
        if (outcome === "sent")
          remarks.push(
            running.has(run)
              ? `${counted(n, "call")} of run ${run} under way`
              : `${counted(n, "call")} of run ${run} sent and never settled: the process ended first, so they count against its budget at what was reserved`
          )
      }
      const [open] = yield* sql<{ readonly n: number; readonly batches: number }>`
        SELECT count(*) AS n, count(DISTINCT batch) AS batches FROM batch_requests`.pipe(
        // A store of an earlier version has no batches.
        Effect.orElseSucceed(() => [])
      )
      if (open !== undefined && open.n > 0)
        remarks.push(
          `${counted(open.n, "request")} of ${open.batches === 1 ? "a batch" : `${open.batches} batches`} under way at a server: the command that sent them waits for the answers when it is run again`
        )
      const [gone] = yield* sql<{ readonly n: number; readonly runs: number }>`
        SELECT count(*) AS n, count(DISTINCT run) AS runs FROM uses WHERE key NOT IN (SELECT key FROM judgements)`
      if (gone !== undefined && gone.n > 0)
        remarks.push(
          `${counted(gone.n, "use")} of answers that are no longer stored, in ${counted(gone.runs, "run")}: their exports are without them`
        )
    })
  )

  const readOuts = sql<{ readonly opening: string; readonly readOut: string; readonly sha256: string }>`
    SELECT opening, read_out AS "readOut", sha256 FROM confirmations ORDER BY created, rowid`
  if (yield* hasTable("confirmations")) {
    yield* section(
      "the table of read-outs",
      Effect.map(readOuts, (rows) => {
        checked.confirmations += rows.length
        for (const { opening, readOut, sha256 } of rows)
          if (confirmationChecksum(opening, readOut) !== sha256)
            damage.push({ row: `confirmation ${opening}`, what: "does not match its checksum", kind: "run" })
      })
    )
  }

  const findings = sql<WrittenOutcome & { readonly run: string }>`
    SELECT run, candidate, item, outcome FROM findings ORDER BY run, candidate, item`
  if (yield* hasTable("findings")) {
    yield* section(
      "the table of findings",
      Effect.flatMap(findings, (rows) =>
        Effect.forEach(rows, (row) =>
          Effect.catch(decodeOutcome(row.outcome), () =>
            Effect.sync(() => {
              const what = "are no outcome of a judgement"
              damage.push({ row: `findings of ${row.candidate} on ${row.item} in run ${row.run}`, what, kind: "run" })
            })
          )
        )
      )
    )
  }

  return { file, checked, damage, remarks } satisfies Verification as Verification
})
