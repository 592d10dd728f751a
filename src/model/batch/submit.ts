import { hostname } from "node:os"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { sha256 } from "../../domain/hash.ts"
import { storeError } from "../../store/errors.ts"
import { addressOf } from "../address.ts"
import type { BatchContext } from "./Context.ts"
import { batchLimits, type Job, type Pool } from "./pool.ts"

/** What is sent as one batch. */
interface Part {
  readonly keys: ReadonlyArray<string>
  readonly lines: ReadonlyArray<Buffer>
}

const linesBetweenBreaths = 200

/** The lines of a pool in parts that a batch can hold; undefined now and then, to let others have the processor. */
const partsOf = function* ({ requests, server }: BatchContext, pool: Pool): Generator<Part | undefined> {
  let keys: Array<string> = []
  let lines: Array<Buffer> = []
  let bytes = 0
  for (const [key, { index }] of pool) {
    const line = Buffer.from(`${server.line(requests.get(index), key)}\n`)
    if (keys.length > 0 && (keys.length >= batchLimits.requests || bytes + line.length > batchLimits.bytes)) {
      yield { keys, lines }
      keys = []
      lines = []
      bytes = 0
    }
    keys.push(key)
    lines.push(line)
    bytes += line.length
    if (keys.length % linesBetweenBreaths === 0) yield undefined
  }
  if (keys.length > 0) yield { keys, lines }
}

const heartbeatMs = 5000
export const thisHolder = (): string => `${process.pid}@${hostname()}`

/** Batches that this process is sending, which are not to be taken for those of a process that has ended. */
export const beingSent = new Set<string>()

/** Whether a status says that no batch was made: not one that comes of a server's trouble or of its waiting. */
const saysNo = (status: number | undefined) =>
  status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 409

/**
 * Sends one part: noted first, then its file, then the batch. After an attempt of which nobody knows what came, the
 * server's list says whether it has the batch, so that it is never made twice.
 */
const send = Effect.fnUntraced(function* (context: BatchContext, { keys, lines }: Part, noted: Submission["noted"]) {
  const { budget, calls, insist, requests, run, server, sql, table, wanted } = context
  const hash = sha256(keys.join("\n"))
  const created = yield* Clock.currentTimeMillis
  const id = `${hash.slice(0, 24)}-${created.toString(36)}-${process.pid.toString(36)}`
  const charges = keys.map((key) => wanted.get(key)!.charge)
  const { model, role } = requests.get(wanted.get(keys[0]!)!.index)
  const address = model.provider === "openai" ? addressOf(model).base : ""
  beingSent.add(id)
  const ids = yield* sql
    .withTransaction(
      Effect.gen(function* () {
        const sent = yield* calls.sentAll(keys.map((key, at) => ({ run, role, key, charge: charges[at]! })))
        const logged = run === scoringRun ? undefined : sent
        yield* table.note(
          { id, run, model: model.model, address, holder: thisHolder(), created },
          keys.map((key, at) => ({ key, call: logged?.[at] ?? null, charge: charges[at]! }))
        )
        return sent
      })
    )
    .pipe(Effect.catchTag("SqlError", (error) => Effect.fail(storeError("note a batch before sending it")(error))))

  noted(keys)
  const withdraw = Effect.gen(function* () {
    yield* sql
      .withTransaction(Effect.andThen(calls.withdraw(ids), table.withdraw(id)))
      .pipe(Effect.catchTag("SqlError", (error) => Effect.fail(storeError("forget a batch")(error))))
    for (const charge of charges) yield* budget.settle(charge, { tokens: 0, usd: 0 }, false)
  })

  let doubtful = false
  const submit = Effect.fnUntraced(function* (file: string) {
    if (doubtful) {
      const found = yield* server.find(id, created)
      if (found !== undefined) return found
    }
    doubtful = false
    return yield* server.submit(file, { id, run, requests: hash }).pipe(
      Effect.tapError((error) =>
        Effect.sync(() => {
          doubtful = error.unsent !== true && !saysNo(error.status)
        })
      )
    )
  })
  const heartbeat = Effect.forever(
    Effect.delay(
      Clock.clockWith((clock) => table.touch(id, clock.currentTimeMillisUnsafe())),
      heartbeatMs
    )
  )
  const sending = Effect.gen(function* () {
    const file = yield* insist(server.upload(`assize-${id}.jsonl`, lines))
    return yield* insist(submit(file))
  }).pipe(
    // A server that refuses has no batch; one of which nothing was heard may have it.
    Effect.tapError((error) => (error._tag === "ModelError" && !doubtful ? withdraw : Effect.void))
  )
  const state = yield* Effect.raceFirst(sending, heartbeat).pipe(
    Effect.ensuring(Effect.sync(() => beingSent.delete(id)))
  )
  const submitted = yield* Clock.currentTimeMillis
  yield* table.submitted(id, state.id, state.inputFile, submitted)
  return {
    id,
    serverId: state.id,
    own: true,
    submitted,
    calls: new Map(keys.map((key, at) => [key, ids[at]!]))
  } satisfies Job as Job
})

/** The run of a scoring, whose calls are counted in memory and not in the store. */
export const scoringRun = "score"

/** What a submission tells of as it goes. */
export interface Submission {
  /** The keys of a batch that is noted: what was reserved for them is settled with the batch. */
  readonly noted: (keys: ReadonlyArray<string>) => void
  /** The server has it. */
  readonly sent: (job: Job) => void
}

/** Sends requests whose charges have been reserved, in as many batches as it takes. */
export const submitAll = Effect.fnUntraced(function* (context: BatchContext, pool: Pool, { noted, sent }: Submission) {
  for (const part of partsOf(context, pool)) {
    if (part === undefined) {
      yield* Effect.yieldNow
      continue
    }
    yield* context.gate.pass
    sent(yield* send(context, part, noted))
  }
})
