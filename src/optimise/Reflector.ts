import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ModelConfig } from "../domain/Campaign.ts"
import { callSeed } from "../domain/Random.ts"
import { CurrentGate, type Halted } from "../judge/CallGate.ts"
import { CurrentProgress } from "../judge/Progress.ts"
import { UseRecorder } from "../judge/UseRecorder.ts"
import { type BudgetExceeded, LanguageModel, type Message } from "../model/LanguageModel.ts"
import type { ReflectionReply } from "./readReflection.ts"

/** Which reflection it is: the parent's id and the iteration. */
export interface ReflectionUse {
  readonly iteration: number
  readonly parent: string
}

/** Writes a new instruction from what the judge did. */
export class Reflector extends Context.Service<
  Reflector,
  {
    /** The model's answer to the reflection prompt; a call that failed is an answer of its own kind, since it costs an iteration. */
    reflect(
      messages: ReadonlyArray<Message>,
      use: ReflectionUse
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
      const record = yield* UseRecorder
      const reflect = Effect.fn("Reflector.reflect")(function* (messages: ReadonlyArray<Message>, use: ReflectionUse) {
        Object.assign(progress, { label: "reflection", done: 0, total: 1 })
        yield* gate.pass
        return yield* model
          .complete({
            role: "reflection",
            model: options.model,
            messages,
            seed: callSeed(options.seed, `reflection ${use.iteration}`, 0)
          })
          .pipe(
            Effect.tap(({ key }) =>
              record([
                { role: "reflection", candidate: use.parent, item: `iteration ${use.iteration}`, sample: 0, key }
              ])
            ),
            Effect.map(({ finish, text }) => ({ kind: "answered" as const, text, finish })),
            Effect.catchTag("ModelError", (error) =>
              Effect.succeed({ kind: "failed" as const, message: error.message, fatal: error.fatal })
            )
          )
      })
      return Reflector.of({ reflect })
    })
  )
