import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { JudgeBroken } from "../judge/Judge.ts"
import { CurrentProgress, makeProgress } from "../judge/Progress.ts"
import { CallGate, CurrentGate, type Halted } from "../model/CallGate.ts"
import type { BudgetExceeded } from "../model/LanguageModel.ts"
import { plain, tellNow } from "./output.ts"
import { RunEnded } from "./RunEnded.ts"
import { Signals } from "./signals.ts"
import { locksOf, storeFile } from "./store.ts"
import { tellProgress } from "./tellProgress.ts"
import { isAttended, patienceOf, tellTrouble } from "./trouble.ts"

const load = Effect.promise(async () => ({
  inUse: (await import("../store/StoreLock.ts")).inUse,
  storeLayer: (await import("../store/store.ts")).layer
}))

export interface JudgingOptions {
  readonly store: Option.Option<string>
  readonly patience: Option.Option<string>
}

/** What a command that judges notes is given. */
export interface Judging {
  readonly storeFile: string
  readonly patienceMs: number | undefined
  /**
   * From here on Ctrl-C sends nothing new and keeps what is under way, and standard error is told of trouble with a
   * model and now and then of how far the work is.
   */
  readonly begin: Effect.Effect<void, never, Scope.Scope>
}

type Ending = BudgetExceeded | Halted | JudgeBroken

const endings: ReadonlySet<unknown> = new Set(["BudgetExceeded", "Halted", "JudgeBroken"] satisfies ReadonlyArray<
  Ending["_tag"]
>)
const isEnding = (error: unknown): error is Ending =>
  typeof error === "object" && error !== null && "_tag" in error && endings.has(error._tag)

/**
 * The frame of commands that judge notes outside of a run: the store, kept from being pruned meanwhile, and one way to
 * end for each way in which judging can: a budget (4), Ctrl-C (130), no judgement to be had (1).
 */
export const judging = Effect.fn("judging")(function* <A, E, R>(
  options: JudgingOptions,
  work: (judging: Judging) => Effect.Effect<A, E, R>
) {
  const signals = yield* Signals
  const { inUse, storeLayer } = yield* load
  const file = yield* storeFile(options.store)
  const patienceMs = yield* patienceOf(options.patience, isAttended())
  const gate = new CallGate()
  const progress = makeProgress()
  const stop = (code: number, why: string) => Effect.andThen(Console.error(plain(why)), new RunEnded({ code }))
  const kept = "What was bought is kept: run the same command again to go on"
  const begin = Effect.suspend(() => {
    signals.drain = () => {
      gate.halt()
      signals.drain = undefined
      tellNow("stopping: the calls under way are kept; Ctrl-C again leaves at once")
    }
    return Effect.andThen(tellTrouble(gate, tellNow, patienceMs), tellProgress(progress, tellNow))
  })
  // By tag, not by class: what judges is loaded when a command begins, not when the command line does.
  const ended = <Other>(error: Other | Ending): Effect.Effect<never, RunEnded | Exclude<Other, Ending>> => {
    if (!isEnding(error)) return Effect.fail(error as Exclude<Other, Ending>)
    switch (error._tag) {
      case "BudgetExceeded": {
        const what = error.message.replace(/\. To go on, [\s\S]*$/, "")
        return stop(4, `${what}. What was bought is kept: raise the budget and run the same command again`)
      }
      case "Halted":
        return stop(130, `stopped; ${error.detail ?? "what was bought is kept: run the same command again to go on"}`)
      case "JudgeBroken":
        return stop(1, `no judgement can be had: ${error.message}. ${kept}`)
    }
  }
  return yield* Effect.andThen(inUse(locksOf(file)), work({ storeFile: file, patienceMs, begin })).pipe(
    Effect.scoped,
    Effect.provideService(CurrentGate, gate),
    Effect.provideService(CurrentProgress, progress),
    Effect.provide(storeLayer(file)),
    Effect.catch((error) => ended(error)),
    // What is worked out afterwards is no call under way.
    Effect.ensuring(
      Effect.sync(() => {
        signals.drain = undefined
      })
    )
  )
})
