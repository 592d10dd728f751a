import type { InstructionReading } from "../instruction.ts"
import { readAdditions } from "../judge/additions.ts"
import { type Attention, attentionOf } from "../judge/attention.ts"
import { coverOf, readOmissions } from "../judge/omissions.ts"
import { drawHashed, hashText } from "../noise.ts"
import type { EmbeddedRole } from "../role.ts"
import { questionWith } from "../stages/blocks.ts"
import { readFact } from "../stages/facts.ts"
import { listReading } from "../stages/reading.ts"
import { yesNoText } from "../stages/replyShape.ts"
import { readNote } from "../text/note.ts"
import { readTranscript } from "../text/transcript.ts"

/** Criteria that are met by a fault: content that nobody said, and content that is not there. */
const ofAddition =
  /\b(?:unsupported|invent\w*|fabricat\w*|hallucinat\w*|made[- ]up|contradict\w*|not (?:said|supported|stated)|incorrect\w*|wrong\w*|inaccura\w*)\b/i
const ofAbsence =
  /\b(?:omits?|omitted|omission|fails? to|does not (?:record|mention|include|state|document)|leaves? out|left out|missing|lacks?)\b/i
/** Criteria that turn such words round: "the note does not invent", "leaves nothing out". */
const turned =
  /\b(?:note|it) (?:is free (?:of|from)|avoids|has no|contains no|makes no)\b|\b(?:does not|doesn't|never) (?:\w+ )?(?:invent|fabricat|contradict|hallucinat|omit|leave|miss|lack)|\b(?:omits|leaves|misses|lacks) nothing\b|^(?:avoids|no|without)\b/i

/** What criteria say of themselves, and no note says. */
const frame =
  /\b(?:the|this) (?:clinical )?note\b|\b(?:accurately |correctly |clearly |explicitly )?(?:records?|states?|mentions?|includes?|documents?|notes?|describes?|captures?|lists?|identifies|omits?|fails to|does not|leaves out)\b|\bthat\b/gi

const metFrom = 0.5
const boldest = 0.8
const wavering = 0.08
const aboutEdge = hashText("criterion edge")
const aboutNothing = hashText("criterion nothing")

/** A criterion that names such a fault asks for it, whatever the instruction does. */
const forAdditions = (reading: InstructionReading): Attention =>
  attentionOf({ ...reading, asked: (skill) => (skill === "additions" ? 1 : reading.asked(skill)) })

/** Grades one criterion of a rubric: whether the note has what it names, or the fault that it describes. */
export const gradeCriterion: EmbeddedRole = {
  name: "grade a criterion",
  answer(messages, seed) {
    const prompt = questionWith(messages, ["transcript", "note", "criterion"], /"met": "YES/)
    if (prompt === undefined) return undefined
    const { criterion, note: noteText, transcript } = prompt.blocks
    const { attention, reading } = listReading(prompt.instruction)
    const note = readNote(noteText!)
    const about = `${hashText(prompt.instruction)}/${hashText(criterion!)}/${messages.length}`
    const answer = (reason: string, met: boolean) => yesNoText("met", reason, met, seed, about)
    const isTurned = turned.test(criterion!)
    const sought = readFact(criterion!.replace(frame, " "))
    const telling = sought.contents.filter(({ kind }) => kind !== "word").length
    if (ofAddition.test(criterion!)) {
      const found = readAdditions(readTranscript(transcript!), note, forAdditions(reading), seed)
      const faulty = (found.worst?.weight ?? 0) >= boldest
      return answer(
        faulty
          ? `The transcript does not bear out: '${found.worst!.text.slice(0, 140)}'`
          : "Nothing in the note stood out as unsupported.",
        faulty !== isTurned
      )
    }
    if (telling === 0 && (ofAbsence.test(criterion!) || /\bcomplete\w*\b/i.test(criterion!))) {
      const { worst } = readOmissions(readTranscript(transcript!), note, attention, seed)
      const gap = worst !== undefined && worst.cover < 0.25
      return answer(
        gap
          ? `The note leaves out what was said here: '${worst.statement.text.slice(0, 140)}'`
          : "Nothing of weight seems to be missing.",
        gap === (ofAbsence.test(criterion!) && !isTurned)
      )
    }
    if (sought.mass === 0)
      return answer(
        "The criterion names nothing that a reader of words can look up.",
        drawHashed(seed, hashText(criterion!) ^ aboutNothing) < 0.7
      )
    const cover = coverOf(sought, note, attention, seed)
    const held = cover >= metFrom + wavering * (drawHashed(seed, sought.hash ^ aboutEdge) - 0.5)
    return answer(
      held
        ? "The note has what the criterion names."
        : "The note does not have what the criterion names, or only a part of it.",
      held !== (ofAbsence.test(criterion!) && !isTurned)
    )
  }
}
