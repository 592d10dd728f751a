import * as Result from "effect/Result"
import { uniform } from "../../domain/Random.ts"
import type { Api } from "./Api.ts"
import type { Counters } from "./Counters.ts"
import { answerWire, inputTokens, refusalWire, type Wire } from "./faultedAnswer.ts"
import { type Faults, faultOf, windowAt } from "./faults.ts"
import type { FaultKind } from "./kinds.ts"
import { type Answering, replyTo } from "./outcome.ts"
import { optionalParameters, type ParameterName, refusedFormat, refusedParameter } from "./parameters.ts"
import { parseBody, refusal, requestHashes } from "./protocol.ts"
import type { Limiter } from "./rateLimit.ts"

export interface ExchangeSettings extends Answering {
  readonly faults: Faults
  readonly faultsAtMost: number
  readonly latencyMs: number
  /** An answer takes up to so much longer. */
  readonly jitterMs: number
  readonly limiter: Limiter | undefined
  readonly refuses: ReadonlyArray<ParameterName>
  readonly jsonSchema: boolean
  readonly counters: Counters
  /** Gets one line for each request whose body is JSON of the right shape. */
  readonly log: (line: string) => void
  /** Milliseconds since 1970, in truth. */
  readonly now: () => number
  /** By how much the server's clock is ahead of it. */
  readonly clockSkewMs: number
  readonly startedAt: number
}

/** What one request gets. */
export interface Exchange {
  readonly wire: Wire
  readonly delayMs: number
  /** Undefined for a request that was not let in. */
  readonly hash: string | undefined
  readonly fault: FaultKind | undefined
}

export interface Sender {
  /** The `Authorization` header. */
  readonly authorization: string
  /** Whether it came as a line of a batch, which has no rate limit and takes no time of its own. */
  readonly batch: boolean
}

export type Exchanging = (api: Api, text: string, sender: Sender) => Exchange

const tooDeep = refusal(400, null, "The body is nested too deeply.")

/** From a request's body to what is sent. Its state: how many times each request was let in. */
export const makeExchange = (settings: ExchangeSettings): Exchanging => {
  const { counters, faults, limiter, seed } = settings
  const attempts = new Map<string, number>()
  /** The first token limit of each request that a `length` fault hit. */
  const firstLimits = new Map<string, number>()

  const refused = (wire: Wire): Exchange => {
    counters.refused(wire.status)
    return { wire, delayMs: 0, hash: undefined, fault: undefined }
  }

  const pastLength = (identity: string, limit: number | undefined): boolean => {
    const asked = limit ?? Number.POSITIVE_INFINITY
    const first = firstLimits.get(identity)
    if (first === undefined) firstLimits.set(identity, asked)
    return first !== undefined && Number.isFinite(first) && asked >= 2 * first
  }

  const exchange: Exchanging = (api, text, { authorization, batch }) => {
    const parsed = parseBody(text)
    if (Result.isFailure(parsed)) return refused(refusalWire(parsed.failure))
    const body = parsed.success
    const read = api.read(body)
    if (Result.isFailure(read)) return refused(refusalWire(read.failure))
    const asked = read.success
    const { hash, identity } = requestHashes(body)
    const arrived = settings.now()
    const clock = arrived + settings.clockSkewMs
    const note = (attempt: number | null, fault: FaultKind | null, status: number | null) =>
      settings.log(
        `${JSON.stringify({ time: new Date(arrived).toISOString(), hash, attempt, fault, status, api: api.name, batch, body })}\n`
      )

    const admission = batch ? undefined : limiter?.(Math.max(inputTokens(asked), asked.tokenLimit ?? 0), clock)
    if (admission?.refused !== undefined) {
      counters.rateLimited()
      note(null, null, admission.refused.status)
      return refused(refusalWire(admission.refused, admission.headers))
    }
    const why = refusedParameter(api, body, settings.refuses) ?? refusedFormat(api, asked, settings.jsonSchema)
    if (why !== undefined) {
      note(null, null, why.status)
      return refused(refusalWire(why, admission?.headers))
    }

    const attempt = attempts.get(identity) ?? 0
    attempts.set(identity, attempt + 1)
    counters.accepted(hash)
    const drawn =
      windowAt(faults, arrived - settings.startedAt) ??
      faultOf(faults, { seed, identity, attempt, atMost: settings.faultsAtMost })
    const unfit =
      (drawn === "length" && pastLength(identity, asked.tokenLimit)) ||
      (drawn === "unsupported-parameter" && optionalParameters(api, body).length === 0)
    const fault = unfit ? undefined : drawn
    if (fault !== undefined) counters.faulted(fault)
    const id = `${hash.slice(0, 20)}-${attempt}`
    const answer = answerWire(fault, {
      api,
      asked,
      body,
      identity,
      authorization,
      facts: { id, created: Math.floor(clock / 1000), asked },
      reply: () => replyTo(asked, settings, identity),
      now: clock
    })
    const silent = answer.delivery === "hang" || answer.delivery === "reset"
    note(attempt, fault ?? null, silent ? null : answer.status)
    if (!silent && answer.status >= 400) counters.refused(answer.status)
    const jitter = settings.jitterMs === 0 ? 0 : settings.jitterMs * uniform(seed, "jitter", identity, attempt)
    return {
      wire: { ...answer, headers: { ...answer.headers, "x-request-id": `req_${id}`, ...admission?.headers } },
      delayMs: settings.latencyMs + jitter,
      hash,
      fault
    }
  }

  return (api, text, sender) => {
    try {
      return exchange(api, text, sender)
    } catch (error) {
      // JSON is parsed to any depth; what walks it afterwards is not.
      if (error instanceof RangeError) return refused(refusalWire(tooDeep))
      throw error
    }
  }
}
