import { between } from "./readPrompt.ts"

/** What is found in a prompt that asks to make one instruction of two. */
export interface MergeTask {
  readonly first: string
  readonly second: string
  /** How many of the pairs shown the judge ranked rightly with the first instruction only, and with the second only. */
  readonly firstRight: number
  readonly secondRight: number
  /** In characters. */
  readonly lengthLimit: number
}

const defaultLimit = 4000

/** The task of a merge prompt, or undefined when the text asks for something else. */
export const readMergePrompt = (content: string): MergeTask | undefined => {
  const first = between(content, "<first_instruction>", "</first_instruction>")
  const second = between(content, "<second_instruction>", "</second_instruction>")
  if (first === undefined || second === undefined || !content.includes("<<<INSTRUCTION")) return undefined
  const rights = [...content.matchAll(/^<pair note="[^"\n]*" right="(first|second)">$/gm)].map(([, right]) => right)
  const limit = /at most (\d+) characters/.exec(content.slice(content.lastIndexOf("# Your task")))?.[1]
  return {
    first,
    second,
    firstRight: rights.filter((right) => right === "first").length,
    secondRight: rights.filter((right) => right === "second").length,
    lengthLimit: limit === undefined ? defaultLimit : Number(limit)
  }
}
