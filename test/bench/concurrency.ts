/**
 * A full acceptance evaluation against a server that takes 200 ms a call, at concurrency 64, beside the ideal; and what
 * the client's own CPU costs are, by layer: the provider alone, with purchase and store, and with the judge.
 */
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ModelConfig } from "../../src/domain/Campaign.ts"
import type { Item } from "../../src/domain/Item.ts"
import { designJudge } from "../../src/judge/designJudge.ts"
import { Judge } from "../../src/judge/Judge.ts"
import { judgeRequest, messages } from "../../src/judge/wholeNoteScore.ts"
import { LanguageModel } from "../../src/model/LanguageModel.ts"
import { layer as liveModels } from "../../src/model/live.ts"
import { makeProviders } from "../../src/model/providers.ts"
import type { ServerStats } from "../../src/model/simulate/Counters.ts"
import { Runs } from "../../src/store/Runs.ts"
import { layer as storeLayer } from "../../src/store/store.ts"
import { taskOf } from "../optimise/support.ts"

const notes = 2000
const concurrency = 64
const latencyMs = 200

/** About 6 kB, as a consultation of ten minutes is. */
const transcript = (consultation: number) =>
  Array.from(
    { length: 60 },
    (_, line) =>
      `${line % 2 === 0 ? "Doctor" : "Patient"}: It has been like that for ${consultation + line} days, more or less, and it is no better at night.`
  ).join("\n")

const items = Array.from({ length: notes }, (_, number) => ({
  id: `n${number}`,
  key: `n${number}`,
  consultation: `c${Math.floor(number / 6)}`,
  transcript: transcript(Math.floor(number / 6)),
  note: `Pain for ${number} days. ${"No red flags, to come back if it gets worse. ".repeat(20)}`
})) as unknown as ReadonlyArray<Item>

/** A server in a process of its own: a slow one that does nothing else, or the built `assize simulate`, as users have it. */
const started = (...argv: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const child = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "ignore"] })
      for await (const chunk of child.stdout) {
        const url = /listening on (\S+)/.exec(String(chunk))?.[1]
        if (url !== undefined) return { child, url }
      }
      throw new Error(`${argv[0]} did not start; build first: npm run build`)
    }),
    ({ child }) => Effect.sync(() => child.kill())
  )
const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** CPU that a process has used, in milliseconds; not known on every system. */
const cpuOf = (pid: number): number => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/.*\) /, "").split(" ")
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return Number.NaN
  }
}

/** Prints how long the calls took beside the ideal, and what they cost. */
const measured = <A, E, R>(pid: number, name: string, calls: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const serverCpu = cpuOf(pid)
    const cpu = process.cpuUsage()
    const start = performance.now()
    yield* calls
    const took = performance.now() - start
    const { system, user } = process.cpuUsage(cpu)
    const ideal = (notes / concurrency) * latencyMs
    console.log(
      `${name}: ${notes} calls, ${concurrency} at once, ${latencyMs} ms each: ${took.toFixed(0)} ms, ${(ideal / took).toFixed(3)} of the ideal; CPU ${((user + system) / 1000 / notes).toFixed(2)} ms a call (user ${(user / 1000 / notes).toFixed(2)}), the server's ${((cpuOf(pid) - serverCpu) / notes).toFixed(2)} ms`
    )
  })

const against = (name: string, server: Effect.Success<ReturnType<typeof started>>) =>
  Effect.gen(function* () {
    console.log(`${name}:`)
    const model: ModelConfig = {
      provider: "openai",
      model: "lexical-1",
      baseUrl: server.url,
      concurrency,
      price: { input: 0, output: 0 }
    }
    const providers = yield* makeProviders
    const run = yield* (yield* Runs).create({ campaignFile: "bench", settings: taskOf({}).settings })
    const models = liveModels({
      run: run.id,
      budget: {},
      file: "bench",
      models: { judge: model, reflection: model },
      providers
    })
    const judge = designJudge({ judge: { design: "whole-note-score", samples: 1 }, model, seed: 11 }).pipe(
      Layer.provideMerge(models)
    )
    const request = (item: Item, instruction: string) => judgeRequest(model, messages(item, instruction), 11)
    yield* Effect.gen(function* () {
      const { evaluate } = yield* Judge
      const { complete } = yield* LanguageModel
      yield* evaluate({ judge: "Warm up." }, items.slice(0, 4 * concurrency), { label: "warm-up", candidate: "w" })
      const each = (ask: (item: Item) => Effect.Effect<unknown, unknown>) =>
        Effect.forEach(items, ask, { concurrency, discard: true })
      yield* measured(
        server.child.pid!,
        "  provider alone",
        each((item) => providers.openai(request(item, "Alone.")))
      )
      yield* measured(
        server.child.pid!,
        "  with purchase and store",
        each((item) => complete(request(item, "Kept.")))
      )
      yield* measured(
        server.child.pid!,
        "  with the judge",
        evaluate({ judge: "Is it complete?" }, items, { label: "bench", candidate: "c" })
      )
      const stats = yield* Effect.promise(
        async () => (await (await fetch(`${server.url}/stats`)).json()) as Partial<ServerStats>
      )
      console.log(`  most in flight ${stats.maxInFlight}; answered twice ${stats.duplicates ?? "not counted"}`)
      const again = performance.now()
      yield* evaluate({ judge: "Is it complete?" }, items, { label: "bench", candidate: "c" })
      console.log(`  the same from the store: ${((performance.now() - again) / notes).toFixed(3)} ms a note`)
    }).pipe(Effect.provide(judge))
  })

const folder = mkdtempSync(join(tmpdir(), "assize-bench-"))
console.log(
  `${notes} calls in turns of ${concurrency} are ${Math.ceil(notes / concurrency)} turns: at most ${(notes / concurrency / Math.ceil(notes / concurrency)).toFixed(3)} of the ideal`
)
await Effect.runPromise(
  Effect.gen(function* () {
    yield* against(
      "a server that takes 200 ms and no CPU",
      yield* started(path("./slowServer.ts"), String(latencyMs))
    ).pipe(Effect.provide(storeLayer(join(folder, "slow.sqlite"))))
    yield* against(
      "assize simulate, which reads and answers each prompt on one core",
      yield* started(path("../../dist/bundle/bin.js"), "simulate", "--port", "0", "--latency", String(latencyMs))
    ).pipe(Effect.provide(storeLayer(join(folder, "simulate.sqlite"))))
  }).pipe(Effect.withTracerEnabled(false), Effect.scoped)
)
rmSync(folder, { recursive: true })
