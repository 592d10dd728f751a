import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { ModelConfig } from "../../domain/Campaign.ts"
import { count } from "../../domain/count.ts"
import { makeBatchTable } from "../../store/batchTable.ts"
import { CallLog } from "../../store/CallLog.ts"
import { JudgementStore } from "../../store/JudgementStore.ts"
import { Statements } from "../../store/sqlite.ts"
import { CurrentGate, Halted } from "../CallGate.ts"
import { requestKey } from "../key.ts"
import { type BudgetExceeded, ModelError, type ModelRequest } from "../LanguageModel.ts"
import { batchPrice, priceOf } from "../prices.ts"
import { free, orDieOfStore } from "../purchase.ts"
import { RunBudget } from "../RunBudget.ts"
import { chargeAtMost } from "../tokens.ts"
import type { BatchProgress, BatchServer, BatchState, RequestList } from "./BatchServer.ts"
import type { BatchContext } from "./Context.ts"
import { makeInsist } from "./insist.ts"
import { type Job, type Pool, smallestBatch, splitByTokens, totalCharge, type Wanted } from "./pool.ts"
import { adopt } from "./reconcile.ts"
import { type Brought, collect } from "./results.ts"
import { submitAll } from "./submit.ts"

const firstPollMs = 500
const longestPollMs = 60_000
const keysBetweenBreaths = 1000
/** A request whose line failed so often is left to a single call. */
const mostAttempts = 2
/** Rounds without an answer after which the batch API is given up. */
const mostFruitless = 3

type Failure = ModelError | BudgetExceeded | Halted

interface Ended {
  readonly job: Job
  readonly state: BatchState | undefined
  readonly brought: Brought
}

export interface Collection {
  readonly model: ModelConfig
  readonly server: BatchServer
  readonly requests: RequestList
  readonly told: (progress: BatchProgress) => void
  readonly refuse: BatchContext["refuse"]
  /** Asks one request as a single call. */
  readonly ask: (request: ModelRequest) => Effect.Effect<unknown, Failure>
  /** Whether the model has answered in this process, so that it is known what its server takes. */
  readonly tried: boolean
}

const cancelledError = ({ name }: BatchServer, { brought, state }: Ended) =>
  new ModelError({
    kind: "bad-request",
    message: `batch ${state!.id} of ${name} was cancelled with ${count(brought.unprocessed.length, "request")} left. What was answered is kept: run the same command again to send the rest`,
    lasting: true
  })

const fruitlessError = ({ name }: BatchServer, batches: number, said: string | undefined) =>
  new ModelError({
    kind: "bad-request",
    message: `${name} has answered nothing, ${batches} times in a row${said === undefined ? "" : ` (“${said}”)`}: try again later, or leave batch out of the model's settings`,
    lasting: true
  })

/** Those of the requests that are not in the store, each once. */
const wantedOf = Effect.fnUntraced(function* (
  requests: RequestList,
  judgements: JudgementStore["Service"],
  model: ModelConfig
) {
  const price = priceOf(model)
  const reduced = price === null ? null : batchPrice(price)
  const wanted: Pool = new Map()
  for (let from = 0; from < requests.length; from += keysBetweenBreaths) {
    const page: Pool = new Map()
    for (let index = from; index < Math.min(from + keysBetweenBreaths, requests.length); index++) {
      const request = requests.get(index)
      const { key } = requestKey(request)
      if (!wanted.has(key)) page.set(key, { index, charge: chargeAtMost(request, reduced) })
    }
    const known = yield* judgements.known([...page.keys()])
    for (const [key, one] of page) if (!known.has(key)) wanted.set(key, one)
    yield* Effect.yieldNow
  }
  return wanted
})

/**
 * Brings the answers to many requests of one model into the store through its server's batch API, as far as that can be
 * done: those that a batch has failed on twice, and those that are too few for a batch, are left to single calls. What an
 * earlier process has sent is waited for, and never sent again. `run` is whose budget it counts against.
 */
export const makeCollector = Effect.fnUntraced(function* (run: string, patienceMs: number | undefined) {
  const sql = yield* SqlClient.SqlClient
  const statements = yield* Statements
  const calls = yield* CallLog
  const judgements = yield* JudgementStore
  const budget = yield* RunBudget
  const gate = yield* CurrentGate
  const table = makeBatchTable(sql)

  const gather = Effect.fnUntraced(function* ({ ask, model, refuse, requests, server, told, tried }: Collection) {
    const wanted = yield* wantedOf(requests, judgements, model)
    const total = wanted.size
    if (total === 0) return
    const insist = makeInsist(gate, server.name, patienceMs)
    const context: BatchContext = {
      run,
      sql,
      statements,
      table,
      calls,
      judgements,
      budget,
      gate,
      server,
      insist,
      requests,
      wanted,
      refuse
    }
    let pool: Pool = new Map(wanted)
    const attempts = new Map<string, number>()
    const underWay = new Map<string, { done: number; status: string; readonly requests: number }>()
    let finished = 0
    const tell = () => {
      const states = [...underWay.values()]
      const done = finished + states.reduce((sum, state) => sum + Math.min(state.done, state.requests), 0)
      told({ done: Math.min(done, total), total, batches: states.length, status: states.at(-1)?.status ?? "" })
    }
    const begun = ({ calls: own, id }: Job) => {
      underWay.set(id, { done: 0, status: "submitted", requests: own.size })
      tell()
    }

    /** Asks how a batch is until it is over; undefined when the server has it no longer. */
    const over = Effect.fnUntraced(function* ({ id, serverId }: Job) {
      for (let waitMs = firstPollMs; ; waitMs = Math.min(waitMs * 1.5, longestPollMs)) {
        const state = yield* insist(server.get(serverId))
        if (state === undefined || state.ending !== undefined) return state
        Object.assign(underWay.get(id)!, { done: state.done, status: state.status })
        tell()
        yield* budget.inTime
        yield* gate.sleep(waitMs)
      }
    })

    const finish = Effect.fnUntraced(function* (job: Job) {
      const state = yield* over(job)
      const before = finished
      const brought = yield* collect(context, job, state, (answered) => {
        finished = before + answered
        Object.assign(underWay.get(job.id)!, { done: 0, status: "downloading" })
        tell()
      })
      finished = before + brought.answered.length
      underWay.delete(job.id)
      tell()
      return { job, state, brought } satisfies Ended as Ended
    })

    const release = Effect.fnUntraced(function* (ones: Iterable<Wanted>) {
      for (const { charge } of ones) yield* budget.settle(charge, free, false)
    })

    /** The first goes as a single call: what its server refuses is learned before all the others have it. */
    let scouted = tried
    const scout = Effect.fnUntraced(function* (first: Pool) {
      // What the batch may take is looked at before, so that nothing at all is sent for one that is refused.
      yield* budget.reserveAll(first.size, totalCharge(first.values()))
      yield* release(first.values())
      const [key, { index }] = first.entries().next().value!
      const asked = yield* Effect.result(ask(requests.get(index)))
      if (asked._tag === "Failure" && (!(asked.failure instanceof ModelError) || asked.failure.fatal))
        return yield* asked.failure
      first.delete(key)
      finished++
      scouted = true
    })

    const submitted = Effect.fnUntraced(function* (first: Pool) {
      if (!scouted) yield* scout(first)
      yield* budget.reserveAll(first.size, totalCharge(first.values()))
      const unsent = new Map(first)
      const jobs: Array<Job> = []
      yield* submitAll(context, first, {
        noted: (keys) => {
          for (const key of keys) unsent.delete(key)
        },
        sent: (job) => {
          begun(job)
          jobs.push(job)
        }
      }).pipe(Effect.ensuring(Effect.suspend(() => release(unsent.values()))))
      return yield* Effect.forEach(jobs, finish, { concurrency: "unbounded" })
    })

    let waiting = yield* adopt(context, pool)
    waiting.forEach(begun)
    let mostTokens = Number.POSITIVE_INFINITY
    let fruitless = 0

    const round = Effect.fnUntraced(function* () {
      const { first, rest } =
        pool.size >= smallestBatch ? splitByTokens(pool, mostTokens) : { first: undefined, rest: pool }
      const [old, own] = yield* Effect.all(
        [
          Effect.forEach(waiting, finish, { concurrency: "unbounded" }),
          first === undefined ? Effect.succeed([]) : submitted(first)
        ],
        { concurrency: "unbounded" }
      )
      waiting = []
      pool = rest
      const ended = [...old, ...own]
      let leftAlone = 0
      for (const { brought } of ended) {
        if (brought.fatal !== undefined) return yield* brought.fatal
        for (const key of brought.failed) {
          const number = (attempts.get(key) ?? 0) + 1
          attempts.set(key, number)
          if (number < mostAttempts) pool.set(key, wanted.get(key)!)
          else leftAlone++
        }
        for (const key of brought.unprocessed) pool.set(key, wanted.get(key)!)
      }
      const cancelled = ended.find(
        ({ brought, state }) => state?.ending === "cancelled" && brought.unprocessed.length > 0
      )
      if (cancelled !== undefined) return yield* cancelledError(server, cancelled)
      if (ended.length === 0 || ended.some(({ brought }) => brought.answered.length > 0)) {
        fruitless = 0
        return
      }
      const errors = ended.flatMap(({ state }) => state?.errors ?? [])
      if (errors.some(({ code }) => code === "token_limit_exceeded") && pool.size >= 2 * smallestBatch) {
        // The queue holds only so many tokens of an account: smaller batches, one after the other.
        mostTokens = Math.min(mostTokens, totalCharge(pool.values()).tokens) / 2
        return
      }
      fruitless++
      if (leftAlone >= smallestBatch || (fruitless >= mostFruitless && pool.size >= smallestBatch)) {
        const said = errors[0]?.message ?? ended.find(({ brought }) => brought.why !== undefined)?.brought.why
        return yield* fruitlessError(server, fruitless, said)
      }
    })
    const rounds = Effect.gen(function* () {
      while (waiting.length > 0 || pool.size >= smallestBatch) yield* round()
    })

    const goesOn = () => {
      if (underWay.size === 0) return {}
      const left = [...underWay.values()].reduce((sum, state) => sum + state.requests, 0)
      const [many, go] = underWay.size === 1 ? ["a batch", "goes"] : [`${underWay.size} batches`, "go"]
      return {
        detail: `${many} of ${left} requests ${go} on at the server: the same command waits for the answers and buys nothing twice`
      }
    }
    yield* Effect.catchIf(
      rounds,
      (error): error is Halted => error instanceof Halted,
      () => Effect.fail(new Halted(goesOn()))
    )
  })

  return (collection: Collection): Effect.Effect<void, Failure> => orDieOfStore(gather(collection))
})
