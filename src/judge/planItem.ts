import * as Effect from "effect/Effect"
import type { JudgeConfig, ModelConfig } from "../domain/Campaign.ts"
import type { Instructions } from "../domain/Candidate.ts"
import { requestKey } from "../model/key.ts"
import type { Completion } from "../model/LanguageModel.ts"
import { memberInstructions } from "./consensus.ts"
import type { Design } from "./Design.ts"
import { designOf } from "./designs/registry.ts"
import { stageRequest } from "./requests.ts"
import { type JudgedItem, retrySample, runStages } from "./runStages.ts"

/** What judging one note takes, with what is in the store already. */
export interface ItemPlan {
  /** Keys of answers that are there. */
  readonly stored: ReadonlyArray<string>
  /** Keys of first answers to be bought. */
  readonly missing: ReadonlyArray<string>
  /** Calls of later stages, whose questions follow from answers that are not there yet. */
  readonly unknown: number
  /** Whether it may be more: a second look is needed for some notes only. */
  readonly atLeast: boolean
}

const none: ItemPlan = { stored: [], missing: [], unknown: 0, atLeast: false }

const plus = (a: ItemPlan, b: ItemPlan): ItemPlan => ({
  stored: [...a.stored, ...b.stored],
  missing: [...a.missing, ...b.missing],
  unknown: a.unknown + b.unknown,
  atLeast: a.atLeast || b.atLeast
})

interface Planning<E> {
  readonly judge: JudgeConfig
  readonly instructions: Instructions
  readonly model: ModelConfig
  readonly seed: number
  readonly item: JudgedItem
  /** An answer by its key. */
  readonly find: (key: string) => Effect.Effect<Pick<Completion, "finish" | "text"> | undefined, E>
}

/** In the place of an answer that is not there: the way through the stages ends with it. */
const nothing = { text: "", finish: "stop" } as const

const ofStages = Effect.fnUntraced(function* <E>(
  design: Design,
  { find, instructions, item, judge, model, seed }: Planning<E>
) {
  let plan = none
  for (let sample = 0; sample < judge.samples; sample++) {
    const stored: Array<string> = []
    const missing: Array<string> = []
    let reached = -1
    yield* runStages(
      design,
      item,
      instructions,
      Effect.fnUntraced(function* (stage, question, messages, attempt) {
        reached = design.stages.indexOf(stage)
        const number = sample + attempt * retrySample
        const { key } = requestKey(
          stageRequest({ design, item, model, sample: number, seed, stage }, question, messages)
        )
        const answer = yield* find(key)
        // Retries are not counted: whether one is needed is not known for the others either.
        if (attempt === 0) (answer === undefined ? missing : stored).push(key)
        return answer ?? nothing
      })
    )
    const rest = missing.length === 0 ? [] : design.stages.slice(reached + 1)
    plan = plus(plan, {
      stored,
      missing,
      unknown: rest.filter(({ per }) => per === "note").length,
      atLeast: rest.some(({ per }) => per === "absent facts")
    })
  }
  return plan
})

/** What judging an item by a design would send, without sending anything. */
export const planItem = Effect.fnUntraced(function* <E>(planning: Planning<E>) {
  const design = designOf(planning.judge)
  if (design.members === undefined) return yield* ofStages(design, planning)
  let plan = none
  for (const { design: own, judge, model = planning.model, name } of design.members) {
    const instructions = memberInstructions(planning.instructions, name)
    plan = plus(plan, yield* ofStages(own, { ...planning, judge, model, instructions }))
  }
  return plan
})
