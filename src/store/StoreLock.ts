import { readdirSync } from "node:fs"
import { join } from "node:path"
import * as Clock from "effect/Clock"
import { userMessage } from "effect/cli/CliError"
import * as Effect from "effect/Effect"
import { errorExitCode } from "effect/Runtime"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { InputError } from "../domain/InputError.ts"
import { isHeldAlone, release, take } from "./fileLock.ts"
import { Holder, holderWords, readHolder, removeHolder, thisProcess, writeHolder } from "./lockHolder.ts"
import { storeProblem } from "./sqlite.ts"

/** The store is in use, so that nothing may be removed from it, or is being pruned, so that it may not be used. */
export class StoreInUse extends Schema.TaggedError<StoreInUse>()("StoreInUse", {
  pruned: Schema.Boolean,
  holders: Schema.Array(Holder)
}) {
  override readonly [errorExitCode] = 2
  override get message(): string {
    const by = this.holders.length === 0 ? "another process" : this.holders.map(holderWords).join(" and ")
    return this.pruned
      ? `the store is being pruned by ${by}: wait for it`
      : `the store is in use by ${by}, which needs what it holds: wait for it, or stop it first`
  }
  override get [userMessage](): string {
    return this.message
  }
}

const lockName = "store"

/** Those who run a campaign now, as far as they have written their names. */
const running = (folder: string): ReadonlyArray<Holder> =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".lock") && name !== `${lockName}.lock`)
    .map((name) => join(folder, name))
    .filter(isHeldAlone)
    .flatMap((lock) => readHolder(lock.replace(/\.lock$/, ".json")) ?? [])

/** Says that this process buys and reads answers, until the scope closes: nobody prunes the store meanwhile. */
export const inUse = (folder: string): Effect.Effect<void, StoreInUse | InputError, Scope.Scope> => {
  const lock = join(folder, `${lockName}.lock`)
  const start = Effect.gen(function* () {
    const database = yield* Effect.try({
      try: () => take(lock, "shared"),
      catch: (cause) => storeProblem(lock, cause)
    })
    if (database !== undefined) return database
    const holder = readHolder(join(folder, `${lockName}.json`))
    return yield* new StoreInUse({ pruned: true, holders: holder === null ? [] : [holder] })
  })
  return Effect.asVoid(Effect.acquireRelease(start, (database) => Effect.sync(() => release(database))))
}

/** Has the store to itself until the scope closes. Refused while anybody uses it. */
export const alone = (folder: string): Effect.Effect<void, StoreInUse | InputError, Scope.Scope> => {
  const lock = join(folder, `${lockName}.lock`)
  const name = join(folder, `${lockName}.json`)
  const start = Effect.gen(function* () {
    const holder = thisProcess(yield* Clock.currentTimeMillis)
    const database = yield* Effect.try({
      try: () => {
        const taken = take(lock, "alone")
        if (taken !== undefined) writeHolder(name, holder)
        return taken
      },
      catch: (cause) => storeProblem(lock, cause)
    })
    if (database !== undefined) return database
    const pruning = isHeldAlone(lock)
    const other = pruning ? readHolder(name) : null
    return yield* new StoreInUse({ pruned: pruning, holders: other === null ? running(folder) : [other] })
  })
  return Effect.asVoid(
    Effect.acquireRelease(start, (database) =>
      Effect.sync(() => {
        removeHolder(name)
        release(database)
      })
    )
  )
}
