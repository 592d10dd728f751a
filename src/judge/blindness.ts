import { userMessage } from "effect/cli/CliError"
import { errorExitCode } from "effect/Runtime"
import * as Schema from "effect/Schema"
import type { Criterion } from "../domain/Dataset.ts"
import { plain } from "../domain/plain.ts"
import type { Message } from "../model/LanguageModel.ts"

/** What a stage sees that reads the consultation alone: there is no place in it for a note, by type. */
export interface TranscriptView {
  readonly transcript: string
  readonly note?: never
}

/** What a stage sees that reads the note alone. */
export interface NoteView {
  readonly note: string
  readonly transcript?: never
}

export interface WholeView {
  readonly transcript: string
  readonly note: string
  /** For a rubric. */
  readonly criteria?: ReadonlyArray<Criterion>
}

/** A prompt that may hold the transcript only holds a stretch of a note. Nothing was sent. Exit code 2. */
export class BlindnessViolation extends Schema.TaggedError<BlindnessViolation>()("BlindnessViolation", {
  stage: Schema.String,
  consultation: Schema.String,
  /** The note's id, as the item has it. */
  note: Schema.String,
  /** The stretch that both have, cut short. */
  stretch: Schema.String
}) {
  override readonly [errorExitCode] = 2
  override get message(): string {
    return plain(
      `the stage ${this.stage} reads the transcript alone, and its prompt for consultation ${this.consultation} holds a stretch of the note ${this.note}: ${JSON.stringify(this.stretch)}. Nothing was sent. Take the note out of the transcript, or use a design that may see both`
    ).replaceAll("\n", " ")
  }
  override get [userMessage](): string {
    return this.message
  }
}

/** So many characters in a row are no coincidence [OB §C.1]. */
const stretchLength = 80

const squeezed = (text: string): string => text.toLowerCase().replace(/\s+/g, " ").trim()

/** Squeezed prompts by text: a consultation's is looked at once for each of its notes. */
let lastText = ""
let lastSqueezed = ""
const squeezedOnce = (text: string): string => {
  if (text !== lastText) {
    lastText = text
    lastSqueezed = squeezed(text)
  }
  return lastSqueezed
}

/** Start, middle and end of a note, 80 characters each. A note that is shorter cannot be told from chance. */
const stretchesOf = (note: string): ReadonlyArray<string> => {
  const text = squeezed(note)
  if (text.length < stretchLength) return []
  return [...new Set([0, Math.floor((text.length - stretchLength) / 2), text.length - stretchLength])].map((start) =>
    text.slice(start, start + stretchLength)
  )
}

/** The stretch of the note (its first, middle or last 80 characters) that the text holds; white space and case aside. */
export const stretchInText = (text: string, note: string): string | undefined => {
  const stretches = stretchesOf(note)
  if (stretches.length === 0) return undefined
  const within = squeezedOnce(text)
  return stretches.find((stretch) => within.includes(stretch))
}

/** What of the note stands in a prompt that may not hold any; undefined where it is blind, as it must be. */
export const violation = (
  stage: string,
  messages: ReadonlyArray<Message>,
  item: { readonly id: string; readonly consultation: string; readonly note: string }
): BlindnessViolation | undefined => {
  const found = stretchInText(messages.map(({ content }) => content).join("\n"), item.note)
  return found === undefined
    ? undefined
    : new BlindnessViolation({ stage, consultation: item.consultation, note: item.id, stretch: found.slice(0, 60) })
}
