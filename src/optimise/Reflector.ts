import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ModelConfig } from "../domain/Campaign.ts"
import { callSeed } from "../domain/Random.ts"
import { CurrentGate, type Halted } from "../judge/CallGate.ts"
import { CurrentProgress } from "../judge/Progress.ts"
import { type BudgetExceeded, LanguageModel, type Message } from "../model/LanguageModel.ts"
import type { ReflectionReply } from "./readReflection.ts"

/** Writes a new instruction from what the judge did. */
export class Reflector extends Context.Service<
  Reflector,
  {
    /** The model's answer to the reflection prompt; a call that failed is an answer of its own kind, since it costs an iteration. */
    reflect(
      messages: ReadonlyArray<Message>,
      iteration: number
    ): Effect.Effect<ReflectionReply & { readonly fatal?: boolean }, BudgetExceeded | Halted>
  }
>()("assize/Reflector") {}

export const modelReflector = (options: { readonly model: ModelConfig; readonly seed: number }) =>
  Layer.effect(
    Reflector,
    Effect.gen(function* () {
      const model = yield* LanguageModel
      const gate = yield* CurrentGate
      const progress = yield* CurrentProgress
      const reflect = Effect.fn("Reflector.reflect")(function* (messages: ReadonlyArray<Message>, iteration: number) {
        Object.assign(progress, { label: "reflection", done: 0, total: 1 })
        yield* gate.pass
        return yield* model
          .complete({
            role: "reflection",
            model: options.model,
            messages,
            seed: callSeed(options.seed, `reflection ${iteration}`, 0)
          })
          .pipe(
            Effect.map(({ finish, text }) => ({ kind: "answered" as const, text, finish })),
            Effect.catchTag("ModelError", (error) =>
              Effect.succeed({ kind: "failed" as const, message: error.message, fatal: error.fatal })
            )
          )
      })
      return Reflector.of({ reflect })
    })
  )
