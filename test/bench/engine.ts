/** The engine's own cost and the quality of its search on rule cover, with the event log on disk. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { runSearch } from "../../src/optimise/engine.ts"
import { RunState } from "../../src/optimise/RunState.ts"
import { EventLog } from "../../src/store/EventLog.ts"
import { Runs } from "../../src/store/Runs.ts"
import { layer } from "../../src/store/store.ts"
import { ruleCover } from "./ruleCoverTask.ts"

/** Mean over instances of the best reward that any candidate has there. */
const frontMean = ({ index, members }: RunState): number => {
  const best = index!.instances.map((_, at) => Math.max(...members.map(({ rewards }) => rewards[at]!)))
  return best.reduce((sum, value) => sum + value, 0) / best.length
}

const once = async (acceptance: number, iterations: number, seed: number) => {
  const folder = mkdtempSync(join(tmpdir(), "assize-bench-"))
  const { clock, layer: workers, task } = ruleCover({ acceptance, iterations, seed })
  const state = new RunState(task.scale)
  const decided: Array<number> = []
  let start = 0
  let end = 0
  try {
    await Effect.runPromise(
      Effect.gen(function* () {
        const log = yield* EventLog
        const { id } = yield* (yield* Runs).create({ campaignFile: "bench", settings: task.settings })
        start = performance.now()
        yield* runSearch(task, {
          state,
          sink: { logged: [], append: (first, events) => log.appendAll(id, first, events) },
          seen: (event) => {
            if (event._tag === "decided") decided.push(performance.now())
          }
        }).pipe(Effect.provide(workers))
        end = performance.now()
      }).pipe(Effect.provide(layer(join(folder, "store.sqlite"))))
    )
    const closing = performance.now() - end
    const wall = end - start
    const first = (decided[19]! - start) / 20
    const last = (decided.at(-1)! - decided.at(-21)!) / 20
    return {
      engine: wall - clock.outside,
      closing,
      first,
      last,
      pool: state.members.length,
      judged: clock.judged,
      best: state.winner!.figures.reward!,
      front: frontMean(state)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

console.log("rule cover, durable event log, per-instance frontier, strict acceptance")
console.log(
  "  M    it  seed  engine ms  closing the store ms  last 20 / first 20 iterations  pool  judged   best   front mean"
)
for (const [acceptance, iterations, seed] of [
  [60, 200, 0],
  [500, 200, 0],
  [500, 200, 0],
  [500, 200, 1],
  [500, 200, 2]
] as const) {
  const run = await once(acceptance, iterations, seed)
  console.log(
    `${String(acceptance).padStart(4)}  ${iterations}  ${String(seed).padStart(4)}  ${run.engine.toFixed(0).padStart(9)}  ${run.closing.toFixed(0).padStart(20)}  ${(run.last / run.first).toFixed(2).padStart(28)}  ${String(run.pool).padStart(4)}  ${String(run.judged).padStart(6)}  ${run.best.toFixed(4)}  ${run.front.toFixed(4)}`
  )
}
console.log(
  "published on the same task, M=500 it=200 seed 0: 4,042 ms in memory, 7,155–15,690 ms with persistence, last/first 12; best 0.1445, front 0.4007"
)
