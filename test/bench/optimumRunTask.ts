import * as Effect from "effect/Effect"
import { runSearch } from "../../src/optimise/engine.ts"
import { RunState } from "../../src/optimise/RunState.ts"
import { StopAsked } from "../../src/optimise/StopAsked.ts"
import { type OptimumOptions, optimumTask, randomRules } from "./optimumTask.ts"

export interface Reached {
  /** Judge calls until 95 % of the optimum; null when the limit came first. */
  readonly calls: number | null
  /** What the winner at the end truly has, as a share of the optimum. */
  readonly share: number
}

export const reach = 0.95

/** Judge calls of a search until its winner is as good as asked for, or `most` are spent. */
export const searchOptimum = (options: OptimumOptions, most: number): Reached => {
  const { calls, layer, optimum, qualityOf, task } = optimumTask(options)
  const state = new RunState()
  const stopAsked = { asked: false }
  let reached: number | null = null
  const share = () => qualityOf(state.winner!.candidate.instructions["judge"]!) / optimum
  Effect.runSync(
    runSearch(task, {
      state,
      sink: { logged: [], append: () => Effect.void },
      seen: (event) => {
        if (event._tag === "evaluated" && reached === null && share() >= reach - 1e-9) reached = calls()
        if (reached !== null || calls() >= most) stopAsked.asked = true
      }
    }).pipe(Effect.provide(layer), Effect.provideService(StopAsked, stopAsked))
  )
  return { calls: reached === null || reached > most ? null : reached, share: share() }
}

/** Random instructions, one after the other, each judged on the whole acceptance part. */
export const randomOptimum = (options: Pick<OptimumOptions, "seed" | "terrain">, most: number): Reached => {
  const { optimum, qualityOf, task } = optimumTask(options)
  const perCandidate = task.acceptance.items.length
  let best = 0
  for (let number = 1; number * perCandidate <= most; number++) {
    best = Math.max(best, qualityOf(randomRules(options.terrain, options.seed, number)) / optimum)
    if (best >= reach - 1e-9) return { calls: number * perCandidate, share: best }
  }
  return { calls: null, share: best }
}
