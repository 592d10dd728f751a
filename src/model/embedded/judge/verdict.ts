import { readInstruction } from "../instruction.ts"
import { normal } from "../noise.ts"
import { readNote } from "../text/note.ts"
import { readTranscript } from "../text/transcript.ts"
import type { AdditionReading } from "./additions.ts"
import { readAdditions } from "./additions.ts"
import { type Attention, attentionOf } from "./attention.ts"
import type { OmissionReading } from "./omissions.ts"
import { readOmissions } from "./omissions.ts"

export interface Verdict {
  /** From 0 to 10, on the grain that the instruction calls for. */
  readonly score: number
  readonly reason: string
}

/**
 * What a reader finds gives a score inside this range. Harsh or lenient wording moves the range as a whole, and it stays
 * within the contract's 0 to 10: such wording moves every score alike and changes no order.
 */
const range = { lowest: 2, highest: 9 } as const
const steepness = { impression: 9, count: 14 } as const
const usualCapture = 0.55
const burdenSteepness = 0.9
const usualBurden = 2
/** Points by which wording of each harshness moves all scores: whole points, so that no grain turns them into ties. */
const shiftOf = (harshness: number): number => (harshness > 0 ? (harshness > 2 ? -2 : -1) : harshness < 0 ? 1 : 0)

const excerpt = (text: string) => (text.length <= 140 ? text : `${text.slice(0, 137).replace(/\s+\S*$/, "")}…`)

const reasonOf = (
  omitted: OmissionReading,
  added: AdditionReading,
  care: { omissions: number; additions: number }
): string => {
  const loss = (omitted.worst?.loss ?? 0) * care.omissions
  const foreign = (added.worst?.weight ?? 0) * 3 * care.additions
  if (omitted.worst !== undefined && loss >= foreign && omitted.worst.cover < 0.7) {
    return omitted.worst.cover < 0.25
      ? `The note leaves out what was said here: "${excerpt(omitted.worst.statement.text)}"`
      : `The note only partly records this: "${excerpt(omitted.worst.statement.text)}"`
  }
  if (added.worst !== undefined && foreign > 0.3) {
    return `The transcript does not support "${added.worst.what}" in: "${excerpt(added.worst.text)}"`
  }
  return "Nothing of weight seems to be missing or unsupported."
}

const noTranscriptLength = 200

/** Whether what stands in the transcript's place only says that there is none. */
const hasNoTranscript = (transcript: string): boolean =>
  transcript === "" || (transcript.length < noTranscriptLength && /\bno transcript\b/i.test(transcript))

/** A lexical reader knows no medicine: a note on its own gives it nothing to go by. */
const withoutTranscript = (attention: Attention, shift: number, seed: number): Verdict => {
  const middle = (range.lowest + range.highest) / 2
  const exact = middle + attention.unsteadiness * normal(seed, "impression")
  return {
    score: rounded(exact, attention.grain) + shift,
    reason: "There is no transcript to check the note against, and nothing in the note itself decided."
  }
}

/** What a reader who follows `instruction` makes of the note. A pure function of its arguments. */
export const judge = (
  task: { readonly transcript: string; readonly note: string; readonly instruction: string },
  seed: number
): Verdict => {
  const reading = readInstruction(task.instruction)
  const attention = attentionOf(reading)
  if (hasNoTranscript(task.transcript)) return withoutTranscript(attention, shiftOf(reading.harshness), seed)
  const transcript = readTranscript(task.transcript)
  const note = readNote(task.note)
  const omitted = readOmissions(transcript, note, attention, seed)
  const added = readAdditions(transcript, note, attention, seed)
  const evidence =
    attention.omissions *
      (steepness.impression + (steepness.count - steepness.impression) * attention.care) *
      ((omitted.capture ?? usualCapture) - usualCapture) -
    attention.additions * burdenSteepness * (added.burden - usualBurden)
  const quality = 1 / (1 + Math.exp(-evidence - 0.8))
  const exact =
    range.lowest + (range.highest - range.lowest) * quality + attention.unsteadiness * normal(seed, "impression")
  const inside = Math.min(range.highest, Math.max(range.lowest, exact))
  const score = rounded(inside, attention.grain) + shiftOf(reading.harshness)
  return { score: rounded(score, 0.01), reason: reasonOf(omitted, added, attention) }
}

/** To the grain, without the tail of digits that binary fractions leave. */
const rounded = (value: number, grain: number): number => Number((Math.round(value / grain) * grain).toFixed(2))
