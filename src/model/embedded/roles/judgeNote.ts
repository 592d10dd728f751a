import type { Message } from "../../LanguageModel.ts"
import { answerText } from "../judge/answerShape.ts"
import { judge } from "../judge/verdict.ts"
import { hashText } from "../noise.ts"
import type { EmbeddedRole } from "../role.ts"

export interface JudgeTask {
  readonly transcript: string
  readonly note: string
  readonly instruction: string
}

/**
 * The parts of a whole-note prompt. The instruction is the last block of its kind, and the note ends at the last
 * closing tag before it, so that tags that a note or a transcript quotes stay part of their text. A transcript that
 * holds the very seam between the two is cut there: nothing in the text can tell that seam from the real one.
 */
export const readJudgePrompt = (content: string): JudgeTask | undefined => {
  const instructionEnd = content.lastIndexOf("</instruction>")
  const instructionStart = content.lastIndexOf("<instruction>", instructionEnd)
  if (instructionStart < 0 || !/\bscore\b/i.test(content.slice(instructionEnd))) return undefined
  const noteEnd = content.lastIndexOf("</note>", instructionStart)
  const transcriptStart = content.indexOf("<transcript>")
  if (noteEnd < 0 || transcriptStart < 0) return undefined
  const seam = /<\/transcript>\s*<note>/g
  seam.lastIndex = transcriptStart
  const found = seam.exec(content)
  if (found === null || found.index + found[0].length > noteEnd) return undefined
  return {
    transcript: content.slice(transcriptStart + "<transcript>".length, found.index).trim(),
    note: content.slice(found.index + found[0].length, noteEnd).trim(),
    instruction: content.slice(instructionStart + "<instruction>".length, instructionEnd).trim()
  }
}

const questionOf = (messages: ReadonlyArray<Message>): JudgeTask | undefined => {
  for (const message of messages) {
    if (message.role === "assistant") continue
    const task = readJudgePrompt(message.content)
    if (task !== undefined) return task
  }
  return undefined
}

/** Reads transcript, note and instruction, and scores the note by the contract. */
export const judgeNote: EmbeddedRole = {
  name: "judge a note",
  answer(messages, seed) {
    const task = questionOf(messages)
    if (task === undefined) return undefined
    return answerText(judge(task, seed), seed, `${hashText(task.instruction)}/${messages.length}`)
  }
}
