import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ModelConfig } from "../domain/Campaign.ts"
import type { BatchProgress, RequestList } from "./batch/BatchServer.ts"
import type { Halted } from "./CallGate.ts"

/** What a call is for; costs are kept apart by role. */
export type Role = "judge" | "reflection"

export interface Message {
  readonly role: "system" | "user" | "assistant"
  readonly content: string
}

/** The shape that an answer is asked to have, for servers that can hold a model to it. */
export interface AnswerSchema {
  readonly name: string
  /** A JSON schema: an object, its properties all required, no others allowed. */
  readonly schema: Readonly<Record<string, unknown>>
}

/** Everything that can change an answer, and the role, which cannot. */
export interface ModelRequest {
  readonly role: Role
  readonly model: ModelConfig
  readonly messages: ReadonlyArray<Message>
  /** A non-negative integer below 2^53. */
  readonly seed: number
  readonly answer?: AnswerSchema
}

/** Tokens as the server counted them. Cached input is part of the input, reasoning is part of the output. */
export const Usage = Schema.Struct({
  input: Schema.Natural,
  cachedInput: Schema.Natural,
  output: Schema.Natural,
  reasoning: Schema.Natural,
  /** Input that was put into a cache, where the server counts it: part of the input, not of the cached input. */
  cacheWrite: Schema.optionalKey(Schema.Natural),
  /** The server reported none, and the tokens of both texts were counted instead. */
  estimated: Schema.optionalKey(Schema.Literal(true))
})
export type Usage = typeof Usage.Type

/** Why the model stopped writing. Only `stop` means that it said all that it wanted to say; `empty` means that it stopped by itself without a word. */
export const Finish = Schema.Literals(["stop", "empty", "length", "refusal", "content-filter", "tool-calls", "other"])
export type Finish = typeof Finish.Type

/** What a provider hands back for a call that the server answered. */
export interface Reply {
  /** May be empty. */
  readonly text: string
  readonly finish: Finish
  /** Null where the server reports none. */
  readonly usage: Usage | null
  /** What the server says that it charged, in the money that it counts in; left out where it does not say. */
  readonly chargedUsd?: number
  /** The model's name as served, where the server says it. */
  readonly servedModel: string | null
}

/** A reply with what it took to get it. */
export interface Completion extends Reply {
  /** Content address in the judgement store. */
  readonly key: string
  /** Whether it came from the store, bought earlier. */
  readonly reused: boolean
  /** Whether it was asked for a second time, with more output tokens, because the first answer was cut off by them. */
  readonly raised?: boolean
  /** US dollars when it was bought; null where the price or the usage is unknown, never 0 for unknown. */
  readonly cost: number | null
  readonly latencyMs: number
}

/** How a call can fail. `retryable` kinds have been retried already when this reaches a caller. */
export const ModelFailure = Schema.Literals([
  "unreachable",
  "timeout",
  "rate-limited",
  "server-error",
  "malformed-response",
  "wrong-content-type",
  "bad-request",
  "context-too-long",
  "no-key",
  "unauthorised",
  "no-credit",
  "unknown-model"
])
export type ModelFailure = typeof ModelFailure.Type

/** A call that brought no reply. Never a score, never stored as an answer. */
export class ModelError extends Schema.TaggedError<ModelError>()("ModelError", {
  kind: ModelFailure,
  /** A sentence that names the model, the address and what to do. Holds no key. */
  message: Schema.String,
  status: Schema.optionalKey(Schema.Int),
  /** The server's own advice on when to come back. */
  retryAfterMs: Schema.optionalKey(Schema.Finite),
  /** Nothing was answered by this model for so long that it was given up. */
  lasting: Schema.optionalKey(Schema.Boolean),
  /** No connection came about, so that nothing was sent. */
  unsent: Schema.optionalKey(Schema.Boolean)
}) {
  /** Whether the next attempt may do better without anybody doing anything. */
  get retryable(): boolean {
    return retryableFailures.has(this.kind)
  }
  /** Whether every other call to this model will fail in the same way. */
  get fatal(): boolean {
    return this.lasting === true || fatalFailures.has(this.kind)
  }
}

const retryableFailures: ReadonlySet<ModelFailure> = new Set([
  "unreachable",
  "timeout",
  "rate-limited",
  "server-error",
  "malformed-response",
  "wrong-content-type"
])
const fatalFailures: ReadonlySet<ModelFailure> = new Set(["no-key", "unauthorised", "no-credit", "unknown-model"])

export const BudgetLimit = Schema.Literals(["usd", "calls", "tokens", "time"])
export type BudgetLimit = typeof BudgetLimit.Type

/** The next call would go over the run's budget, so it was not sent. */
export class BudgetExceeded extends Schema.TaggedError<BudgetExceeded>()("BudgetExceeded", {
  limit: BudgetLimit,
  /** A sentence with what was spent, the limit, and how to go on. */
  message: Schema.String
}) {}

/**
 * The one way to a model. The live layer looks in the judgement store first, shares calls that are under way, reserves
 * money and calls from the run's budget, limits concurrency, retries, and stores what was bought.
 */
export class LanguageModel extends Context.Service<
  LanguageModel,
  {
    complete(request: ModelRequest): Effect.Effect<Completion, ModelError | BudgetExceeded | Halted>
    /**
     * For many requests of one model, whose answers may take a day: brings them into the store by the batch API, at its
     * price, if the model is one with `batch`. `complete` has them from there afterwards, and buys what is missing. Left
     * out where there are no batches.
     */
    gather?(
      requests: RequestList,
      told: (progress: BatchProgress) => void
    ): Effect.Effect<void, ModelError | BudgetExceeded | Halted>
  }
>()("assize/LanguageModel") {}
