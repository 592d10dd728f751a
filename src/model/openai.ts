import * as Clock from "effect/Clock"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type OpenAI from "openai"
import { durationMs, type OpenAiModel } from "../domain/Campaign.ts"
import { addressOf } from "./address.ts"
import { apiKeyName, readApiKey } from "./apiKey.ts"
import { type HttpClient, makeHttpClient } from "./httpClient.ts"
import { modelName } from "./key.ts"
import type { ModelError, ModelRequest, Reply } from "./LanguageModel.ts"
import { bodyOf, type Dialect, firstDialect, learn } from "./openaiBody.ts"
import {
  type CallSite,
  malformedFailure,
  noKeyFailure,
  type ServerError,
  serverError,
  statusFailure,
  timeoutFailure,
  unreachableFailure
} from "./openaiFailure.ts"
import { fieldsOf, replyOf } from "./openaiReply.ts"
import type { Provider } from "./Provider.ts"

type OpenAi = typeof OpenAiModel.Type
type Body = ReturnType<typeof bodyOf>

export const defaultTimeoutMs = 120_000

/** What came back: a body to be read, an answer that says it failed, or nothing at all. */
type Answer =
  | { readonly _tag: "body"; readonly body: unknown }
  | { readonly _tag: "status"; readonly error: ServerError }
  | { readonly _tag: "broken" }
  | { readonly _tag: "nothing"; readonly cause: unknown }

const answerOf = (cause: unknown, now: number): Answer => {
  const { status, error, headers, message } = fieldsOf(cause)
  if (typeof status === "number") {
    // For a body that is no JSON, the library keeps the text behind the status.
    const body = error ?? (typeof message === "string" ? message.replace(/^\d{3} (status code \(no body\)$)?/, "") : "")
    return {
      _tag: "status",
      error: serverError(status, body, headers instanceof Object ? (headers as Headers) : undefined, now)
    }
  }
  return cause instanceof SyntaxError ? { _tag: "broken" } : { _tag: "nothing", cause }
}

/** Some servers answer 200 with an error inside, whose code is the status it should have had. */
const errorInside = (body: unknown, now: number): ServerError | undefined => {
  const { error, choices } = fieldsOf(body)
  const choice = Array.isArray(choices) ? fieldsOf(choices[0]).error : undefined
  const found = typeof error === "object" && error !== null ? error : choice
  if (typeof found !== "object" || found === null) return undefined
  const code = Number(fieldsOf(found).code)
  return serverError(code >= 400 && code < 600 ? code : 500, { error: found }, undefined, now)
}

const describe = (body: unknown): string => {
  if (typeof body !== "string") return "JSON that is no chat completion"
  const start = body.trimStart().slice(0, 20).toLowerCase()
  if (start === "") return "nothing"
  if (start.startsWith("<")) return "a web page"
  return start.startsWith("data:") || start.startsWith("event:")
    ? "a stream of events, which was not asked for"
    : "text that is no JSON"
}

/** The allowance was used up by thinking before the first word: OpenAI says so as an error. */
const ranOut = /could not finish the message because max_tokens|model output limit was reached/i
const cutOff: Reply = { text: "", finish: "length", usage: null, servedModel: null }

/**
 * Chat completions at any OpenAI-compatible address. Learns from a server's own error, once for each model, which
 * parameters it does not take. The key is read from the environment when a model is first asked.
 */
export const make: Effect.Effect<Provider> = Effect.gen(function* () {
  const config = yield* ConfigProvider.ConfigProvider
  const clients = new Map<string, Promise<OpenAI>>()
  const dialects = new Map<string, Dialect>()
  const https = new Map<boolean, Promise<HttpClient>>()

  const httpClient = (loopback: boolean) => {
    const client = https.get(loopback) ?? makeHttpClient(loopback)
    https.set(loopback, client)
    return client
  }

  const newClient = async (model: OpenAi, secret: string | undefined): Promise<OpenAI> => {
    const { base, query, loopback } = addressOf(model)
    const [{ OpenAI }, { fetch }] = await Promise.all([import("openai"), httpClient(loopback)])
    return new OpenAI({
      baseURL: base,
      defaultQuery: query,
      fetch,
      maxRetries: 0,
      // The library reads these from the environment when they are left out.
      apiKey: secret ?? "none",
      adminAPIKey: null,
      ...(addressOf(model).official ? {} : { organization: null, project: null }),
      ...(secret === undefined ? { defaultHeaders: { Authorization: null } } : {}),
      logLevel: "off"
    })
  }

  const clientOf = (model: OpenAi, secret: string | undefined): Promise<OpenAI> => {
    const name = JSON.stringify([model.baseUrl ?? "", apiKeyName(model) ?? ""])
    const client = clients.get(name) ?? newClient(model, secret)
    clients.set(name, client)
    return client
  }

  const send = (model: OpenAi, secret: string | undefined, body: Body, timeoutMs: number): Effect.Effect<Answer> =>
    Effect.tryPromise({
      try: async (signal): Promise<Answer> => {
        const client = await clientOf(model, secret)
        // The library's own limit is a backstop behind ours, which covers the whole call.
        return {
          _tag: "body",
          body: await client.chat.completions.create(body, { signal, timeout: timeoutMs + 10_000 })
        }
      },
      catch: (cause) => ({ cause })
    }).pipe(Effect.catch(({ cause }) => Effect.map(Clock.currentTimeMillis, (now) => answerOf(cause, now))))

  const once = Effect.fnUntraced(function* (model: OpenAi, request: ModelRequest, site: CallSite) {
    const name = modelName(model)
    // Each round but the last teaches something that is taught once only, so there are few.
    while (true) {
      const dialect = dialects.get(name) ?? firstDialect(model)
      const body = bodyOf(model, request, dialect)
      const answer = yield* send(model, site.secret, body, site.timeoutMs)
      if (answer._tag !== "status" || (answer.error.status !== 400 && answer.error.status !== 422)) return answer
      // Another call may have learned it meanwhile.
      const current = dialects.get(name) ?? dialect
      const next = learn(current, body, answer.error)
      if (next === undefined && current === dialect) return answer
      if (next !== undefined && current === dialect) {
        dialects.set(name, next.dialect)
        yield* Effect.logWarning(`${name} ${next.lesson}`)
      }
    }
  })

  const read = (answer: Answer, site: CallSite, now: number): Result.Result<Reply, ModelError> => {
    switch (answer._tag) {
      case "body": {
        const inside = errorInside(answer.body, now)
        if (inside !== undefined) return Result.fail(statusFailure(inside, site))
        const reply = replyOf(answer.body)
        return reply === undefined ? Result.fail(malformedFailure(describe(answer.body), site)) : Result.succeed(reply)
      }
      case "status":
        if (answer.error.status === 400 && ranOut.test(answer.error.message)) return Result.succeed(cutOff)
        return Result.fail(statusFailure(answer.error, site))
      case "broken":
        return Result.fail(malformedFailure("JSON that breaks off or is not well formed", site))
      case "nothing":
        return Result.fail(unreachableFailure(answer.cause, site))
    }
  }

  return (request) => {
    const { model } = request
    if (model.provider !== "openai") return Effect.die(new Error(`not a model of the openai provider: ${model.model}`))
    return Effect.gen(function* () {
      const keyName = apiKeyName(model)
      const address = addressOf(model).base
      const key = keyName === undefined ? undefined : yield* readApiKey(keyName)
      if (keyName !== undefined && key === undefined)
        return yield* noKeyFailure(keyName, { model: model.model, address })
      const site: CallSite = {
        model: model.model,
        address,
        keyName,
        secret: key === undefined ? undefined : Redacted.value(key),
        timeoutMs: model.timeout === undefined ? defaultTimeoutMs : durationMs(model.timeout)
      }
      const answer = yield* once(model, request, site).pipe(
        Effect.timeoutOrElse({ duration: site.timeoutMs, orElse: () => Effect.fail(timeoutFailure(site)) })
      )
      return yield* Effect.fromResult(read(answer, site, yield* Clock.currentTimeMillis))
    }).pipe(Effect.provideService(ConfigProvider.ConfigProvider, config))
  }
})
