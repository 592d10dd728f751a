import { fork } from "node:child_process"
import * as Effect from "effect/Effect"
import { rmSync } from "node:fs"
import { createServer } from "node:http"
import * as store from "../../src/store/store.ts"
import { Runs } from "../../src/store/Runs.ts"
import { EventLog } from "../../src/store/EventLog.ts"
import { CallLog } from "../../src/store/CallLog.ts"
import * as live from "../../src/model/live.ts"
import * as openai from "../../src/model/openai.ts"
import { LanguageModel } from "../../src/model/LanguageModel.ts"
import { requestKey } from "../../src/model/key.ts"
import { openaiModel, both, reply, request } from "./fixtures.ts"
import { newRun, iterationEvent, outcomesEvent } from "../store/fixtures.ts"
import * as Stream from "effect/Stream"
import { completion } from "./chatServer.ts"
if (process.argv[2] === "server") {
  createServer((q, r) => { q.resume(); q.on("end", () => setTimeout(() => { r.writeHead(200, {"content-type":"application/json"}).end(JSON.stringify(completion("{\"score\": 7}"))) }, 5)) }).listen(0, "127.0.0.1", function (this: any) { process.send!(this.address().port) })
} else {
const child = fork(new URL(import.meta.url).pathname, ["server"])
const port = await new Promise<number>((r) => child.once("message", (m) => r(m as number)))
rmSync("/tmp/bench.sqlite", { force: true }); rmSync("/tmp/bench.sqlite-wal", { force: true }); rmSync("/tmp/bench.sqlite-shm", { force: true })
const text = "The patient was advised to return if the fever persists. ".repeat(180)
const timed = <A, E, R>(name: string, n: number, e: Effect.Effect<A, E, R>) => Effect.gen(function* () { const c = process.cpuUsage(); const t = performance.now(); const a = yield* e; const ms = performance.now() - t; const u = process.cpuUsage(c); console.log(name, `${ms.toFixed(0)} ms; ${(ms / n).toFixed(4)} ms each; CPU ${((u.user+u.system)/1000/n).toFixed(4)} ms each`); return a })
const model = openaiModel({ baseUrl: `http://127.0.0.1:${port}`, concurrency: 32, maxOutputTokens: 100, price: { input: 1, output: 2 } })
const inproc = openaiModel({ model: "inproc", concurrency: 32, price: { input: 1, output: 1 } })
const prog = Effect.gen(function* () {
  const run = yield* Runs.use((r) => r.create(newRun))
  const provider = yield* openai.make
  const log = yield* EventLog
  let n = 0
  yield* Effect.forEach(Array.from({ length: 300 }), () => Effect.suspend(() => log.append(run.id, n++, iterationEvent(1))))
  const big = outcomesEvent(1000)
  yield* Effect.gen(function* () {
    const lm = yield* LanguageModel
    const ask = (m: typeof model, k: number) => Effect.forEach(Array.from({ length: k }), (_, i) => lm.complete(request(m, text + i)), { concurrency: 64, discard: true })
    const ideal = 1000 / 32 * 200
    yield* lm.complete(request(model, "warm"))
    console.log("ideal", ideal)
    yield* timed("calls", 3000, ask(model, 3000))
    const m64 = openaiModel({ baseUrl: `http://127.0.0.1:${port}/v1`, model: "c64", concurrency: 64, price: { input: 1, output: 1 } })
    console.log("ideal", 2000/64*200)
  }).pipe(Effect.provide(live.layer({ run: run.id, file: "c", budget: { usd: 100, calls: 100000 }, models: { judge: model, reflection: model }, providers: { openai: (q) => q.model.model === "inproc" ? Effect.succeed(reply("x")) : provider(q), embedded: () => Effect.succeed(reply("x")) } })))
  console.log(yield* CallLog.use((c) => c.usage(run.id)))
}).pipe(Effect.provide(store.layer("/tmp/bench.sqlite")))
await Effect.runPromise(prog)
child.kill(); process.exit(0)
}
