import type { Message } from "../../model/LanguageModel.ts"
import { preamble } from "../wholeNoteScore.ts"
import { noTranscript, question } from "./asking.ts"

/** What the designs that read a note as a whole are told. */
export interface NoteInput {
  readonly transcript: string | null
  readonly note: string
}

/** The whole-note judges' own preamble: all designs of this kind share the prefix of a note's prompt. */
export const notePreamble = preamble

export const noteMessages = (input: NoteInput, instruction: string, contract: string): ReadonlyArray<Message> =>
  question(
    { preamble: notePreamble, contract },
    { transcript: input.transcript ?? noTranscript, note: input.note },
    instruction
  )
