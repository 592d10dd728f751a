import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { type StoreError, storeError } from "./errors.ts"
import type { Statements } from "./sqlite.ts"

/** Runs writes so that those which come together share one transaction. Each comes back when it is committed. */
export type GroupCommit = <A, E>(write: Effect.Effect<A, E>, how?: CommitOptions) => Effect.Effect<A, E | StoreError>

export interface CommitOptions {
  /** Runs as soon as the write has its place: what is written because of it is committed with it or later, never before. */
  readonly queued?: Effect.Effect<void>
  /** Comes back before the others of its group: something leaves for a server then. */
  readonly first?: boolean
}

interface Waiting {
  readonly first: boolean
  /** Runs the write, inside of the transaction. */
  readonly run: Effect.Effect<void>
  /** Lets the one who waits go on, with the write's own result where the commit came about. */
  readonly resume: (committed: Exit.Exit<void, StoreError>) => void
}

/**
 * A commit costs far more than a row, and answers of a model arrive in bursts. A write whose statement fails fails
 * alone; a write must not leave half of its statements behind when it fails, since the others are committed all the same.
 */
export const makeGroupCommit = ({ transaction }: Statements["Service"]): GroupCommit => {
  let waiting: Array<Waiting> = []

  // Starts once around the event loop: all that has arrived together by then is committed together. Not within a write
  // that makes the group large: a concurrent `forEach` loses items when others of its fibers end while it starts one.
  const flush = Effect.suspend(() => {
    const group = waiting
    waiting = []
    return transaction(Effect.forEach(group, ({ run }) => run, { discard: true })).pipe(
      Effect.mapError(storeError("commit")),
      Effect.exit,
      Effect.flatMap((committed) => {
        const resume = (first: boolean) =>
          Effect.sync(() => group.forEach((one) => void (one.first === first && one.resume(committed))))
        // What is sent is on its way only once around the event loop, and the others may have much to do.
        return resume(true).pipe(Effect.andThen(Effect.yieldNow), Effect.andThen(resume(false)))
      })
    )
  })

  return <A, E>(write: Effect.Effect<A, E>, { first = false, queued = Effect.void }: CommitOptions = {}) =>
    Effect.suspend(() => {
      const result = Deferred.makeUnsafe<A, E | StoreError>()
      let written: Exit.Exit<A, E> | undefined
      waiting.push({
        first,
        run: Effect.map(Effect.exit(write), (exit) => {
          written = exit
        }),
        resume: (committed) => {
          const failed = Exit.isFailure(committed) ? Exit.failCause(committed.cause) : undefined
          const exit = written !== undefined && (failed === undefined || Exit.isFailure(written)) ? written : failed
          Deferred.doneUnsafe(result, exit ?? Exit.die(new Error("a group was committed without this write")))
        }
      })
      const start = waiting.length === 1 ? Effect.forkDetach(Effect.uninterruptible(flush)) : Effect.void
      return start.pipe(Effect.andThen(queued), Effect.andThen(Deferred.await(result)))
    })
}
