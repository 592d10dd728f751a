import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { OpenBatch } from "../../store/batchTable.ts"
import { storeError } from "../../store/errors.ts"
import type { BatchContext } from "./Context.ts"
import { type Job, totalCharge } from "./pool.ts"
import { beingSent, thisHolder } from "./submit.ts"

/** A batch may be in the server's list a moment after it was made. */
const secondLookMs = 2000
const youngMs = 60_000
/** Its holder touches a batch that is being sent every five seconds. */
const silentMs = 60_000
const lookAgainMs = 1000

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { readonly code?: unknown }).code === "EPERM"
  }
}

/** Whether another process is sending the batch right now. */
const isBeingSent = ({ holder, id, touched }: OpenBatch, now: number): boolean => {
  if (beingSent.has(id)) return true
  const [pid = "", host = ""] = holder.split("@")
  const [, here] = thisHolder().split("@")
  if (holder === thisHolder() || now - touched > silentMs) return false
  return host !== here || isAlive(Number(pid))
}

/** The batch that was noted, if the server has it after all. Without, its requests are free to be sent. */
const findLost = Effect.fnUntraced(function* ({ gate, insist, server, sql, table }: BatchContext, batch: OpenBatch) {
  const look = insist(server.find(batch.id, batch.created))
  let found = yield* look
  if (found === undefined && (yield* Clock.currentTimeMillis) - batch.created < youngMs) {
    yield* gate.sleep(secondLookMs)
    found = yield* look
  }
  const now = yield* Clock.currentTimeMillis
  if (found !== undefined) {
    yield* table.submitted(batch.id, found.id, found.inputFile, now)
    return { ...batch, serverId: found.id, submitted: now }
  }
  yield* sql
    .withTransaction(table.withdraw(batch.id))
    .pipe(Effect.catchTag("SqlError", (error) => Effect.fail(storeError("forget a batch")(error))))
  return undefined
})

/**
 * The batches in which some of the requests are under way already, sent by this run before it was stopped or by others.
 * Takes their requests out of `free`, and what they may cost over from an earlier process of this run.
 */
export const adopt = Effect.fnUntraced(function* (context: BatchContext, free: Map<string, unknown>) {
  const { budget, calls, gate, requests, run, table, wanted } = context
  const jobs: Array<Job> = []
  const adoptOne = Effect.fnUntraced(function* (batch: OpenBatch) {
    const { serverId } = batch
    if (serverId === null) return
    const own = batch.run === run
    const keys = batch.requests.map(({ key }) => key)
    let ids: ReadonlyArray<number | null> = batch.requests.map(({ call }) => call)
    if (own) {
      const sent = batch.requests.map(({ call, charge, key }) => {
        const { index } = wanted.get(key)!
        wanted.set(key, { index, charge })
        return { id: call, run, role: requests.get(index).role, key, charge }
      })
      const taken = yield* calls.takeOver(sent)
      ids = taken.ids
      yield* budget.takeOver(sent.length, totalCharge(keys.map((key) => wanted.get(key)!)), taken.counted)
    }
    for (const key of keys) free.delete(key)
    jobs.push({
      id: batch.id,
      serverId,
      own,
      submitted: batch.submitted ?? batch.created,
      calls: new Map(keys.map((key, at) => [key, ids[at] ?? null]))
    })
  })
  for (const batch of yield* table.open([...free.keys()])) {
    let now: OpenBatch | undefined = batch
    while (now !== undefined && now.serverId === null) {
      if (isBeingSent(now, yield* Clock.currentTimeMillis)) {
        yield* gate.sleep(lookAgainMs)
        now = (yield* table.open(now.requests.map(({ key }) => key))).find(({ id }) => id === batch.id)
      } else now = yield* findLost(context, now)
    }
    if (now !== undefined) yield* adoptOne(now)
  }
  return jobs as ReadonlyArray<Job>
})
