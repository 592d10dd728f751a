import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import { type InputError, inputError } from "../domain/InputError.ts"
import { storeProblem } from "./sqlite.ts"

const statements = (texts: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    for (const text of texts) yield* sql.unsafe(text)
  })

/** Times are milliseconds since 1970. Columns that count tokens are null where the server reported no usage. */
const migrations = {
  "0001_runs_and_judgements": statements([
    `CREATE TABLE runs (
      id TEXT PRIMARY KEY NOT NULL,
      campaign TEXT NOT NULL,
      campaign_file TEXT NOT NULL,
      settings TEXT NOT NULL,
      settings_hash TEXT NOT NULL,
      created INTEGER NOT NULL
    )`,
    "CREATE INDEX runs_by_campaign_file ON runs (campaign_file)",
    `CREATE TABLE events (
      run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      sequence INTEGER NOT NULL,
      type TEXT NOT NULL,
      payload TEXT NOT NULL,
      time INTEGER NOT NULL,
      PRIMARY KEY (run, sequence)
    )`,
    `CREATE TABLE judgements (
      key TEXT PRIMARY KEY NOT NULL,
      request TEXT NOT NULL,
      text TEXT NOT NULL,
      finish TEXT NOT NULL,
      input INTEGER,
      cached_input INTEGER,
      output INTEGER,
      reasoning INTEGER,
      cost REAL,
      latency_ms REAL NOT NULL,
      served_model TEXT,
      sha256 TEXT NOT NULL,
      created INTEGER NOT NULL
    )`,
    // What a call counts for against the budget stands in charged_*: the reservation until it is settled.
    `CREATE TABLE calls (
      id INTEGER PRIMARY KEY,
      run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      role TEXT NOT NULL,
      key TEXT NOT NULL,
      outcome TEXT NOT NULL,
      input INTEGER,
      cached_input INTEGER,
      output INTEGER,
      reasoning INTEGER,
      cost REAL,
      charged_tokens INTEGER NOT NULL,
      charged_usd REAL,
      latency_ms REAL,
      time INTEGER NOT NULL
    )`,
    "CREATE INDEX calls_by_run ON calls (run)",
    `CREATE TABLE uses (
      run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      role TEXT NOT NULL,
      candidate TEXT NOT NULL,
      item TEXT NOT NULL,
      sample INTEGER NOT NULL,
      key TEXT NOT NULL,
      PRIMARY KEY (run, role, candidate, item, sample, key)
    ) WITHOUT ROWID`,
    `CREATE TABLE sessions (
      id INTEGER PRIMARY KEY,
      run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      started INTEGER NOT NULL,
      seen INTEGER NOT NULL
    )`,
    "CREATE INDEX sessions_by_run ON sessions (run)"
  ]),
  // Null for the events that are there already: nothing can be said of them now that was not known when they were written.
  "0002_event_checksums": statements(["ALTER TABLE events ADD COLUMN sha256 TEXT"]),
  "0003_usage_details": statements(
    ["judgements", "calls"].flatMap((name) => [
      `ALTER TABLE ${name} ADD COLUMN cache_write INTEGER`,
      `ALTER TABLE ${name} ADD COLUMN estimated INTEGER`
    ])
  ),
  // Which process is buying which request, for as long as it does.
  "0004_claims": statements([
    `CREATE TABLE claims (
      key TEXT PRIMARY KEY NOT NULL,
      owner TEXT NOT NULL,
      host TEXT NOT NULL,
      pid INTEGER NOT NULL,
      expires INTEGER NOT NULL
    ) WITHOUT ROWID`
  ]),
  "0005_confirmations": statements([
    `CREATE TABLE confirmations (
      opening TEXT PRIMARY KEY NOT NULL,
      run TEXT NOT NULL,
      split TEXT NOT NULL,
      preregistration TEXT NOT NULL,
      read_out TEXT NOT NULL,
      sha256 TEXT NOT NULL,
      created INTEGER NOT NULL
    )`,
    `CREATE TABLE confirmation_answers (
      opening TEXT NOT NULL,
      key TEXT NOT NULL,
      PRIMARY KEY (opening, key)
    ) WITHOUT ROWID`,
    // A ledger whose last lines were cut off is still a sound chain: what was written is known here as well.
    `CREATE TABLE ledger_lines (
      split TEXT NOT NULL,
      line INTEGER NOT NULL,
      hash TEXT NOT NULL,
      PRIMARY KEY (split, hash)
    ) WITHOUT ROWID`
  ]),
  "0006_batches": statements([
    // Of a run, or of a scoring, which is none: so there is no reference to the runs.
    `CREATE TABLE batches (
      id TEXT PRIMARY KEY NOT NULL,
      run TEXT NOT NULL,
      model TEXT NOT NULL,
      address TEXT NOT NULL,
      holder TEXT NOT NULL,
      requests INTEGER NOT NULL,
      server_id TEXT,
      file TEXT,
      status TEXT NOT NULL DEFAULT 'noted',
      created INTEGER NOT NULL,
      touched INTEGER NOT NULL,
      submitted INTEGER
    )`,
    // Only what is under way; its key keeps a request from being in two batches at once.
    `CREATE TABLE batch_requests (
      key TEXT PRIMARY KEY NOT NULL,
      batch TEXT NOT NULL REFERENCES batches (id) ON DELETE CASCADE,
      call INTEGER,
      tokens INTEGER NOT NULL,
      usd REAL
    ) WITHOUT ROWID`,
    "CREATE INDEX batch_requests_by_batch ON batch_requests (batch)"
  ]),
  // Null for the answers of old: they were asked by the one stage of a whole-note judge.
  "0007_stages": statements([
    "ALTER TABLE uses ADD COLUMN stage TEXT",
    `CREATE TABLE findings (
      run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      candidate TEXT NOT NULL,
      item TEXT NOT NULL,
      outcome TEXT NOT NULL,
      PRIMARY KEY (run, candidate, item)
    ) WITHOUT ROWID`
  ])
}

const table = "migrations"

/** The version that this program writes: a store's version is its newest migration. */
export const latestVersion = Math.max(...Object.keys(migrations).map((name) => Number.parseInt(name, 10)))

/** The store's version, 0 for an empty one. Fails where there is no table of migrations. */
export const storeVersion = SqlClient.SqlClient.use(
  (sql) => sql<{ readonly newest: number | null }>`SELECT max(migration_id) AS newest FROM ${sql(table)}`
).pipe(Effect.map(([row]) => row?.newest ?? 0))

/** Brings the store up to date. A store that a later version has written is refused, untouched. */
const migrate = (filename: string) =>
  Effect.gen(function* () {
    yield* Migrator.make({})({ loader: Migrator.fromRecord(migrations), table })
    const version = yield* storeVersion
    if (version > latestVersion) {
      return yield* inputError({
        file: filename,
        what: "this store was written by a later version of assize",
        found: `store version ${version}`,
        expected: `at most ${latestVersion}`,
        hint: "Upgrade assize, or name another store with --store"
      })
    }
  }).pipe(
    Effect.catchTag(["SqlError", "MigrationError"], (error) => {
      const cause = error._tag === "SqlError" ? error.reason.cause : (error.cause ?? error)
      return Effect.fail(storeProblem(filename, cause))
    })
  )

export const layer = (filename: string): Layer.Layer<never, InputError, SqlClient.SqlClient> =>
  Layer.effectDiscard(migrate(filename))
