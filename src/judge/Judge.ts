import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Instructions } from "../domain/Candidate.ts"
import type { Item } from "../domain/Item.ts"
import type { Outcomes } from "../domain/Judgement.ts"
import type { Halted } from "../model/CallGate.ts"
import type { BudgetExceeded } from "../model/LanguageModel.ts"
import type { BlindnessViolation } from "./blindness.ts"

/** No judgement can be had: the model refuses every call, or every call of an evaluation failed. */
export class JudgeBroken extends Schema.TaggedError<JudgeBroken>()("JudgeBroken", { message: Schema.String }) {}

/** What an evaluation is for: for people who watch, and for the record of whose judgements they are. */
export interface Use {
  readonly label: string
  /** The candidate's id. */
  readonly candidate: string
  /** Notes whose calls failed before are asked again: they may fail again without the judge being broken. */
  readonly again?: boolean
  /** The answers may take a day, where that makes them cheaper: they are asked for in a batch if the model is one with `batch`. */
  readonly unhurried?: boolean
}

/** Turns notes into outcomes by an instruction. */
export class Judge extends Context.Service<
  Judge,
  {
    /**
     * Where answers come cheaper together: has those of several unhurried evaluations of the same items brought in one
     * go, so that there is one wait for all of them. Left out where that makes no difference.
     */
    ahead?(
      instructions: ReadonlyArray<Instructions>,
      items: ReadonlyArray<Item>,
      label: string
    ): Effect.Effect<void, BlindnessViolation | BudgetExceeded | JudgeBroken | Halted>
    /**
     * The outcome of each item, by item id. Items whose calls failed are asked again, three times, after the others; a
     * call that fails even then is an outcome of its item. Fails when the budget does not allow the next call, and when
     * no judgement can be had at all; what was bought by then is in the store. Before any call it fails when a stage that
     * may see the transcript only would be shown a stretch of a note.
     */
    evaluate(
      instructions: Instructions,
      items: ReadonlyArray<Item>,
      use: Use
    ): Effect.Effect<Outcomes, BlindnessViolation | BudgetExceeded | JudgeBroken | Halted>
  }
>()("assize/Judge") {}
