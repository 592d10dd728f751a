/** What the store costs for each call that is bought: a provider that answers at once, concurrency 32, the store on disk. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { ModelConfig } from "../../src/domain/Campaign.ts"
import { LanguageModel } from "../../src/model/LanguageModel.ts"
import { layer as liveModels } from "../../src/model/live.ts"
import { Runs } from "../../src/store/Runs.ts"
import { layer as storeLayer } from "../../src/store/store.ts"
import { both, reply, request } from "../model/fixtures.ts"
import { taskOf } from "../optimise/support.ts"

const calls = 5000
const rounds = 5
const model: ModelConfig = { provider: "openai", model: "tiny-1", concurrency: 32, price: { input: 0, output: 0 } }
const provider = () => Effect.andThen(Effect.yieldNow, Effect.succeed(reply("x".repeat(200))))

const round = async () => {
  const folder = mkdtempSync(join(tmpdir(), "assize-bench-"))
  const micros = await Effect.runPromise(
    Effect.gen(function* () {
      const run = yield* (yield* Runs).create({ campaignFile: "bench", settings: taskOf({}).settings })
      const models = { judge: model, reflection: model }
      return yield* Effect.gen(function* () {
        const { complete } = yield* LanguageModel
        const ask = (n: number) => complete(request(model, `${"A note of some length. ".repeat(100)}${n}`))
        yield* Effect.forEach(Array.from({ length: 500 }), (_, n) => ask(-1 - n), { concurrency: 32 })
        const cpu = process.cpuUsage()
        yield* Effect.forEach(Array.from({ length: calls }), (_, n) => ask(n), { concurrency: 32, discard: true })
        const { system, user } = process.cpuUsage(cpu)
        return (system + user) / calls
      }).pipe(Effect.provide(liveModels({ run: run.id, budget: {}, file: "bench", models, providers: both(provider) })))
    }).pipe(Effect.withTracerEnabled(false), Effect.provide(storeLayer(join(folder, "store.sqlite"))))
  )
  rmSync(folder, { recursive: true })
  return micros
}

const found: Array<number> = []
for (let n = 0; n < rounds; n++) found.push(await round())
console.log(
  `CPU for each of ${calls} calls bought and kept: ${found.map((micros) => micros.toFixed(0)).join(", ")} µs; least ${Math.min(...found).toFixed(0)} µs`
)
