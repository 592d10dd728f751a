import { join } from "node:path"
import * as Clock from "effect/Clock"
import { userMessage } from "effect/cli/CliError"
import * as Effect from "effect/Effect"
import { errorExitCode } from "effect/Runtime"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { sha256 } from "../domain/hash.ts"
import type { InputError } from "../domain/InputError.ts"
import { isHeldAlone, release, take } from "./fileLock.ts"
import { Holder, holderWords, readHolder, removeHolder, thisProcess, writeHolder } from "./lockHolder.ts"
import { realPath } from "./realPath.ts"
import { storeProblem } from "./sqlite.ts"

/** Another process is running the campaign. It is not disturbed. */
export class LockHeld extends Schema.TaggedError<LockHeld>()("LockHeld", {
  campaign: Schema.String,
  /** Null in the instant before the holder has written its name. */
  holder: Schema.NullOr(Holder)
}) {
  override readonly [errorExitCode] = 2
  override get message(): string {
    return `campaign ${this.campaign} is being run by ${holderWords(this.holder)}: wait for it, or stop it first`
  }
  override get [userMessage](): string {
    return this.message
  }
}

/** A lock that is held. */
export interface RunLock {
  /** Writes down which run is under way, for others to see. */
  name(run: string): Effect.Effect<void>
}

const filesOf = (folder: string, campaignFile: string) => {
  const name = sha256(realPath(campaignFile)).slice(0, 24)
  return { lock: join(folder, `${name}.lock`), holder: join(folder, `${name}.json`) }
}

/**
 * Holds the lock of a campaign until the scope closes or the process ends, a killed one included. `folder` is where the
 * locks of a store are kept; the campaign file is known whatever symbolic links lead to it. Not to be relied upon
 * between computers that share a network drive without working file locks.
 */
export const acquire = (options: {
  readonly folder: string
  readonly campaign: string
  readonly campaignFile: string
}): Effect.Effect<RunLock, LockHeld | InputError, Scope.Scope> => {
  const { campaign } = options
  const files = filesOf(options.folder, options.campaignFile)
  const start = Effect.gen(function* () {
    const holder = { ...thisProcess(yield* Clock.currentTimeMillis), campaign }
    const database = yield* Effect.try({
      try: () => {
        const taken = take(files.lock, "alone")
        if (taken !== undefined) writeHolder(files.holder, holder)
        return taken
      },
      catch: (cause) => storeProblem(files.lock, cause)
    })
    if (database === undefined) return yield* new LockHeld({ campaign, holder: readHolder(files.holder) })
    return { database, holder }
  })
  return Effect.acquireRelease(start, ({ database }) =>
    Effect.sync(() => {
      // The name goes first: once the lock is free, the file may be another holder's.
      removeHolder(files.holder)
      release(database)
    })
  ).pipe(
    Effect.map(
      ({ holder }): RunLock => ({
        // Serves those who look on: a run does not end because it cannot be written.
        name: (run) => Effect.ignore(Effect.try(() => writeHolder(files.holder, { ...holder, run })))
      })
    )
  )
}

/**
 * Who is running a campaign now: undefined for nobody, null for somebody without a name yet. With `waitMs` 0 the answer
 * comes at once, for those who ask again and again.
 */
export const holderOf = (folder: string, campaignFile: string, waitMs?: number): Holder | null | undefined => {
  const files = filesOf(folder, campaignFile)
  return isHeldAlone(files.lock, waitMs) ? readHolder(files.holder) : undefined
}
