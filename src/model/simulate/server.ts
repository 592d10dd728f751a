import { closeSync, openSync, writeSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import * as Clock from "effect/Clock"
import { userMessage } from "effect/cli/CliError"
import * as Effect from "effect/Effect"
import { errorExitCode } from "effect/Runtime"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { ServerStats } from "./Counters.ts"
import { makeCounters } from "./Counters.ts"
import { makeHandler } from "./handler.ts"

export interface ServeOptions {
  /** 0 takes a free one. */
  readonly port: number
  /** How long each completion takes. */
  readonly latencyMs: number
  /** For requests that carry no seed. */
  readonly seed?: number
  /** Requests with another key, or none, are refused. */
  readonly apiKey?: string
  /** A file to which every chat request is appended as one line of JSON: `{time, hash, body}`. */
  readonly log?: string
}

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
    server.once("error", (error: NodeJS.ErrnoException) => {
      const message =
        error.code === "EADDRINUSE"
          ? `port ${port} on ${loopback} is taken; give another with --port, or 0 for a free one`
          : `cannot listen on ${loopback}:${port}: ${error.message}`
      resume(Effect.fail(new ServeError({ message })))
    })
    server.listen({ port, host: loopback, backlog: 1024 }, () => resume(Effect.succeed(server)))
  })

/** Closes every connection, idle or not, so that nothing keeps the process or the port. */
const close = (server: Server) =>
  Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void))
    server.closeAllConnections()
  })

/** The embedded model behind OpenAI's chat completions on loopback, until the scope closes. */
export const serve = (options: ServeOptions): Effect.Effect<SimulatedServer, ServeError, Scope.Scope> =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const log = options.log === undefined ? () => undefined : yield* openLog(options.log)
    const counters = makeCounters()
    const handler = makeHandler({
      latencyMs: options.latencyMs,
      seed: options.seed ?? 0,
      apiKey: options.apiKey,
      counters,
      log,
      now: () => clock.currentTimeMillisUnsafe()
    })
    const server = yield* Effect.acquireRelease(
      Effect.suspend(() => listen(createServer({ keepAliveTimeout: keepAliveMs }, handler), options.port)),
      close
    )
    const { port } = server.address() as AddressInfo
    return { url: `http://${loopback}:${port}`, port, stats: counters.read }
  })
