import { mkdirSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Schedule from "effect/Schedule"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { classifySqliteError, SqlError } from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import { type InputError, inputError } from "../domain/InputError.ts"
import { makeCheckpoints, pagesAtMost } from "./checkpoints.ts"
import { isFault, sqliteCode } from "./sqliteCode.ts"

/** How long a statement waits for another process's write before it fails as busy. */
const busyTimeoutMs = 15_000

const busy = 5
const full = 13
const cannotOpen = 14
const hints: ReadonlyMap<number, string> = new Map([
  [busy, "Another process keeps it locked: wait for it, or name another store with --store"],
  [8, "Allow writing to the file and its folder, or name another store with --store"],
  [11, "The file is damaged: restore it from a copy, or name another store with --store"],
  [full, "The disk is full: make room and run the same command again"],
  [cannotOpen, "Check that the path is a file in a folder that you may write to, or name another store with --store"],
  [26, "Name another file with --store"]
])

/** As the file system says it of a lock file. */
const isFullDisk = (cause: unknown): boolean => cause instanceof Error && "code" in cause && cause.code === "ENOSPC"

/** What is wrong with a store file, for a person to act on. */
export const storeProblem = (filename: string, cause: unknown): InputError => {
  const code = sqliteCode(cause)
  return inputError({
    file: filename,
    what: code === 26 ? "this file is not a store: it is no SQLite database" : "the store cannot be opened",
    ...(code === 26 ? {} : { found: cause instanceof Error ? cause.message : String(cause) }),
    hint: hints.get(isFullDisk(cause) ? full : (code ?? cannotOpen)) ?? hints.get(cannotOpen)!
  })
}

const open = (filename: string): DatabaseSync => {
  if (filename !== ":memory:") {
    mkdirSync(dirname(filename), { recursive: true })
    // SQLite would wait for ever at a pipe.
    const stats = statSync(filename, { throwIfNoEntry: false })
    if (stats !== undefined && !stats.isFile() && !stats.isDirectory())
      throw new Error("it is a pipe or a device, not a file")
  }
  const database = new DatabaseSync(filename, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true })
  try {
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${pagesAtMost};`)
    return database
  } catch (cause) {
    database.close()
    throw cause
  }
}

const toSqlError = (cause: unknown, operation: string): SqlError => {
  // The classifier reads `errno`, where node:sqlite says `errcode`.
  const known = isFault(cause) ? Object.assign(cause, { errno: cause.errcode }) : cause
  return new SqlError({
    reason: classifySqliteError(known, { message: isFault(cause) ? cause.message : "statement failed", operation })
  })
}

const beginTransaction = "BEGIN IMMEDIATE"

/** `written` is told of every statement that is no query. */
const connectionTo = (database: DatabaseSync, written: () => void): Connection => {
  const prepared = new Map<string, { readonly statement: StatementSync; readonly writes: boolean }>()
  const known = (sql: string) => {
    const found = prepared.get(sql)
    if (found !== undefined) return found
    const made = { statement: database.prepare(sql), writes: /^\s*(insert|update|delete)\b/i.test(sql) }
    if (prepared.size < 500) prepared.set(sql, made)
    return made
  }
  const prepare = (sql: string): StatementSync => {
    const { statement, writes } = known(sql)
    if (writes) written()
    return statement
  }
  const attempt = <A>(operation: string, run: () => A): Effect.Effect<A, SqlError> =>
    Effect.try({ try: run, catch: (cause) => toSqlError(cause, operation) })
  const bound = (params: ReadonlyArray<unknown>) => params as ReadonlyArray<SQLInputValue>
  const all = (statement: StatementSync, params: ReadonlyArray<unknown>) => {
    statement.setReturnArrays(false)
    return statement.all(...bound(params))
  }
  const values = (statement: StatementSync, params: ReadonlyArray<unknown>) => {
    statement.setReturnArrays(true)
    // With arrays asked for, rows are arrays, whatever the types say.
    return statement.all(...bound(params)) as unknown as ReadonlyArray<ReadonlyArray<unknown>>
  }
  const transformed =
    (transform: (<A extends object>(rows: ReadonlyArray<A>) => ReadonlyArray<A>) | undefined) =>
    (rows: ReadonlyArray<object>) =>
      transform === undefined ? rows : transform(rows)
  return {
    execute: (sql, params, transform) => attempt("execute", () => transformed(transform)(all(prepare(sql), params))),
    executeRaw: (sql, params) => attempt("executeRaw", () => prepare(sql).run(...bound(params))),
    executeStream: () => Stream.die(new Error("streaming statements are not supported: read in pages")),
    executeValues: (sql, params) => attempt("executeValues", () => values(prepare(sql), params)),
    executeValuesUnprepared: (sql, params) =>
      attempt("executeValuesUnprepared", () => values(database.prepare(sql), params)),
    executeUnprepared: (sql, params, transform) =>
      attempt("executeUnprepared", () => transformed(transform)(all(database.prepare(sql), params)))
  }
}

/** A statement whose text is made once. `?` stands for a parameter. In a transaction it belongs to it. */
export interface PreparedStatement<Row> {
  readonly all: (...params: ReadonlyArray<unknown>) => Effect.Effect<ReadonlyArray<Row>, SqlError>
  readonly run: (
    ...params: ReadonlyArray<unknown>
  ) => Effect.Effect<{ readonly changes: number; readonly lastInsertRowid: number }, SqlError>
}

/**
 * Statements and transactions that every call to a model goes through: without the spans and the templates of
 * `SqlClient`, which cost more than SQLite does.
 */
export class Statements extends Context.Service<
  Statements,
  {
    readonly statement: <Row extends object>(text: string) => PreparedStatement<Row>
    /** Runs the writes in a transaction of their own, not within another one. They are not interrupted. */
    readonly transaction: <E>(write: Effect.Effect<void, E>) => Effect.Effect<void, E | SqlError>
  }
>()("assize/Statements") {}

class OpenFailure extends Data.TaggedError("OpenFailure")<{ readonly cause: unknown }> {}

const make = Effect.fnUntraced(function* (filename: string) {
  const database = yield* Effect.acquireRelease(
    Effect.try({ try: () => open(filename), catch: (cause) => new OpenFailure({ cause }) }).pipe(
      // Two processes that make one store at the same time: switching to WAL does not wait by itself.
      Effect.retry({
        while: ({ cause }) => sqliteCode(cause) === busy,
        schedule: Schedule.spaced("50 millis"),
        times: 100
      }),
      Effect.mapError(({ cause }) => storeProblem(filename, cause))
    ),
    (database) => Effect.sync(() => database.close())
  )
  const connection = connectionTo(database, yield* makeCheckpoints(filename))
  const { acquirer, borrower, transactionAcquirer, onCommitFailure, isTransaction } = SqlClient.makeSqliteAcquirers({
    connection: Effect.succeed(connection),
    semaphore: Semaphore.makeUnsafe(1),
    isTransaction: () => database.isTransaction
  })
  const client = yield* SqlClient.make({
    acquirer,
    borrower,
    transactionAcquirer,
    onCommitFailure,
    isTransaction,
    driver: "node-sqlite",
    compiler: Statement.makeCompilerSqlite(),
    // A deferred transaction that turns to writing is refused at once when another process has written meanwhile.
    beginTransaction,
    prepareTransactionControls: true,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [["db.system.name", "sqlite"]]
  })

  const within = <A>(use: (connection: Connection) => Effect.Effect<A, SqlError>) =>
    Effect.withFiber<A, SqlError>((fiber) => {
      const own = Context.getOrUndefined(fiber.context, client.transactionService)
      return own === undefined ? borrower(use) : use(own[0])
    })
  const statement = <Row extends object>(text: string): PreparedStatement<Row> => ({
    all: (...params) =>
      within(({ execute }) => execute(text, params, undefined) as Effect.Effect<ReadonlyArray<Row>, SqlError>),
    run: (...params) =>
      within(
        ({ executeRaw }) =>
          executeRaw(text, params) as Effect.Effect<{ changes: number; lastInsertRowid: number }, SqlError>
      )
  })
  const control = (text: string) => connection.execute(text, [], undefined)
  const commit = Effect.tapCause(control("COMMIT"), () => Effect.orDie(onCommitFailure(connection)))
  const transaction = <E>(write: Effect.Effect<void, E>): Effect.Effect<void, E | SqlError> =>
    Effect.uninterruptible(
      borrower(() =>
        Effect.andThen(
          control(beginTransaction),
          Effect.matchCauseEffect(Effect.provideService(write, client.transactionService, [connection, 0]), {
            onFailure: (cause) => Effect.andThen(Effect.orDie(onCommitFailure(connection)), Effect.failCause(cause)),
            onSuccess: () => Effect.asVoid(commit)
          })
        )
      )
    )
  return Context.make(SqlClient.SqlClient, client).pipe(Context.add(Statements, { statement, transaction }))
})

/**
 * A connection to the SQLite file (or `:memory:`), made with its folder where it does not exist. Several processes may
 * hold one each. Statements of one process run one at a time; streaming is not supported.
 */
export const layer = (filename: string): Layer.Layer<SqlClient.SqlClient | Statements, InputError> =>
  Layer.effectContext(make(filename)).pipe(Layer.provide(Reactivity.layer))
