/** A full acceptance evaluation against a server that takes 200 ms a call, at concurrency 32, beside the ideal. */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ModelConfig } from "../../src/domain/Campaign.ts"
import type { Item } from "../../src/domain/Item.ts"
import { Judge, wholeNoteJudge } from "../../src/judge/Judge.ts"
import { layer as liveModels } from "../../src/model/live.ts"
import { makeProviders } from "../../src/model/providers.ts"
import type { ServerStats } from "../../src/model/simulate/Counters.ts"
import { Runs } from "../../src/store/Runs.ts"
import { layer as storeLayer } from "../../src/store/store.ts"
import { taskOf } from "../optimise/support.ts"

const notes = 960
const concurrency = 32
const latencyMs = 200

const items = Array.from({ length: notes }, (_, number) => ({
  id: `n${number}`,
  key: `n${number}`,
  consultation: `c${Math.floor(number / 6)}`,
  transcript: `Doctor: How long has it hurt?\nPatient: About ${Math.floor(number / 6)} days.`,
  note: `Pain for ${number} days.`
})) as unknown as ReadonlyArray<Item>

/** The built `assize simulate` in a process of its own, as users have it. */
const simulated = Effect.acquireRelease(
  Effect.promise(async () => {
    const bin = fileURLToPath(new URL("../../dist/bundle/bin.js", import.meta.url))
    const child = spawn(process.execPath, [bin, "simulate", "--port", "0", "--latency", String(latencyMs)], {
      stdio: ["ignore", "pipe", "ignore"]
    })
    for await (const chunk of child.stdout) {
      const url = /listening on (\S+)/.exec(String(chunk))?.[1]
      if (url !== undefined) return { child, url }
    }
    throw new Error("simulate did not start; build first: npm run build")
  }),
  ({ child }) => Effect.sync(() => child.kill())
)

const folder = mkdtempSync(join(tmpdir(), "assize-bench-"))
await Effect.runPromise(
  Effect.gen(function* () {
    const server = yield* simulated
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
    const judge = wholeNoteJudge({ judge: { design: "whole-note-score", samples: 1 }, model, seed: 11 }).pipe(
      Layer.provide(models)
    )
    yield* Effect.gen(function* () {
      const { evaluate } = yield* Judge
      yield* evaluate({ judge: "Warm up." }, items.slice(0, concurrency), { label: "warm-up", candidate: "w" })
      const cpu = process.cpuUsage()
      const start = performance.now()
      yield* evaluate({ judge: "Is it complete?" }, items, { label: "bench", candidate: "c" })
      const took = performance.now() - start
      const { system, user } = process.cpuUsage(cpu)
      const stats = yield* Effect.promise(
        async () => (await (await fetch(`${server.url}/stats`)).json()) as ServerStats
      )
      const ideal = (notes / concurrency) * latencyMs
      console.log(
        `${notes} calls, concurrency ${concurrency}, ${latencyMs} ms each: ${took.toFixed(0)} ms, ideal ${ideal} ms, ratio ${(took / ideal).toFixed(3)}`
      )
      console.log(
        `CPU of the client: ${((user + system) / 1000 / notes).toFixed(2)} ms a call; most in flight ${stats.maxInFlight}`
      )
      const again = performance.now()
      yield* evaluate({ judge: "Is it complete?" }, items, { label: "bench", candidate: "c" })
      console.log(`the same from the store: ${((performance.now() - again) / notes).toFixed(3)} ms a note`)
    }).pipe(Effect.provide(judge))
  }).pipe(Effect.withTracerEnabled(false), Effect.scoped, Effect.provide(storeLayer(join(folder, "store.sqlite"))))
)
rmSync(folder, { recursive: true })
