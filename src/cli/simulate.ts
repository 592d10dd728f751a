import * as Console from "effect/Console"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { InputError, type Problem } from "../domain/InputError.ts"
import { faultsHelp } from "../model/simulate/kinds.ts"
import { meaningless } from "./together.ts"

const atLeast = (least: number) => (flag: Flag.Flag<number>) =>
  Flag.filter(
    flag,
    (value) => value >= least,
    (value) => `Expected a whole number of at least ${least}, found ${value}`
  )
const amount = (name: string, description: string) =>
  Flag.Int(name).pipe(atLeast(0), Flag.withDescription(description), Flag.withDefault(0))
const text = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

/** What a text flag says, under the name that the server knows it by; nothing where it is left out. */
const parsed = <K extends string, A>(
  name: K,
  flag: Option.Option<string>,
  parse: (text: string) => Result.Result<A, Problem>
): Effect.Effect<{ readonly [Name in K]?: A }, InputError> => {
  if (Option.isNone(flag)) return Effect.succeed({})
  const result = parse(flag.value)
  return Result.isFailure(result)
    ? Effect.fail(new InputError({ problems: [result.failure] }))
    : Effect.succeed({ [name]: result.success } as { readonly [Name in K]?: A })
}

export const simulate = Command.make(
  "simulate",
  {
    port: Flag.Int("port").pipe(
      Flag.filter(
        (value) => value >= 0 && value <= 65_535,
        (value) => `Expected a port from 0 to 65535, found ${value}`
      ),
      Flag.withDescription("The port on 127.0.0.1; 0 takes a free one"),
      Flag.withDefault(8377)
    ),
    latency: amount("latency", "Milliseconds that each answer takes"),
    jitter: amount("jitter", "Up to so many milliseconds more for each answer, drawn by the seed"),
    seed: amount("seed", "Decides faults and jitter; also the seed of requests that carry none"),
    rateLimit: text("rate-limit", "Such as 10/s, or 600/min,60000t/min,burst=20 (t: tokens); beyond it, status 429"),
    retryAfter: Flag.Literals("retry-after", ["alternate", "seconds", "date", "ms", "none"]).pipe(
      Flag.withDescription(
        "How such a 429 says when to come back: in seconds and as a date in turns, or always in one way (default: alternate)"
      ),
      Flag.optional
    ),
    faults: text("faults", "Such as 30%, or rate-limited=5%,hang=1%,outage=10s..20s; see above"),
    faultsAtMost: Flag.Int("faults-at-most").pipe(
      atLeast(0),
      Flag.withDescription("Passing faults in a row for one request, after which it is answered (default: 3)"),
      Flag.optional
    ),
    drip: Flag.Int("drip").pipe(
      atLeast(1),
      Flag.withDescription("Milliseconds between two bytes of an answer that drips (default: 100)"),
      Flag.optional
    ),
    refuses: text("refuses", "Parameters refused with status 400, such as temperature,seed,response_format"),
    noJsonSchema: Flag.Boolean("no-json-schema").pipe(
      Flag.withDescription("Refuse answers by JSON schema"),
      Flag.withDefault(false)
    ),
    reasoning: amount("reasoning", "Reasoning tokens of an average answer, out of the request's allowance"),
    batchSeconds: Flag.Finite("batch-seconds").pipe(
      Flag.filter(
        (value) => value >= 0,
        (value) => `Expected a number of at least 0, found ${value}`
      ),
      Flag.withDescription("Seconds from the creation of a batch to its end"),
      Flag.withDefault(2)
    ),
    clockSkew: Flag.Int("clock-skew").pipe(
      Flag.withDescription("Seconds by which the server's clock is ahead"),
      Flag.withDefault(0)
    ),
    log: text("log", "Append each request to this file as a line of JSON: time, hash, attempt, fault, status, body"),
    requireKey: text("require-key", "Refuse requests with another API key than this")
  },
  Effect.fn(function* (flags) {
    const problems = [
      ...(Option.isNone(flags.faults)
        ? meaningless(flags, ["faultsAtMost", "drip"], "has no meaning without --faults, since nothing fails")
        : []),
      ...(Option.isNone(flags.rateLimit)
        ? meaningless(flags, ["retryAfter"], "has no meaning without --rate-limit, which it belongs to")
        : [])
    ]
    if (problems.length > 0) return yield* new InputError({ problems })
    const { serve } = yield* Effect.promise(() => import("../model/simulate/server.ts"))
    const { parseFaults } = yield* Effect.promise(() => import("../model/simulate/faults.ts"))
    const { parseRateLimit } = yield* Effect.promise(() => import("../model/simulate/rateLimit.ts"))
    const { parseRefused } = yield* Effect.promise(() => import("../model/simulate/parameters.ts"))
    const options = {
      port: flags.port,
      latencyMs: flags.latency,
      jitterMs: flags.jitter,
      seed: flags.seed,
      ...(yield* parsed("rateLimit", flags.rateLimit, parseRateLimit)),
      retryForm: Option.getOrElse(flags.retryAfter, () => "alternate" as const),
      ...(yield* parsed("faults", flags.faults, parseFaults)),
      faultsAtMost: Option.getOrElse(flags.faultsAtMost, () => 3),
      dripMs: Option.getOrElse(flags.drip, () => 100),
      ...(yield* parsed("refuses", flags.refuses, parseRefused)),
      jsonSchema: !flags.noJsonSchema,
      reasoning: flags.reasoning,
      batchMs: flags.batchSeconds * 1000,
      clockSkewMs: flags.clockSkew * 1000,
      ...(Option.isSome(flags.log) ? { log: flags.log.value } : {}),
      ...(Option.isSome(flags.requireKey) ? { apiKey: flags.requireKey.value } : {})
    }
    return yield* Effect.scoped(
      Effect.gen(function* () {
        const server = yield* serve(options)
        yield* Console.log(`listening on ${server.url}`)
        yield* Console.error(
          `The embedded model lexical-1 behind OpenAI's chat completions, responses and batches: provider openai, model lexical-1, baseUrl ${server.url}. Counts are at ${server.url}/stats. It is a stand-in; its figures say nothing about real models. Ctrl-C ends it.`
        )
        return yield* Effect.never
      })
    )
  })
).pipe(
  Command.withDescription(
    `Serve the embedded model over HTTP on loopback, as an OpenAI-compatible endpoint with its failings on request

${faultsHelp}`
  ),
  Command.withShortDescription("Serve the embedded model over HTTP on loopback, as an OpenAI-compatible endpoint"),
  Command.withExamples([
    { command: "assize simulate --port 8377 --latency 200", description: "A slow endpoint to try a campaign against" },
    { command: "assize simulate --latency 200 --jitter 100 --faults 30%", description: "One that fails often" },
    { command: "assize simulate --rate-limit 10/s", description: "One that throttles" }
  ])
)
