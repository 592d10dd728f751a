import * as Effect from "effect/Effect"
import type { Instructions } from "../domain/Candidate.ts"
import { hashOf } from "../domain/hash.ts"
import type { Item } from "../domain/Item.ts"
import { callSeed } from "../domain/Random.ts"
import type { Completion, Message } from "../model/LanguageModel.ts"
import { type Conclusion, type Design, heard, type Question, type Stage, type Work } from "./Design.ts"

/** What a stage reads of an item. */
export type JudgedItem = Pick<Item, "consultation" | "criteria" | "id" | "key" | "note" | "transcript">

const noTranscript = "(There is no transcript. Judge the note on its own.)"

/** What the stage asks of the item: its prompt builder gets what it may see, and nothing else. */
export const questionsOf = (
  stage: Stage,
  { criteria, note, transcript }: Pick<JudgedItem, "criteria" | "note" | "transcript">,
  work: Work,
  instruction: string
): ReadonlyArray<Question> => {
  const spoken = transcript ?? noTranscript
  switch (stage.sees) {
    case "transcript":
      return stage.questions({ transcript: spoken }, work.facts === undefined ? {} : { facts: work.facts }, instruction)
    case "note":
      return stage.questions({ note }, work, instruction)
    case "transcript and note":
      return stage.questions(
        { transcript: spoken, note, ...(criteria === undefined ? {} : { criteria }) },
        work,
        instruction
      )
  }
}

/** The instruction that a stage follows: the candidate's, else the module's own. */
export const instructionFor = (design: Design, instructions: Instructions, module: string): string =>
  instructions[module] ?? design.modules.find(({ name }) => name === module)!.instruction

/** The second attempt of a sample has the number of the sample plus this; up to as many samples there are. */
export const retrySample = 32

/**
 * The seed of a call. Of a stage that is asked once a consultation it depends on the transcript alone, so that its answer
 * serves every note, sample, candidate with the same instruction, replicate and run.
 */
export const stageSeed = (
  design: Design,
  stage: Stage,
  item: Pick<JudgedItem, "key" | "transcript">,
  about: string,
  runSeed: number,
  sample: number
): number => {
  if (stage.per === "consultation") {
    return callSeed(0, `${stage.name} of ${hashOf([item.transcript])}`, sample >= retrySample ? retrySample : 0)
  }
  const sole = design.stages.length === 1 && about === ""
  return callSeed(runSeed, sole ? item.key : `${item.key}/${stage.name}/${about}`, sample)
}

/** How a question gets its reply. `attempt` is 0, or 1 for the retry. */
export type Ask<E> = (
  stage: Stage,
  question: Question,
  messages: ReadonlyArray<Message>,
  attempt: 0 | 1
) => Effect.Effect<Pick<Completion, "finish" | "text">, E>

export type Concluded =
  | { readonly kind: "concluded"; readonly conclusion: Conclusion }
  /** `reply` is the one that could not be read. */
  | { readonly kind: "unreadable"; readonly reply: string }

/** Questions of one stage under way at once, so that a rubric of many criteria does not take as many round trips. */
const questionsAtOnce = 8

type Answered =
  | { readonly kind: "read"; readonly work: (before: Work) => Work }
  | { readonly kind: "unreadable"; readonly reply: string }

const answered = Effect.fnUntraced(function* <E>(ask: Ask<E>, stage: Stage, question: Question) {
  const first = heard(yield* ask(stage, question, question.messages, 0))
  const reading = question.read(first)
  if (reading.kind === "read") return reading satisfies Answered
  const second = heard(yield* ask(stage, question, reading.messages, 1))
  const again = question.read(first, second)
  return (again.kind === "read" ? again : { kind: "unreadable", reply: second.text }) satisfies Answered
})

/** One sample of a note: the design's stages in order, each question with its one retry. */
export const runStages = Effect.fnUntraced(function* <E>(
  design: Design,
  item: JudgedItem,
  instructions: Instructions,
  ask: Ask<E>
) {
  let work: Work = {}
  for (const stage of design.stages) {
    const questions = questionsOf(stage, item, work, instructionFor(design, instructions, stage.module))
    const answers: ReadonlyArray<Answered> =
      questions.length === 1
        ? [yield* answered(ask, stage, questions[0]!)]
        : yield* Effect.forEach(questions, (question) => answered(ask, stage, question), {
            concurrency: questionsAtOnce
          })
    for (const answer of answers) {
      if (answer.kind === "unreadable") return answer satisfies Concluded
      work = answer.work(work)
    }
  }
  const conclusion = design.conclude(work)
  return (
    conclusion === null ? { kind: "unreadable", reply: "" } : { kind: "concluded", conclusion }
  ) satisfies Concluded
})
