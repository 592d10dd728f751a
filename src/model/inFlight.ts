import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

/** What came of sharing: `joined` when somebody else was doing it already. */
export interface Shared<A> {
  readonly value: A
  readonly joined: boolean
}

/**
 * One run of an effect serves everyone who asks for its key meanwhile. When the one who runs it is interrupted, one of
 * those who wait runs it anew; they are not interrupted with it.
 */
export const makeInFlight = <A, E>(): ((key: string, effect: Effect.Effect<A, E>) => Effect.Effect<Shared<A>, E>) => {
  const underWay = new Map<string, Deferred.Deferred<Exit.Exit<A, E>>>()

  const share = (key: string, effect: Effect.Effect<A, E>): Effect.Effect<Shared<A>, E> =>
    Effect.uninterruptibleMask((restore) => {
      const other = underWay.get(key)
      if (other !== undefined) {
        return restore(Deferred.await(other)).pipe(
          Effect.flatMap((exit) =>
            Exit.isFailure(exit) && Cause.hasInterrupts(exit.cause)
              ? restore(share(key, effect))
              : Effect.map(exit, (value) => ({ value, joined: true }))
          )
        )
      }
      const own = Deferred.makeUnsafe<Exit.Exit<A, E>>()
      underWay.set(key, own)
      return restore(effect).pipe(
        Effect.onExit((exit) =>
          Effect.sync(() => {
            underWay.delete(key)
            Deferred.doneUnsafe(own, Effect.succeed(exit))
          })
        ),
        Effect.map((value) => ({ value, joined: false }))
      )
    })
  return share
}
