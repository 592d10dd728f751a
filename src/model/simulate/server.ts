import { closeSync, openSync, writeSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import * as Clock from "effect/Clock"
import { userMessage } from "effect/cli/CliError"
import * as Effect from "effect/Effect"
import { errorExitCode } from "effect/Runtime"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { makeBatches } from "./batch.ts"
import { makeBatchRoutes } from "./batchRoutes.ts"
import type { ServerStats } from "./Counters.ts"
import { makeCounters } from "./Counters.ts"
import { makeExchange } from "./exchange.ts"
import { type Faults, noFaults, outagesOf, type Window } from "./faults.ts"
import { makeFiles } from "./files.ts"
import { makeHandler } from "./handler.ts"
import type { ParameterName } from "./parameters.ts"
import { makeLimiter, type RateLimit, type RetryForm } from "./rateLimit.ts"

/** How the server behaves; what is left out is as on a server without faults and limits. */
export interface ServeOptions {
  /** 0 takes a free one. */
  readonly port: number
  /** How long each completion takes. */
  readonly latencyMs: number
  /** Each takes up to so much longer, drawn by the seed. */
  readonly jitterMs?: number
  /** Decides faults and jitter; also the seed of requests that carry none. */
  readonly seed?: number
  /** Requests with another key, or none, are refused. */
  readonly apiKey?: string
  /**
   * A file to which every well-formed request is appended as one line of JSON:
   * `{time, hash, attempt, fault, status, api, batch, body}`. `attempt` counts from 0, and is null for what was not let
   * in; `status` is null where none was sent.
   */
  readonly log?: string
  readonly faults?: Faults
  /** Passing faults in a row for one request, after which it is answered. */
  readonly faultsAtMost?: number
  readonly dripMs?: number
  readonly rateLimit?: RateLimit
  readonly retryForm?: RetryForm
  readonly refuses?: ReadonlyArray<ParameterName>
  /** Whether answers by JSON schema are to be had. */
  readonly jsonSchema?: boolean
  /** Tokens of reasoning in an average answer. */
  readonly reasoning?: number
  /** By how much the server's clock is ahead. */
  readonly clockSkewMs?: number
  /** From the creation of a batch to its end. */
  readonly batchMs?: number
}

export const serveDefaults = { faultsAtMost: 3, dripMs: 100, batchMs: 2000 } as const

export interface SimulatedServer {
  /** `http://127.0.0.1:<port>`; the same paths are served with and without `/v1`. */
  readonly url: string
  readonly port: number
  readonly stats: () => ServerStats
}

/** The server could not start: the port is taken, or the log cannot be written. */
export class ServeError extends Schema.TaggedError<ServeError>()("ServeError", { message: Schema.String }) {
  override readonly [errorExitCode] = 2
  override get [userMessage](): string {
    return this.message
  }
}

const loopback = "127.0.0.1"
/** Longer than clients keep an idle connection, so that none is closed under a request that is on its way. */
const keepAliveMs = 75_000

const openLog = (path: string) =>
  Effect.acquireRelease(
    Effect.try({
      try: () => openSync(path, "a"),
      catch: (cause) => new ServeError({ message: `cannot write the request log ${path}: ${String(cause)}` })
    }),
    (file) => Effect.sync(() => closeSync(file))
  ).pipe(
    // Written before the answer goes out, so that whoever has an answer finds its request in the file.
    Effect.map((file) => (line: string) => {
      writeSync(file, line)
    })
  )

const listen = (server: Server, port: number) =>
  Effect.callback<Server, ServeError>((resume) => {
    const failed = (error: NodeJS.ErrnoException) => {
      const message =
        error.code === "EADDRINUSE"
          ? `port ${port} on ${loopback} is taken; give another with --port, or 0 for a free one`
          : `cannot listen on ${loopback}:${port}: ${error.message}`
      resume(Effect.fail(new ServeError({ message })))
    }
    server.once("error", failed)
    server.listen({ port, host: loopback, backlog: 1024 }, () => {
      server.removeListener("error", failed)
      resume(Effect.succeed(server))
    })
  })

/** Closes every connection, idle or not, so that nothing keeps the process or the port. */
const close = (server: Server) =>
  Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void))
    server.closeAllConnections()
  })

/** Closes the port for each of these times, as a host does that is gone, and takes it again. */
const outages = (server: Server, port: number, windows: ReadonlyArray<Window>) =>
  Effect.gen(function* () {
    let passed = 0
    const until = (ms: number) => {
      const wait = ms - passed
      passed = Math.max(passed, ms)
      return Effect.sleep(Math.max(0, wait))
    }
    for (const { fromMs, untilMs } of windows) {
      yield* until(fromMs)
      yield* close(server)
      if (!Number.isFinite(untilMs)) return
      yield* until(untilMs)
      // Somebody else may have had the port for a moment.
      yield* listen(server, port).pipe(Effect.retry({ schedule: Schedule.spaced("100 millis") }))
    }
  })

/** The embedded model behind OpenAI's APIs on loopback, until the scope closes. */
export const serve = (options: ServeOptions): Effect.Effect<SimulatedServer, ServeError, Scope.Scope> =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const log = options.log === undefined ? () => undefined : yield* openLog(options.log)
    const now = () => clock.currentTimeMillisUnsafe()
    const startedAt = now()
    const faults = options.faults ?? noFaults
    const { rateLimit } = options
    const counters = makeCounters(() => now() - startedAt)
    const settings = {
      latencyMs: options.latencyMs,
      jitterMs: options.jitterMs ?? 0,
      seed: options.seed ?? 0,
      apiKey: options.apiKey,
      faults,
      faultsAtMost: options.faultsAtMost ?? serveDefaults.faultsAtMost,
      dripMs: options.dripMs ?? serveDefaults.dripMs,
      limiter: rateLimit === undefined ? undefined : makeLimiter(rateLimit, options.retryForm ?? "alternate"),
      refuses: options.refuses ?? [],
      jsonSchema: options.jsonSchema ?? true,
      reasoning: options.reasoning ?? 0,
      clockSkewMs: options.clockSkewMs ?? 0,
      batchMs: options.batchMs ?? serveDefaults.batchMs,
      counters,
      log,
      now,
      startedAt
    }
    const exchange = makeExchange(settings)
    const files = makeFiles(() => Math.floor((now() + settings.clockSkewMs) / 1000))
    const batches = yield* makeBatches(settings, files, exchange)
    const handler = makeHandler({ ...settings, exchange, batchRoutes: makeBatchRoutes(files, batches) })
    const server = yield* Effect.acquireRelease(
      Effect.suspend(() => listen(createServer({ keepAliveTimeout: keepAliveMs }, handler), options.port)),
      close
    )
    const { port } = server.address() as AddressInfo
    const closed = outagesOf(faults)
    if (closed.length > 0) yield* Effect.forkScoped(outages(server, port, closed))
    return { url: `http://${loopback}:${port}`, port, stats: counters.read }
  })
