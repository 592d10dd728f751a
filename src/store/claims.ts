import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import * as Effect from "effect/Effect"
import { type StoreError, storeError } from "./errors.ts"
import { Statements } from "./sqlite.ts"

/** What several processes on one store tell each other about the requests that they are buying, so that none is bought twice. */
export interface Claims {
  /**
   * Says that this process is about to buy the request, until `expires` (milliseconds since 1970) at the latest. False
   * where another one is buying it, or its answer has arrived meanwhile.
   */
  take(key: string, now: number, expires: number): Effect.Effect<boolean, StoreError>
  release(key: string): Effect.Effect<void, StoreError>
  /** Whether nobody is buying the request: a claim is gone with its process, however that ended. */
  isFree(key: string, now: number): Effect.Effect<boolean, StoreError>
}

interface Claim {
  readonly owner: string
  readonly host: string
  readonly pid: number
  readonly expires: number
}

/** Those of this process: a number of a process that has ended may be this one's. */
const ownersHere = new Set<string>()

const isAlive = ({ host, owner, pid }: Claim): boolean => {
  // Of another computer only the expiry is known.
  if (host !== hostname()) return true
  if (pid === process.pid) return ownersHere.has(owner)
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    // A process of somebody else's may not be asked, but it is there.
    return cause instanceof Error && "code" in cause && cause.code === "EPERM"
  }
}

/** Claims of one buyer. Claims of processes that were killed are swept away when somebody needs what they claimed. */
export const makeClaims: Effect.Effect<Claims, never, Statements> = Effect.gen(function* () {
  const { statement } = yield* Statements
  const owner = randomUUID()
  const host = hostname()
  ownersHere.add(owner)

  const taking = statement(`INSERT INTO claims (key, owner, host, pid, expires)
    SELECT ?, ?, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM judgements WHERE key = ?)
    ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, host = excluded.host, pid = excluded.pid,
      expires = excluded.expires WHERE claims.owner = excluded.owner OR claims.expires < ?`)
  const releasing = statement("DELETE FROM claims WHERE key = ? AND owner = ?")
  const looking = statement<Claim>("SELECT owner, host, pid, expires FROM claims WHERE key = ?")
  const sweeping = statement("DELETE FROM claims WHERE owner = ?")

  const take: Claims["take"] = (key, now, expires) =>
    taking
      .run(key, owner, host, process.pid, expires, key, now)
      .pipe(Effect.mapBoth({ onSuccess: ({ changes }) => changes > 0, onFailure: storeError("claim a request") }))

  const release: Claims["release"] = (key) =>
    releasing.run(key, owner).pipe(Effect.asVoid, Effect.mapError(storeError("give a claim back")))

  const isFree: Claims["isFree"] = Effect.fnUntraced(function* (key, now) {
    const [claim] = yield* looking.all(key).pipe(Effect.mapError(storeError("look at a claim")))
    if (claim === undefined || claim.expires < now) return true
    if (isAlive(claim)) return false
    yield* sweeping.run(claim.owner).pipe(Effect.mapError(storeError("sweep claims away")))
    return true
  })

  return { take, release, isFree }
})
