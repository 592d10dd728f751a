import type { ModelConfig } from "../domain/Campaign.ts"
import type { Instructions } from "../domain/Candidate.ts"
import type { Message, ModelRequest } from "../model/LanguageModel.ts"
import { type BlindnessViolation, violation } from "./blindness.ts"
import type { Design, Question, Stage } from "./Design.ts"
import { instructionFor, type JudgedItem, questionsOf, stageSeed } from "./runStages.ts"

export interface Asking {
  readonly design: Design
  readonly stage: Stage
  readonly item: JudgedItem
  readonly model: ModelConfig
  /** The run's. */
  readonly seed: number
  readonly sample: number
}

/** A question as a model is asked it: `messages` are its own or those of its retry. */
export const stageRequest = (
  { design, item, model, sample, seed, stage }: Asking,
  { about, answer }: Question,
  messages: ReadonlyArray<Message>
): ModelRequest => ({
  role: "judge",
  model,
  messages,
  seed: stageSeed(design, stage, item, about, seed, sample),
  answer
})

/** All first requests of some items, where they can be known before any is answered: one stage, one question a note. */
export interface Gatherable {
  readonly length: number
  readonly get: (index: number, model: ModelConfig, instructions: Instructions, seed: number) => ModelRequest
}

/** Undefined for a design whose questions follow from answers, or are several a note. */
export const gatherable = (
  design: Design,
  items: ReadonlyArray<JudgedItem>,
  samples: number
): Gatherable | undefined => {
  const [stage, ...more] = design.stages
  if (stage === undefined || more.length > 0 || stage.per !== "note") return undefined
  return {
    length: items.length * samples,
    get: (index, model, instructions, seed) => {
      const item = items[Math.floor(index / samples)]!
      const [question] = questionsOf(stage, item, {}, instructionFor(design, instructions, stage.module))
      return stageRequest({ design, item, model, sample: index % samples, seed, stage }, question!, question!.messages)
    }
  }
}

/** Items whose note, or a stretch of it, stands in the very first prompt that must be blind to it. */
export const blindnessProblems = (
  design: Design,
  items: ReadonlyArray<JudgedItem>,
  instructions: Instructions = {}
): ReadonlyArray<BlindnessViolation> => {
  const members = design.members ?? []
  if (members.length > 0) return members.flatMap((member) => blindnessProblems(member.design, items))
  const [stage] = design.stages
  if (stage === undefined || stage.sees !== "transcript") return []
  const instruction = instructionFor(design, instructions, stage.module)
  return items.flatMap((item) => {
    const messages = questionsOf(stage, item, {}, instruction).flatMap((question) => question.messages)
    return violation(stage.name, messages, item) ?? []
  })
}
