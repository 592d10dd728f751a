/** Runs the rule-cover task slowly with its live view: for the test of the view on a real terminal, and for a look at it. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Judge } from "../../src/judge/Judge.ts"
import { CurrentProgress, makeProgress } from "../../src/judge/Progress.ts"
import { CallGate, CurrentGate } from "../../src/model/CallGate.ts"
import { runSearch } from "../../src/optimise/engine.ts"
import { RunState } from "../../src/optimise/RunState.ts"
import { StopAsked } from "../../src/optimise/StopAsked.ts"
import { viewOf } from "../../src/terminal/RunView.ts"
import { runLive } from "../../src/terminal/runLive.ts"
import { summary } from "../../src/terminal/summary.ts"
import { Pace } from "../../src/terminal/timeLeft.ts"
import { ruleCover } from "../bench/ruleCoverTask.ts"

const callMs = Number(process.env["DEMO_CALL_MS"] ?? 4)
const iterations = Number(process.env["DEMO_ITERATIONS"] ?? 200)

const { layer, task } = ruleCover({ acceptance: 100, iterations, seed: 7 })
const state = new RunState(task.scale)
const progress = makeProgress()
const gate = new CallGate()
const stopAsked = { asked: false }
const pace = new Pace()
const start = performance.now()
let calls = 0

const slowJudge = Layer.effect(
  Judge,
  Effect.map(Judge, (judge) =>
    Judge.of({
      evaluate: (instructions, items, use) =>
        Effect.gen(function* () {
          Object.assign(progress, { label: use.label, done: 0, total: items.length })
          for (const _ of items) {
            yield* gate.pass
            yield* Effect.sleep(callMs)
            calls++
            progress.done++
            progress.scored++
          }
          return yield* judge.evaluate(instructions, items, use)
        })
    })
  )
).pipe(Layer.provideMerge(layer))

const usage = () => ({
  calls,
  tokens: calls * 900,
  usd: null,
  unpriced: calls,
  seconds: (performance.now() - start) / 1000
})

const read = () => {
  pace.observe(state.iteration, usage())
  return viewOf(state, progress, {
    runId: "demo",
    iterations,
    limits: { calls: 100_000 },
    usage: usage(),
    paused: gate.paused,
    halted: gate.halted,
    stopAsked: stopAsked.asked,
    pace
  })
}

const run = runSearch(task, { sink: { logged: [], append: () => Effect.void }, state }).pipe(
  Effect.provide(slowJudge),
  Effect.provideService(CurrentGate, gate),
  Effect.provideService(CurrentProgress, progress),
  Effect.provideService(StopAsked, stopAsked)
)

runLive(
  read,
  {
    pause: () => gate.pause(),
    resume: () => gate.resume(),
    stopAfter: (asked) => {
      stopAsked.asked = asked
    },
    quit: () => gate.halt(),
    quitNow: () => process.exit(130)
  },
  run
).pipe(
  Effect.andThen(
    Effect.sync(() => process.stdout.write(summary(state, { runId: "demo", usage: usage(), iterations })))
  ),
  NodeRuntime.runMain
)
