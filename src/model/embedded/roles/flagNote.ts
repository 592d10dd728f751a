import { judge } from "../judge/verdict.ts"
import { hashText } from "../noise.ts"
import type { EmbeddedRole } from "../role.ts"
import { noteTask } from "../stages/noteTask.ts"
import { yesNoText } from "../stages/replyShape.ts"

/** The score, of 10, below which this reader says that a note has an error. */
const passes = 7.6

/** Says whether a note has an error: the impression that gives a score, against a fixed line. */
export const flagNote: EmbeddedRole = {
  name: "flag a note",
  answer(messages, seed) {
    const task = noteTask(messages, /"error": "YES/)
    if (task === undefined) return undefined
    const { reason, score } = judge(task, seed)
    return yesNoText("error", reason, score < passes, seed, `${hashText(task.instruction)}/${messages.length}`)
  }
}
