import * as Clock from "effect/Clock"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { OpenAiModel } from "../domain/Campaign.ts"
import { addressOf } from "./address.ts"
import { modelName } from "./key.ts"
import type { ModelError, ModelRequest, Reply } from "./LanguageModel.ts"
import { makeBatchServer } from "./openaiBatch.ts"
import { type Body, bodyOf } from "./openaiBody.ts"
import { type Dialect, firstDialect, learn } from "./openaiDialect.ts"
import { type Endpoint, makeClients, makeEndpoint } from "./openaiEndpoint.ts"
import { isFiltered, kindOf, ranOut, type ServerError } from "./openaiError.ts"
import {
  type CallSite,
  firstByteFailure,
  statusFailure,
  timeoutFailure,
  unreachableFailure,
  unreadableFailure
} from "./openaiFailure.ts"
import { type Reading, readAnswer, tooLargeToRead } from "./openaiReading.ts"
import type { Learned, Provider } from "./Provider.ts"
import { advisedRate } from "./rateAdvice.ts"
import { Secrets } from "./Secrets.ts"

type OpenAi = typeof OpenAiModel.Type

/** Characters of a served model's name that are kept. */
const longestName = 200

/** What is known of a model's server. */
interface Knowledge {
  readonly name: string
  dialect: Dialect
  lessons: ReadonlyArray<string>
  /** Done when the one call that tries what was learned has found out whether more is to be learned. */
  trial: Deferred.Deferred<void> | undefined
  saidOddUsage: boolean
}

/** An error of this one prompt that is an outcome, not a failure. */
const outcomeReply = (error: ServerError): Reply | undefined => {
  const finish = ranOut(error) ? "length" : isFiltered(error) ? "content-filter" : undefined
  return finish === undefined ? undefined : { text: "", finish, usage: null, servedModel: null }
}

/** Whether the server may have refused the form of the request. Gateways say so with 500 and 404, too. */
const mayTeach = (reading: Reading | ModelError): reading is Extract<Reading, { _tag: "error" }> => {
  if (reading._tag !== "error") return false
  const { error } = reading
  if (error.status < 400 || outcomeReply(error) !== undefined) return false
  return kindOf(error) === "bad-request" || (error.status === 500 && /does not support parameters/i.test(error.message))
}

/**
 * Chat completions and responses at any OpenAI-compatible address. Learns from a server's own error, once for each model,
 * which parameters it does not take. Keys and the variables of headers are read from the environment when a model is
 * first asked; they are taken out of everything that comes back.
 */
export const make: Effect.Effect<Provider> = Effect.gen(function* () {
  const config = yield* ConfigProvider.ConfigProvider
  const secrets = new Secrets()
  const clientOf = makeClients()
  const endpoints = new WeakMap<OpenAi, Endpoint>()
  const advised = new WeakMap<Endpoint, number>()
  const known = new Map<string, Knowledge>()

  const knowledgeOf = (model: OpenAi): Knowledge => {
    const { api } = addressOf(model)
    const id = `${api} ${modelName(model)}`
    const found = known.get(id)
    if (found !== undefined) return found
    const knowledge: Knowledge = {
      name: modelName(model),
      dialect: firstDialect(model),
      lessons: [],
      trial: undefined,
      saidOddUsage: false
    }
    known.set(id, knowledge)
    return knowledge
  }

  const endpointOf = (model: OpenAi): Effect.Effect<Endpoint, ModelError> => {
    const found = endpoints.get(model)
    if (found !== undefined) return Effect.succeed(found)
    return makeEndpoint(model, secrets, clientOf).pipe(
      Effect.tap((endpoint) => Effect.sync(() => endpoints.set(model, endpoint))),
      Effect.provideService(ConfigProvider.ConfigProvider, config)
    )
  }

  const send = (endpoint: Endpoint, body: Body): Effect.Effect<Reading | ModelError> => {
    const { client, headers, origin, path, site } = endpoint
    return Effect.flatMap(
      client.post({ origin, path, headers, body: JSON.stringify(body), firstByteMs: site.firstByteMs ?? 0 }),
      (outcome) =>
        Clock.clockWith((clock): Effect.Effect<Reading | ModelError> => {
          switch (outcome._tag) {
            case "answer": {
              const now = clock.currentTimeMillisUnsafe()
              const rate = advisedRate(outcome.headers, now)
              if (rate !== undefined) advised.set(endpoint, rate)
              return Effect.succeed(readAnswer(outcome.status, outcome.headers, outcome.body, site.api, now))
            }
            case "too-large":
              return Effect.succeed(tooLargeToRead)
            case "no-first-byte":
              return Effect.succeed(firstByteFailure(site))
            case "nothing":
              return Effect.succeed(unreachableFailure(outcome.cause, site))
          }
        })
    )
  }

  /** Learns from a refusal and tries again, alone: the calls that were refused meanwhile wait for what comes of it. */
  const afterRefusal = Effect.fnUntraced(function* (
    endpoint: Endpoint,
    model: OpenAi,
    request: ModelRequest,
    knowledge: Knowledge,
    refused: { readonly reading: Reading | ModelError; readonly dialect: Dialect; readonly body: Body }
  ) {
    let { body, dialect, reading } = refused
    let own: Deferred.Deferred<void> | undefined
    const release = Effect.sync(() => {
      if (own === undefined) return
      if (knowledge.trial === own) knowledge.trial = undefined
      Deferred.doneUnsafe(own, Effect.void)
    })
    // Each round but the last teaches something that is taught once only, so there are few.
    const rounds = Effect.gen(function* () {
      while (mayTeach(reading)) {
        if (knowledge.dialect === dialect) {
          const next = learn(dialect, body, reading.error)
          if (next === undefined) return reading
          knowledge.dialect = next.dialect
          knowledge.lessons = [...knowledge.lessons, next.lesson]
          if (own === undefined) {
            own = Deferred.makeUnsafe<void>()
            knowledge.trial = own
          }
          yield* Effect.logWarning(`${knowledge.name} ${next.lesson}`)
        } else if (own === undefined && knowledge.trial !== undefined) yield* Deferred.await(knowledge.trial)
        dialect = knowledge.dialect
        body = bodyOf(model, request, dialect)
        reading = yield* send(endpoint, body)
      }
      return reading
    })
    return yield* Effect.ensuring(rounds, release)
  })

  const once = (endpoint: Endpoint, model: OpenAi, request: ModelRequest, knowledge: Knowledge) => {
    const { dialect } = knowledge
    const body = bodyOf(model, request, dialect)
    return Effect.filterOrElse(
      send(endpoint, body),
      (reading) => !mayTeach(reading),
      (reading) => afterRefusal(endpoint, model, request, knowledge, { reading, dialect, body })
    )
  }

  const settle = (reading: Reading | ModelError, site: CallSite, knowledge: Knowledge) => {
    switch (reading._tag) {
      case "ModelError":
        return Effect.fail(reading)
      case "unreadable":
        return Effect.fail(unreadableFailure(reading.kind, reading.what, site))
      case "error": {
        const reply = outcomeReply(reading.error)
        return reply === undefined ? Effect.fail(statusFailure(reading.error, site)) : Effect.succeed(reply)
      }
      case "reply": {
        const { reply, oddUsage } = reading.read
        const struck: Reply = {
          ...reply,
          text: secrets.strike(reply.text),
          servedModel: reply.servedModel === null ? null : secrets.strike(reply.servedModel).slice(0, longestName)
        }
        if (!oddUsage || knowledge.saidOddUsage) return Effect.succeed(struck)
        knowledge.saidOddUsage = true
        const said = `${knowledge.name} reports numbers of tokens that cannot be; they count as not reported`
        return Effect.as(Effect.logWarning(said), struck)
      }
    }
  }

  const complete = (request: ModelRequest): Effect.Effect<Reply, ModelError> => {
    const { model } = request
    if (model.provider !== "openai") return Effect.die(new Error(`not a model of the openai provider: ${model.model}`))
    return Effect.flatMap(endpointOf(model), (endpoint) => {
      const { site } = endpoint
      const knowledge = knowledgeOf(model)
      const trial = knowledge.trial
      const ask =
        trial === undefined
          ? once(endpoint, model, request, knowledge)
          : Effect.andThen(
              Deferred.await(trial),
              Effect.suspend(() => once(endpoint, model, request, knowledge))
            )
      return ask.pipe(
        Effect.timeoutOrElse({ duration: site.timeoutMs, orElse: () => Effect.fail(timeoutFailure(site)) }),
        Effect.flatMap((reading) => settle(reading, site, knowledge))
      )
    })
  }

  const learned = (model: OpenAi): Learned => {
    const { dialect, lessons } = knowledgeOf(model)
    return { api: dialect.api, tokens: dialect.tokens, leftOut: [...dialect.leftOut], lessons }
  }

  const batches: Provider["batches"] = (model) =>
    model.provider !== "openai"
      ? Effect.die(new Error(`not a model of the openai provider: ${model.model}`))
      : Effect.map(endpointOf(model), (endpoint) => {
          const knowledge = knowledgeOf(model)
          return makeBatchServer(model, {
            endpoint,
            bodyOf: (request) => bodyOf(model, request, knowledge.dialect),
            settle: (reading) => settle(reading, endpoint.site, knowledge)
          })
        })

  return Object.assign(complete, {
    advised: (model: ModelRequest["model"]) => {
      const endpoint = model.provider === "openai" ? endpoints.get(model) : undefined
      return endpoint === undefined ? undefined : advised.get(endpoint)
    },
    learned: (model: ModelRequest["model"]) => (model.provider === "openai" ? learned(model) : undefined),
    batches
  })
})
