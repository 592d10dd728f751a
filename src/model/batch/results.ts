import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { count } from "../../domain/count.ts"
import type { Charge, SettledCall } from "../../store/CallLog.ts"
import { settleCall } from "../../store/CallLog.ts"
import { storeError } from "../../store/errors.ts"
import type { StoredReply } from "../../store/JudgementStore.ts"
import { withUsage } from "../estimateUsage.ts"
import { type RequestKey, requestKey } from "../key.ts"
import { ModelError } from "../LanguageModel.ts"
import { failureOutcome, replyOutcome } from "../outcome.ts"
import { batchPrice, costOfReply, priceOf } from "../prices.ts"
import { charged, free, mayHaveCost } from "../purchase.ts"
import type { BatchState, ResultLine } from "./BatchServer.ts"
import type { BatchContext } from "./Context.ts"
import type { Job } from "./pool.ts"

/** What a batch has brought. */
export interface Brought {
  /** Keys whose answers are stored, by this process or another. */
  readonly answered: ReadonlyArray<string>
  /** Keys whose own line failed in a way that may pass, is missing, or cannot be read. */
  readonly failed: ReadonlyArray<string>
  /** Keys that the batch did not come to. */
  readonly unprocessed: ReadonlyArray<string>
  /** A failure that all others would share, such as an account without credit. */
  readonly fatal: ModelError | undefined
  /** Of the first of the failed. */
  readonly why: string | undefined
}

/** Rows for one transaction: it holds others up, and what it holds is lost when the process dies. */
const perCommit = 500
const newline = 10

/** The lines of a file, which may be longer than a string can be. */
export const linesOf = function* (file: Buffer): Generator<string> {
  let from = 0
  while (from < file.length) {
    const at = file.indexOf(newline, from)
    const to = at === -1 ? file.length : at
    const line = file.toString("utf8", from, to).trim()
    if (line !== "") yield line
    from = to + 1
  }
}

interface Prepared {
  readonly key: string
  readonly settled: SettledCall
  /** With its request's text, where there is an answer. */
  readonly answer: { readonly request: RequestKey; readonly reply: StoredReply } | undefined
  readonly became: "answered" | "failed" | "unprocessed" | "refused"
}

/** Reads what a batch that is over has brought into the store, and settles its calls. */
export const collect = Effect.fnUntraced(function* (
  context: BatchContext,
  job: Job,
  state: BatchState | undefined,
  told: (answered: number) => void
) {
  const { budget, calls, insist, judgements, requests, server, sql, statements, table, wanted } = context
  const latencyMs = Math.max(0, (yield* Clock.currentTimeMillis) - job.submitted)
  const waiting = new Set(job.calls.keys())
  const answered: Array<string> = []
  const failed: Array<string> = []
  const unprocessed: Array<string> = []
  const shared: Array<{ readonly key: string; readonly error: ModelError }> = []
  let unreadable = 0
  let why: string | undefined

  const unanswered = (key: string, outcome: SettledCall["outcome"], charge: Charge): Prepared => ({
    key,
    settled: { outcome, usage: null, cost: null, charge, latencyMs },
    answer: undefined,
    became: "failed"
  })

  const prepare = Effect.fnUntraced(function* ({ key, result }: ResultLine) {
    const { charge: reserved, index } = wanted.get(key)!
    if (result._tag === "unprocessed") {
      return { ...unanswered(key, "server-error", free), became: "unprocessed" } satisfies Prepared as Prepared
    }
    if (result._tag === "failed") {
      const { error } = result
      const outcome = failureOutcome(error)
      const charge = mayHaveCost.has(outcome) ? reserved : free
      if (error.retryable) why ??= error.message
      if (error.fatal) shared.push({ key, error })
      else if (!error.retryable) context.refuse(key, error)
      const became = error.retryable ? "failed" : "refused"
      return { ...unanswered(key, outcome, charge), became } satisfies Prepared as Prepared
    }
    const request = requests.get(index)
    const price = priceOf(request.model)
    const full = yield* withUsage(request, result.reply)
    const cost = costOfReply(full, request.model, price === null ? null : batchPrice(price))
    const { chargedUsd: _, ...kept } = full
    const reply: StoredReply = { ...kept, text: kept.text.toWellFormed(), cost, latencyMs }
    const charge = charged(reply.usage, cost, reserved)
    return {
      key,
      settled: { outcome: replyOutcome(reply), usage: reply.usage, cost, charge, latencyMs },
      answer: { request: requestKey(request), reply },
      became: "answered"
    } satisfies Prepared as Prepared
  })

  const settle = job.own ? calls.settle : settleCall(statements)

  const commit = Effect.fnUntraced(function* (prepared: ReadonlyArray<Prepared>) {
    if (prepared.length === 0) return
    const keys = prepared.map(({ key }) => key)
    yield* sql
      .withTransaction(
        Effect.gen(function* () {
          // Another process may have been first.
          const open = yield* table.waiting(job.id, keys)
          for (const { answer, key, settled } of prepared) {
            if (answer !== undefined) yield* judgements.put(key, answer.request.text, answer.reply)
            const call = job.calls.get(key)
            if ((open.has(key) || job.own) && call !== null && call !== undefined) yield* settle(call, settled)
          }
          yield* table.done(job.id, keys)
        })
      )
      .pipe(Effect.catchTag("SqlError", (error) => Effect.fail(storeError("keep what a batch has brought")(error))))
    for (const { became, key, settled } of prepared) {
      if (job.own) yield* budget.settle(wanted.get(key)!.charge, settled.charge)
      if (became === "answered") answered.push(key)
      if (became === "failed") failed.push(key)
      if (became === "unprocessed") unprocessed.push(key)
    }
    told(answered.length)
  })

  const readFile = Effect.fnUntraced(function* (id: string | null) {
    if (id === null) return
    const file = yield* insist(server.download(id))
    if (file === undefined) return
    let prepared: Array<Prepared> = []
    for (const text of linesOf(file)) {
      const line = yield* server.read(text)
      if (line === undefined) unreadable++
      // Lines of requests that somebody else waits for stay for them; a second one for the same is not looked at.
      if (line === undefined || !waiting.delete(line.key)) continue
      prepared.push(yield* prepare(line))
      if (prepared.length < perCommit) continue
      yield* commit(prepared)
      prepared = []
    }
    yield* commit(prepared)
  })

  if (state !== undefined) {
    yield* readFile(state.outputFile)
    yield* readFile(state.errorFile)
  }
  const rest = [...waiting]
  if (state?.ending === "failed" && job.own) {
    // Nothing of it was worked on.
    yield* sql
      .withTransaction(
        Effect.andThen(calls.withdraw(rest.flatMap((key) => job.calls.get(key) ?? [])), table.done(job.id, rest))
      )
      .pipe(Effect.catchTag("SqlError", (error) => Effect.fail(storeError("forget a batch that failed")(error))))
    for (const key of rest) yield* budget.settle(wanted.get(key)!.charge, free, false)
    unprocessed.push(...rest)
  } else {
    const ended = state !== undefined && state.ending !== "completed"
    for (let from = 0; from < rest.length; from += perCommit) {
      yield* commit(
        rest.slice(from, from + perCommit).map((key) =>
          ended
            ? { ...unanswered(key, "server-error", free), became: "unprocessed" }
            : // It may have been answered, and billed.
              unanswered(key, "malformed-response", wanted.get(key)!.charge)
        )
      )
    }
  }
  if ((yield* table.left(job.id)) === 0) {
    yield* table.close(job.id, state?.ending ?? "gone")
    for (const file of state === undefined ? [] : [state.inputFile, state.outputFile, state.errorFile])
      if (file !== null) yield* server.remove(file)
  }
  const missing = state?.ending === "completed" ? rest.length : 0
  if (missing > 0) {
    yield* Effect.logWarning(
      `${server.name}: batch ${state?.id ?? ""} is over without an answer to ${missing} of its requests; ${count(unreadable, "line")} of its results cannot be read`
    )
  }
  // Others were answered by the same model with the same key: then it is about these requests.
  const noCredit = shared.find(({ error }) => error.kind === "no-credit")
  const fatal = noCredit ?? (answered.length === 0 ? shared[0] : undefined)
  if (fatal === undefined) {
    for (const { error, key } of shared)
      context.refuse(key, new ModelError({ kind: "bad-request", message: error.message }))
  }
  return { answered, failed, unprocessed, fatal: fatal?.error, why } satisfies Brought as Brought
})
