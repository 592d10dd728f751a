import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { OpenAiModel } from "../domain/Campaign.ts"
import { addressOf } from "./address.ts"
import type { BatchMark, BatchServer, BatchState, ResultLine } from "./batch/BatchServer.ts"
import type { HttpOutcome } from "./httpClient.ts"
import { ModelError, type ModelRequest, type Reply } from "./LanguageModel.ts"
import { batchStateOf, makeForm, readResultLine } from "./openaiBatchText.ts"
import type { Body } from "./openaiBody.ts"
import type { Endpoint } from "./openaiEndpoint.ts"
import { serverError } from "./openaiError.ts"
import {
  firstByteFailure,
  quote,
  statusFailure,
  timeoutFailure,
  unreachableFailure,
  unreadableFailure
} from "./openaiFailure.ts"
import type { Reading } from "./openaiReading.ts"
import { fieldsOf } from "./openaiUsage.ts"

type OpenAi = typeof OpenAiModel.Type

/** What the provider of single calls shares with batches. */
export interface BatchTools {
  readonly endpoint: Endpoint
  /** In the form that the model's server has been found to want. */
  readonly bodyOf: (request: ModelRequest) => Body
  readonly settle: (reading: Reading) => Effect.Effect<Reply, ModelError>
}

/** Files of 200 MB are not sent in the time of a call. */
const fileMs = 30 * 60_000
/** Of a file of results: more than the longest answers of as many requests as a batch may have. */
const longestFile = 1024 * 1024 * 1024
const perPage = 100
const mostPages = 50
/** By how much a server's clock may be wrong. */
const clockErrorMs = 24 * 60 * 60_000

/** Where a model's files and batches are, and how lines name what they ask. */
export const batchAddress = (model: OpenAi) => {
  const { api, base, origin, path } = addressOf(model)
  const at = path.indexOf("?")
  const deployment = /\/deployments\/([^/]+)$/.exec(base)
  const resource = api === "responses" ? "/responses" : "/chat/completions"
  // Azure has them beside its deployments, and its lines name what they ask without the version.
  const azure = deployment !== null || /\.azure\.(com|us|cn)$/.test(new URL(origin).hostname)
  return {
    root: base.slice(origin.length).replace(/\/deployments\/[^/]+$/, ""),
    query: at === -1 ? "" : path.slice(at),
    url: azure ? resource : `/v1${resource}`,
    model: deployment === null ? model.model : decodeURIComponent(deployment[1]!)
  }
}

interface Answer {
  readonly status: number
  readonly body: Buffer
}

interface Ask {
  readonly method: "GET" | "POST" | "DELETE"
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  readonly file?: boolean
}

/** The batch API of OpenAI and of servers that have the same [openai: files, batches]. */
export const makeBatchServer = (model: OpenAi, { bodyOf, endpoint, settle }: BatchTools): BatchServer => {
  const { client, origin, site } = endpoint
  const address = batchAddress(model)
  const { "content-type": json, ...headers } = endpoint.headers
  const name = `the batch API at ${site.address}`

  const answerOf =
    (timeoutMs: number) =>
    (outcome: HttpOutcome | { readonly _tag: "late" }): Effect.Effect<Answer, ModelError> => {
      switch (outcome._tag) {
        case "answer":
          return Effect.succeed({ status: outcome.status, body: outcome.body })
        case "late":
          return Effect.fail(timeoutFailure({ ...site, timeoutMs }))
        case "no-first-byte":
          return Effect.fail(firstByteFailure(site))
        case "too-large":
          return Effect.fail(unreadableFailure("malformed-response", "a file that is too large", site))
        case "nothing":
          return Effect.fail(unreachableFailure(outcome.cause, site))
      }
    }

  const ask = ({ body, file = false, headers: more, method, path }: Ask): Effect.Effect<Answer, ModelError> => {
    const timeoutMs = file ? Math.max(fileMs, site.timeoutMs) : site.timeoutMs
    const [plainPath, ownQuery = ""] = path.split("?")
    const query = [address.query.slice(1), ownQuery].filter((part) => part !== "").join("&")
    return client
      .post({
        method,
        origin,
        path: `${address.root}${plainPath}${query === "" ? "" : `?${query}`}`,
        headers: { ...headers, ...(typeof body === "string" ? { "content-type": json ?? "" } : {}), ...more },
        ...(body === undefined ? {} : { body }),
        firstByteMs: 0,
        ...(file ? { longest: longestFile } : {})
      })
      .pipe(
        Effect.timeoutOrElse({
          duration: timeoutMs,
          orElse: () => Effect.succeed({ _tag: "late" as const })
        }),
        Effect.flatMap(answerOf(timeoutMs))
      )
  }

  const parsed = ({ body }: Answer): unknown => {
    try {
      return JSON.parse(body.toString("utf8"))
    } catch {
      return body.toString("utf8")
    }
  }

  const isOk = ({ status }: Answer) => status >= 200 && status < 300

  const failure = (answer: Answer): Effect.Effect<never, ModelError> =>
    Clock.clockWith((clock) =>
      Effect.fail(
        statusFailure(serverError(answer.status, parsed(answer), undefined, clock.currentTimeMillisUnsafe()), site)
      )
    )

  const noBatches = new ModelError({
    kind: "unknown-model",
    message: `${site.address} has no batch API: leave batch out of ${site.model}'s settings`
  })
  /** Servers without batches know nothing of where they are. */
  const creating = (answer: Answer) =>
    answer.status === 404 || answer.status === 405 || answer.status === 501
      ? Effect.fail(noBatches)
      : isOk(answer)
        ? Effect.succeed(answer)
        : failure(answer)

  const unreadable = (what: string) => unreadableFailure("malformed-response", what, { ...site, endpoint: name })
  const shown = (text: string) => quote(text, site.secrets).slice(3, -1)
  const stateOf = (value: unknown): Effect.Effect<BatchState, ModelError> => {
    const state = batchStateOf(value, shown)
    return state === undefined ? Effect.fail(unreadable("something that is no batch")) : Effect.succeed(state)
  }
  const fileAt = (id: string) => `/files/${encodeURIComponent(id)}`

  const upload: BatchServer["upload"] = (filename, lines) => {
    const form = makeForm(filename, lines)
    return ask({
      method: "POST",
      path: "/files",
      headers: { "content-type": form.contentType },
      body: form.body,
      file: true
    }).pipe(
      Effect.flatMap(creating),
      Effect.flatMap((answer) => {
        const { id, status } = fieldsOf(parsed(answer))
        if (typeof id !== "string" || id === "") return Effect.fail(unreadable("something that is no file"))
        return status === "pending" || status === "running" ? Effect.as(processed(id), id) : Effect.succeed(id)
      })
    )
  }

  /** Azure looks at a file first, before a batch can be made of it. */
  const processed = (id: string): Effect.Effect<void, ModelError> =>
    Effect.gen(function* () {
      for (let look = 0; look < 200; look++) {
        yield* Effect.sleep(Math.min(1000 * 1.2 ** look, 10_000))
        const answer = yield* ask({ method: "GET", path: fileAt(id) })
        if (!isOk(answer)) return yield* failure(answer)
        const { status } = fieldsOf(parsed(answer))
        if (status !== "pending" && status !== "running") return
      }
    })

  const submit = (file: string, mark: BatchMark): Effect.Effect<BatchState, ModelError> =>
    ask({
      method: "POST",
      path: "/batches",
      // Servers that know it do not make the same batch twice.
      headers: { "idempotency-key": mark.id },
      body: JSON.stringify({
        input_file_id: file,
        endpoint: address.url,
        completion_window: "24h",
        metadata: { assize: mark.id, run: mark.run, requests: mark.requests }
      })
    }).pipe(
      Effect.flatMap(creating),
      Effect.flatMap((answer) => stateOf(parsed(answer)))
    )

  const find: BatchServer["find"] = Effect.fnUntraced(function* (id: string, sinceMs: number) {
    let after = ""
    for (let page = 0; page < mostPages; page++) {
      const answer = yield* ask({ method: "GET", path: `/batches?limit=${perPage}${after}` })
      if (!isOk(answer)) return yield* failure(answer)
      const { data, has_more } = fieldsOf(parsed(answer))
      if (!Array.isArray(data)) return yield* unreadable("something that is no list of batches")
      const found = data.find((one) => fieldsOf(fieldsOf(one).metadata).assize === id)
      if (found !== undefined) return yield* stateOf(found)
      const last = fieldsOf(data.at(-1))
      if (has_more !== true || typeof last.id !== "string") return undefined
      if (typeof last.created_at === "number" && last.created_at * 1000 < sinceMs - clockErrorMs) return undefined
      after = `&after=${encodeURIComponent(last.id)}`
    }
    return undefined
  })

  const get: BatchServer["get"] = (id) =>
    Effect.flatMap(ask({ method: "GET", path: `/batches/${encodeURIComponent(id)}` }), (answer) =>
      answer.status === 404 ? Effect.undefined : isOk(answer) ? stateOf(parsed(answer)) : failure(answer)
    )

  const download: BatchServer["download"] = (file) =>
    Effect.flatMap(ask({ method: "GET", path: `${fileAt(file)}/content`, file: true }), (answer) =>
      answer.status === 404 ? Effect.undefined : isOk(answer) ? Effect.succeed(answer.body) : failure(answer)
    )

  return {
    name,
    line: (request, key) =>
      JSON.stringify({
        custom_id: key,
        method: "POST",
        url: address.url,
        body: { ...bodyOf(request), model: address.model }
      }),
    upload,
    submit,
    find,
    get,
    download,
    // A file that stays costs nothing, and people can see it at the server.
    remove: (file) => Effect.ignore(ask({ method: "DELETE", path: fileAt(file) })),
    read: (text) =>
      Clock.clockWith((clock): Effect.Effect<ResultLine | undefined> => {
        const line = readResultLine(text, site.api, clock.currentTimeMillisUnsafe())
        if (line === undefined) return Effect.undefined
        const { key, reading } = line
        if (reading === undefined) return Effect.succeed({ key, result: { _tag: "unprocessed" } })
        return Effect.match(settle(reading), {
          onSuccess: (reply): ResultLine => ({ key, result: { _tag: "reply", reply } }),
          onFailure: (error): ResultLine => ({ key, result: { _tag: "failed", error } })
        })
      })
  }
}
