import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Outcomes } from "../domain/Judgement.ts"
import type { Role } from "../model/LanguageModel.ts"

/** Which answer served what: `key` is the answer's address in the judgement store. */
export interface AnswerUse {
  readonly role: Role
  /** A candidate's id. */
  readonly candidate: string
  /** An item's id; for a reflection, the iteration. */
  readonly item: string
  readonly sample: number
  /** Which stage of the judge's design asked; left out for a reflection. */
  readonly stage?: string
  readonly key: string
}

/** Notes which answers a run rests on, for its exports. Notes nothing where nobody asks for it. */
export const UseRecorder = Context.Reference<(uses: ReadonlyArray<AnswerUse>) => Effect.Effect<void>>(
  "assize/UseRecorder",
  {
    defaultValue: () => () => Effect.void
  }
)

/** Keeps what the scores of a candidate's judgements are made of. Keeps nothing where nobody asks for it. */
export const OutcomeRecorder = Context.Reference<(candidate: string, outcomes: Outcomes) => Effect.Effect<void>>(
  "assize/OutcomeRecorder",
  {
    defaultValue: () => () => Effect.void
  }
)
