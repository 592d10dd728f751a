/** Resident memory of a run that reaches 200 candidates on 1,000 acceptance notes, log on disk, and of going on with it. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { RunEvent } from "../../src/domain/RunEvent.ts"
import { runSearch, type Task } from "../../src/optimise/engine.ts"
import { RunState } from "../../src/optimise/RunState.ts"
import { EventLog } from "../../src/store/EventLog.ts"
import { Runs } from "../../src/store/Runs.ts"
import { layer } from "../../src/store/store.ts"
import { improving, itemSet, judgeBy, skillScore, taskOf } from "../optimise/support.ts"

const flaws = Array.from({ length: 4 }, () => ({ class: "omission", trace: "complete" }) as const)
const task: Task = taskOf({
  train: itemSet("t", 40, flaws),
  acceptance: itemSet("a", 200, flaws),
  limits: { iterations: 1200, stall: 100_000 }
})
// Never twice the same score, so that acceptance does not dry up.
let calls = 0
const judge = judgeBy(
  (text, item) =>
    Math.min(10, skillScore("skill 3", item) + ((calls * 31 + item.id.length * 7 + text.length) % 17) / 100),
  () => calls++
)
const workers = Layer.merge(judge, improving)

const folder = mkdtempSync(join(tmpdir(), "assize-bench-"))
const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MiB`
const used = (logged: ReadonlyArray<RunEvent>, run: string, iterations: number) =>
  Effect.gen(function* () {
    const log = yield* EventLog
    const state = new RunState()
    let peak = 0
    yield* runSearch(
      { ...task, limits: { ...task.limits, iterations } },
      {
        state,
        sink: { logged, append: (first, events) => log.appendAll(run, first, events) },
        seen: () => {
          peak = Math.max(peak, process.memoryUsage.rss())
        }
      }
    ).pipe(Effect.provide(workers))
    return { state, peak: Math.max(peak, process.memoryUsage.rss()) }
  })

await Effect.runPromise(
  Effect.gen(function* () {
    const { id } = yield* (yield* Runs).create({ campaignFile: "bench", settings: task.settings })
    let iterations = 100
    let result = yield* used([], id, iterations)
    const log = yield* EventLog
    while (result.state.members.length < 200 && iterations < 1200) {
      iterations += 100
      const logged = (yield* Stream.runCollect(log.read(id))).map(({ event }) => event)
      result = yield* used(logged, id, iterations)
    }
    console.log(
      `${result.state.members.length} candidates × ${task.acceptance.items.length} acceptance notes after ${result.state.iteration} iterations: ${mib(result.peak)} resident at most (limit 400 MB), resumed every 100 iterations from the log`
    )
  }).pipe(Effect.provide(layer(join(folder, "store.sqlite"))))
)
rmSync(folder, { recursive: true })
