import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Budget, ModelConfig, OpenAiModel } from "../domain/Campaign.ts"
import { judgeRequest } from "../judge/wholeNoteScore.ts"
import { addressOf } from "../model/address.ts"
import { apiKeyName, noKeyHint, readApiKey } from "../model/apiKey.ts"
import { modelName } from "../model/key.ts"
import type { Reply } from "../model/LanguageModel.ts"
import { fieldsOf } from "../model/openaiUsage.ts"
import type { Learned, Providers } from "../model/Provider.ts"
import { preflightRequest } from "../model/preflight.ts"
import { costOf, priceOf } from "../model/prices.ts"
import { type Check, no, note, ok, type Section, warning } from "./Check.ts"
import { type WireFacts, watchWire } from "./wire.ts"

type OpenAi = typeof OpenAiModel.Type

/** A model to be asked, with the names that it goes by in the campaign or on the command line. */
export interface AskedModel {
  readonly names: ReadonlyArray<string>
  readonly model: ModelConfig
}

/** Clocks further apart make `retry-after` dates useless, and soon signatures and certificates too. */
const mostSkewMs = 30_000

const ms = (value: number): string => (value < 1000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(1)} s`)

const beforeAsking = Effect.fnUntraced(function* (model: OpenAi, budget: Budget) {
  const checks: Array<Check> = []
  const { base, holdsCredentials, loopback } = addressOf(model)
  const keyName = apiKeyName(model)
  const hasKey = keyName !== undefined && (yield* readApiKey(keyName)) !== undefined
  if (keyName === undefined) checks.push(ok("no key is configured, and none is sent"))
  else
    checks.push(
      hasKey ? ok(`${keyName} is set`) : no(`${keyName}, which is to hold the key, is not set`, noKeyHint(keyName))
    )
  if (holdsCredentials) {
    checks.push(
      no(
        "the address holds a user name or password",
        "Remove it: keys come from an environment variable only, named in apiKeyEnv"
      )
    )
  }
  if (base.startsWith("http://") && !loopback) {
    checks.push(
      warning(
        "http:// to another machine: notes, transcripts and the key can be read on the way",
        "Use https://, or a tunnel that ends on this machine"
      )
    )
  }
  if (model.maxOutputTokens === undefined) {
    checks.push(
      warning(
        "maxOutputTokens is not set: one rambling answer may cost as much as the model can write",
        "Set it, to 1024 for a judge without reasoning, more with"
      )
    )
  }
  const price = priceOf(model)
  if (price !== null) checks.push(ok(`$${price.input} in and $${price.output} out per million tokens`))
  else if (budget.usd === undefined)
    checks.push(
      warning("its price is not known, so costs will be shown as unknown", "Add price: { input: …, output: … }")
    )
  else
    checks.push(
      no(
        "its price is not known, so the budget in usd cannot be kept",
        "Add price: { input: …, output: … } in US dollars per million tokens, or limit calls or tokens instead of usd"
      )
    )
  return { checks, askable: (keyName === undefined || hasKey) && !holdsCredentials }
})

const has = (value: unknown, ...path: ReadonlyArray<string>): boolean =>
  typeof path.reduce<unknown>((at, name) => fieldsOf(at)[name], value) === "number"

/** What the answer's body says of tokens, under either API's names. */
const usageChecks = (body: string, reply: Reply): ReadonlyArray<Check> => {
  if (reply.usage === null) {
    return [
      warning(
        "it does not report the tokens that it used, so costs cannot be known",
        "If the server has a setting for usage reports, turn it on"
      )
    ]
  }
  let usage: unknown
  try {
    usage = fieldsOf(JSON.parse(body)).usage
  } catch {
    // The answer came in a form that only the client reads; what was read of it stands in the reply.
    usage = undefined
  }
  const cached =
    has(usage, "prompt_tokens_details", "cached_tokens") || has(usage, "input_tokens_details", "cached_tokens")
  const reasoning =
    has(usage, "completion_tokens_details", "reasoning_tokens") ||
    has(usage, "output_tokens_details", "reasoning_tokens")
  const missing = [...(cached ? [] : ["cached input"]), ...(reasoning ? [] : ["reasoning"])]
  return [
    ok(
      `it reports tokens: ${reply.usage.input} in, ${reply.usage.output} out${missing.length === 0 ? ", with cached input and reasoning" : ""}`
    ),
    ...(missing.length === 0 ? [] : [note(`it does not say how many of them were ${missing.join(" or ")}`)])
  ]
}

const takes = (model: OpenAi, learned: Learned): ReadonlyArray<Check> => {
  const out = new Set(learned.leftOut)
  const chat = learned.api === "chat-completions"
  const sent: ReadonlyArray<readonly [name: string, optional: string, sent: boolean]> = [
    ["temperature", "temperature", model.temperature !== undefined],
    ["seed", "seed", chat],
    ["reasoning effort", "reasoning", model.reasoningEffort !== undefined],
    ["answers by JSON schema", "answer", model.structuredOutput !== false]
  ]
  const taken = sent.filter(([, optional, asked]) => asked && !out.has(optional)).map(([name]) => name)
  const refused = sent.filter(([, optional, asked]) => asked && out.has(optional)).map(([name]) => name)
  const unasked = sent.filter(([, , asked]) => !asked).map(([name]) => name)
  return [
    ok(`${chat ? "chat completions" : "responses"}: takes ${[learned.tokens, ...taken].join(", ")}`),
    ...(refused.length === 0 ? [] : [note(`refuses ${refused.join(", ")}: left out from then on`)]),
    ...(unasked.length === 0 ? [] : [note(`not sent as configured, so not tried: ${unasked.join(", ")}`)])
  ]
}

const clockCheck = (skewMs: number): Check => {
  const seconds = Math.round(Math.abs(skewMs) / 1000)
  const side = skewMs > 0 ? "behind" : "ahead of"
  return Math.abs(skewMs) < mostSkewMs
    ? ok(`this machine's clock is within ${Math.max(1, seconds)} s of the server's`)
    : warning(
        `this machine's clock is ${seconds} s ${side} the server's`,
        "Set the clock: times of runs will be wrong, and so may waiting until a date be"
      )
}

const answered = (model: OpenAi, reply: Reply, wire: WireFacts, learned: Learned | undefined): ReadonlyArray<Check> => {
  const connect = wire.connectMs === undefined ? "" : `${ms(wire.connectMs)} to connect, `
  const took = wire.answerMs === undefined ? "" : `, ${connect}${ms(wire.answerMs)} to answer`
  const cost = costOf(reply.usage, priceOf(model))
  return [
    ok(
      `answers${took}${wire.requests > 1 ? `, after ${wire.requests} requests` : ""}${cost === null ? "" : `; $${cost.toFixed(6)}`}`
    ),
    reply.servedModel === null
      ? note("it does not say which model it serves")
      : reply.servedModel === model.model
        ? ok(`served as ${reply.servedModel}`)
        : note(`asked for ${model.model}, served as ${reply.servedModel}`),
    ...(wire.skewMs === undefined ? [note("it sends no date to compare clocks by")] : [clockCheck(wire.skewMs)]),
    ...usageChecks(wire.body, reply),
    ...(learned === undefined ? [] : takes(model, learned))
  ]
}

/**
 * Asks a model one tiny question, in the form that a judge's requests have, and tells what came of it. Repeats nothing
 * but what the server's own errors teach. Keeps nothing, and shows no key.
 */
export const modelSection = Effect.fn("modelSection")(function* (
  { model, names }: AskedModel,
  budget: Budget,
  providers: Providers
) {
  const name = `${modelName(model)} (${names.join(", ")})`
  if (model.provider === "embedded") {
    return {
      name,
      checks: [ok("there is nothing to check: it answers offline, from the prompt alone")]
    } satisfies Section as Section
  }
  const { askable, checks } = yield* beforeAsking(model, budget)
  if (!askable) return { name, checks: [...checks, note("not asked")] } satisfies Section as Section
  const tiny = preflightRequest(model)
  const request = judgeRequest(tiny.model, tiny.messages, tiny.seed)
  const clock = yield* Clock.Clock
  const wire = watchWire(
    addressOf(model).origin,
    () => performance.now(),
    () => clock.currentTimeMillisUnsafe()
  )
  const outcome = yield* Effect.result(providers.openai(request)).pipe(
    Effect.onInterrupt(() => Effect.sync(() => wire.stop()))
  )
  const seen = wire.stop()
  const learned = providers.openai.learned?.(model)
  const facts = {
    reached: outcome._tag === "Success",
    connectMs: seen.connectMs ?? null,
    answerMs: seen.answerMs ?? null,
    requests: seen.requests,
    clockSkewMs: seen.skewMs ?? null,
    price: priceOf(model),
    learned: learned ?? null
  }
  if (outcome._tag === "Failure") {
    const { kind, message } = outcome.failure
    const connected = seen.connectMs === undefined ? [] : [ok(`connects in ${ms(seen.connectMs)}`)]
    const clocks = seen.skewMs === undefined ? [] : [clockCheck(seen.skewMs)]
    const failed = [...checks, ...connected, ...clocks, no(message, hintOf(kind))]
    return { name, checks: failed, facts: { ...facts, failure: kind } } satisfies Section as Section
  }
  const { finish, servedModel, usage } = outcome.success
  return {
    name,
    checks: [...checks, ...answered(model, outcome.success, seen, learned)],
    facts: { ...facts, served: servedModel, finish, usage }
  } satisfies Section as Section
})

const hintOf = (kind: string): string =>
  kind === "rate-limited" || kind === "server-error" || kind === "timeout"
    ? "Try again in a while"
    : "Put it right in the campaign or the environment and run assize doctor again"
