import * as Console from "effect/Console"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

export const simulate = Command.make(
  "simulate",
  {
    port: Flag.Int("port").pipe(
      Flag.withDescription("The port on 127.0.0.1; 0 takes a free one"),
      Flag.withDefault(8377)
    ),
    latency: Flag.Int("latency").pipe(Flag.withDescription("Milliseconds that each answer takes"), Flag.withDefault(0)),
    log: Flag.String("log").pipe(
      Flag.withDescription("Write each request to this file, one JSON object a line"),
      Flag.optional
    ),
    requireKey: Flag.String("require-key").pipe(
      Flag.withDescription("Refuse requests with another API key than this"),
      Flag.optional
    )
  },
  Effect.fn(function* ({ latency, log, port, requireKey }) {
    const { serve } = yield* Effect.promise(() => import("../model/simulate/server.ts"))
    return yield* Effect.scoped(
      Effect.gen(function* () {
        const server = yield* serve({
          port,
          latencyMs: latency,
          ...(Option.isSome(log) ? { log: log.value } : {}),
          ...(Option.isSome(requireKey) ? { apiKey: requireKey.value } : {})
        })
        yield* Console.log(`listening on ${server.url}`)
        yield* Console.error(
          `The embedded model lexical-1 behind OpenAI's chat completions: provider openai, model lexical-1, baseUrl ${server.url}. It is a stand-in; its figures say nothing about real models. Ctrl-C ends it.`
        )
        return yield* Effect.never
      })
    )
  })
).pipe(
  Command.withDescription("Serve the embedded model over HTTP on loopback, as an OpenAI-compatible endpoint"),
  Command.withExamples([
    { command: "assize simulate --port 8377 --latency 200", description: "A slow endpoint to try a campaign against" }
  ])
)
