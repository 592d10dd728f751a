import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Clock from "effect/Clock"
import { userMessage } from "effect/cli/CliError"
import * as Effect from "effect/Effect"
import { errorExitCode } from "effect/Runtime"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { sha256 } from "../domain/hash.ts"
import type { InputError } from "../domain/InputError.ts"
import { sqliteCode, storeProblem } from "./sqlite.ts"

const Holder = Schema.Struct({ pid: Schema.Int, host: Schema.String, since: Schema.String })
type Holder = typeof Holder.Type

/** Another process is running the campaign. It is not disturbed. */
export class LockHeld extends Schema.TaggedError<LockHeld>()("LockHeld", {
  campaign: Schema.String,
  /** Null in the instant before the holder has written its name. */
  holder: Schema.NullOr(Holder)
}) {
  override readonly [errorExitCode] = 2
  override get message(): string {
    const by =
      this.holder === null
        ? "another process"
        : `process ${this.holder.pid} on ${this.holder.host} since ${localTime(this.holder.since)}`
    return `campaign ${this.campaign} is being run by ${by}: wait for it, or stop it first`
  }
  override get [userMessage](): string {
    return this.message
  }
}

/** `10:32` for today, `2026-03-04 10:32` otherwise, in local time. */
const localTime = (iso: string): string => {
  const time = new Date(iso)
  if (Number.isNaN(time.getTime())) return iso
  const two = (n: number) => String(n).padStart(2, "0")
  const day = (of: Date) => `${of.getFullYear()}-${two(of.getMonth() + 1)}-${two(of.getDate())}`
  const clock = `${two(time.getHours())}:${two(time.getMinutes())}`
  return day(time) === day(new Date()) ? clock : `${day(time)} ${clock}`
}

const decodeHolder = Schema.decodeUnknownOption(Schema.fromJsonString(Holder))

const readHolder = (file: string): Holder | null => {
  try {
    const holder = decodeHolder(readFileSync(file, "utf8"))
    return holder._tag === "Some" ? holder.value : null
  } catch {
    // Not written yet.
    return null
  }
}

const busy = 5

/** Locks are held from here: a connection that nothing refers to is closed by the garbage collector, and its lock goes. */
const held = new Set<DatabaseSync>()

/** An exclusive transaction on a small SQLite file: the kernel drops its lock when the process ends, however it ends. */
const lock = (file: string): DatabaseSync | undefined => {
  const database = new DatabaseSync(file, { timeout: 200 })
  try {
    // Without a journal file, a killed process leaves nothing to be rolled back.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE")
    held.add(database)
    return database
  } catch (cause) {
    database.close()
    if (sqliteCode(cause) === busy) return undefined
    throw cause
  }
}

/**
 * Holds the lock of a campaign until the scope closes or the process ends, a killed one included. `folder` is where the
 * locks of a store are kept, `campaignFile` the campaign's absolute path. Not to be relied upon between computers
 * that share a network drive without working file locks.
 */
export const acquire = (options: {
  readonly folder: string
  readonly campaign: string
  readonly campaignFile: string
}): Effect.Effect<void, LockHeld | InputError, Scope.Scope> => {
  const name = sha256(options.campaignFile).slice(0, 24)
  const file = join(options.folder, `${name}.lock`)
  const holderFile = join(options.folder, `${name}.json`)
  const take = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const database = yield* Effect.try({
      try: () => {
        mkdirSync(options.folder, { recursive: true })
        const taken = lock(file)
        const holder: Holder = { pid: process.pid, host: hostname(), since: new Date(now).toISOString() }
        if (taken !== undefined) writeFileSync(holderFile, JSON.stringify(holder))
        return taken
      },
      catch: (cause) => storeProblem(file, cause)
    })
    if (database === undefined)
      return yield* new LockHeld({ campaign: options.campaign, holder: readHolder(holderFile) })
    return database
  })
  return Effect.acquireRelease(take, (database) =>
    Effect.sync(() => {
      // The name goes first: once the lock is free, the file may be another holder's.
      rmSync(holderFile, { force: true })
      database.close()
      held.delete(database)
    })
  ).pipe(Effect.asVoid)
}
