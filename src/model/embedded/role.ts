import type { Message } from "../LanguageModel.ts"

/** One kind of question that the embedded model can answer. A role gets nothing but the conversation and the seed. */
export interface EmbeddedRole {
  readonly name: string
  /** The answer's text, or undefined when the conversation asks for something else. */
  answer(messages: ReadonlyArray<Message>, seed: number): string | undefined
}
