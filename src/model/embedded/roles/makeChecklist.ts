import { readInstruction } from "../instruction.ts"
import { readAdditions } from "../judge/additions.ts"
import { attentionOf, notices } from "../judge/attention.ts"
import { coverOf, isChatter, weightOf } from "../judge/omissions.ts"
import { hashText } from "../noise.ts"
import type { EmbeddedRole } from "../role.ts"
import { noteTask } from "../stages/noteTask.ts"
import { listText } from "../stages/replyShape.ts"
import { readNote } from "../text/note.ts"
import { readTranscript } from "../text/transcript.ts"

const about = hashText("checklist")

/** How many questions a reader thinks of who was not told to go through everything, and how many more who was. */
const fewQuestions = 8
const moreQuestions = 16

const recordedFrom = 0.45
/** The weight of one bold invention, and of a detail that differs. */
const bold = 1
const differing = 0.5

const excerpt = (text: string) => (text.length <= 90 ? text : `${text.slice(0, 87).replace(/\s+\S*$/, "")}…`)

/** Draws up questions about what stood out in the transcript and about the note's own statements, and answers them. */
export const makeChecklist: EmbeddedRole = {
  name: "make a checklist",
  answer(messages, seed) {
    const task = noteTask(messages, /"questions": \[/)
    if (task === undefined) return undefined
    const reading = readInstruction(task.instruction)
    const attention = attentionOf(reading)
    const transcript = readTranscript(task.transcript)
    const note = readNote(task.note)
    const room = fewQuestions + Math.round(moreQuestions * reading.asked("enumerate") * reading.clarity)
    const asked = Math.round(room * attention.omissions)
    const records = transcript.statements
      .filter(
        (statement) =>
          statement.mass > 0 &&
          !isChatter(statement) &&
          notices(seed, statement.hash ^ about, attention.toStatement(statement.topics))
      )
      .toSorted((a, b) => weightOf(b, attention) - weightOf(a, attention))
      .slice(0, asked)
      .map((statement) => ({
        question: `Does the note record what was said here: '${excerpt(statement.text.replaceAll('"', "'"))}'?`,
        satisfied: coverOf(statement, note, attention, seed) >= recordedFrom ? "YES" : "NO"
      }))
    const { worst } = readAdditions(transcript, note, attention, seed)
    const found = worst?.weight ?? 0
    const supports = [
      {
        question: "Is everything that the note claims supported by the transcript?",
        satisfied: found < bold ? "YES" : "NO"
      },
      { question: "Do the note's details agree with the transcript?", satisfied: found < differing ? "YES" : "NO" },
      { question: "Is the note free of anything that nobody said?", satisfied: found < 1.5 * bold ? "YES" : "NO" }
    ]
    return listText("questions", [...records, ...supports], seed, `${hashText(task.instruction)}/${messages.length}`)
  }
}
