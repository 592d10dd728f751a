import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { ModelConfig } from "../domain/Campaign.ts"
import { callSeed } from "../domain/Random.ts"
import { CurrentProgress } from "../judge/Progress.ts"
import { UseRecorder } from "../judge/UseRecorder.ts"
import { CurrentGate, type Halted } from "../model/CallGate.ts"
import { type BudgetExceeded, LanguageModel, type Message } from "../model/LanguageModel.ts"
import type { ReflectionReply } from "./readReflection.ts"

/** Which reflection it is: the parent's id, the iteration, and where it has several proposals, the number of this one. */
export interface ReflectionUse {
  readonly iteration: number
  readonly proposal?: number
  readonly parent: string
  /** Whether two instructions are to become one; `parent` is the first one's candidate. */
  readonly merge?: boolean
}

/** The name of a reflection within its run; it decides the call's seed. */
const nameOf = ({ iteration, proposal }: ReflectionUse): string =>
  proposal === undefined || proposal === 1 ? `${iteration}` : `${iteration}, proposal ${proposal}`

/** No reflection can be had: the model refuses every call, or does not answer. */
export class ReflectorBroken extends Schema.TaggedError<ReflectorBroken>()("ReflectorBroken", {
  message: Schema.String
}) {}

/** Writes a new instruction from what the judge did. */
export class Reflector extends Context.Service<
  Reflector,
  {
    /**
     * The model's answer to the reflection prompt. A call that the server refuses for what is asked is an answer of its
     * own kind, since it costs an iteration; one that fails for want of a server costs nothing and fails.
     */
    reflect(
      messages: ReadonlyArray<Message>,
      use: ReflectionUse
    ): Effect.Effect<ReflectionReply, BudgetExceeded | Halted | ReflectorBroken>
  }
>()("assize/Reflector") {}

const pausesMs = [5_000, 20_000, 60_000]

export const modelReflector = (options: { readonly model: ModelConfig; readonly seed: number }) =>
  Layer.effect(
    Reflector,
    Effect.gen(function* () {
      const model = yield* LanguageModel
      const gate = yield* CurrentGate
      const progress = yield* CurrentProgress
      const record = yield* UseRecorder
      const reflect = Effect.fn("Reflector.reflect")(function* (messages: ReadonlyArray<Message>, use: ReflectionUse) {
        Object.assign(progress, { label: use.merge === true ? "merge" : "reflection", done: 0, total: 1 })
        const ask = Effect.suspend(() =>
          model.complete({
            role: "reflection",
            model: options.model,
            messages,
            seed: callSeed(options.seed, `reflection ${nameOf(use)}`, 0)
          })
        )
        const from = (number: number): typeof ask =>
          Effect.catchTag(ask, "ModelError", (error) =>
            error.retryable && !error.fatal && number < pausesMs.length
              ? Effect.andThen(gate.sleep(pausesMs[number]!), from(number + 1))
              : Effect.fail(error)
          )
        yield* gate.pass
        return yield* from(0).pipe(
          Effect.tap(({ key }) =>
            record([{ role: "reflection", candidate: use.parent, item: `iteration ${nameOf(use)}`, sample: 0, key }])
          ),
          Effect.map(({ finish, text }): ReflectionReply => ({ kind: "answered", text, finish })),
          Effect.catchTag(
            "ModelError",
            (error): Effect.Effect<ReflectionReply, ReflectorBroken> =>
              error.fatal || error.retryable
                ? Effect.fail(new ReflectorBroken({ message: error.message }))
                : Effect.succeed({ kind: "failed", message: error.message })
          )
        )
      })
      return Reflector.of({ reflect })
    })
  )
