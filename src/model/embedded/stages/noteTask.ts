import type { Message } from "../../LanguageModel.ts"
import type { JudgeTask } from "../roles/judgeNote.ts"
import { questionWith } from "./blocks.ts"

/** A question about a note as a whole, recognised by the shape that its contract asks for. */
export const noteTask = (messages: ReadonlyArray<Message>, shape: RegExp): JudgeTask | undefined => {
  const prompt = questionWith(messages, ["transcript", "note"], shape)
  return prompt === undefined
    ? undefined
    : { transcript: prompt.blocks.transcript!, note: prompt.blocks.note!, instruction: prompt.instruction }
}
