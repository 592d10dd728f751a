import type { Message } from "../../LanguageModel.ts"

export const blockNames = ["transcript", "facts", "note", "criterion"] as const
export type BlockName = (typeof blockNames)[number]

/** A prompt of named blocks, in the order in which it has them, with its instruction and what follows that. */
export interface BlockPrompt {
  readonly blocks: { readonly [name in BlockName]?: string }
  readonly instruction: string
  readonly contract: string
}

/**
 * The blocks of a prompt that has exactly those named, in this order. The instruction is the last block of its kind, the
 * last block ends at its last closing tag before that, and each other one at the first seam to the next, so that tags
 * that a text quotes stay part of it.
 */
export const readBlocks = (content: string, names: ReadonlyArray<BlockName>): BlockPrompt | undefined => {
  const instructionEnd = content.lastIndexOf("</instruction>")
  const instructionStart = content.lastIndexOf("<instruction>", instructionEnd)
  const [first] = names
  if (instructionStart < 0 || first === undefined) return undefined
  const opening = content.indexOf(`<${first}>`)
  const lastEnd = content.lastIndexOf(`</${names.at(-1)}>`, instructionStart)
  if (opening < 0 || lastEnd < 0) return undefined
  const blocks: { [name in BlockName]?: string } = {}
  let start = opening + first.length + 2
  for (const [index, name] of names.entries()) {
    const next = names[index + 1]
    if (next === undefined) {
      if (lastEnd < start) return undefined
      blocks[name] = content.slice(start, lastEnd).trim()
      break
    }
    // Words may stand between two blocks, a line or two.
    const seam = new RegExp(`</${name}>\\s{0,8}(?:[^<>\\n]{1,200}\\n\\s{0,8})?<${next}>`, "g")
    seam.lastIndex = start
    const found = seam.exec(content)
    if (found === null || found.index + found[0].length > lastEnd) return undefined
    blocks[name] = content.slice(start, found.index).trim()
    start = found.index + found[0].length
  }
  return {
    blocks,
    instruction: content.slice(instructionStart + "<instruction>".length, instructionEnd).trim(),
    contract: content.slice(instructionEnd + "</instruction>".length)
  }
}

/** The first of a conversation's questions that has these blocks and whose contract asks for this shape of answer. */
export const questionWith = (
  messages: ReadonlyArray<Message>,
  names: ReadonlyArray<BlockName>,
  shape: RegExp
): BlockPrompt | undefined => {
  for (const message of messages) {
    if (message.role === "assistant") continue
    const prompt = readBlocks(message.content, names)
    if (prompt !== undefined && shape.test(prompt.contract)) return prompt
  }
  return undefined
}

export interface ListedFact {
  readonly id: string
  readonly text: string
}

/** The facts of a block: lines of JSON with an id and a text. Other lines are passed over. */
export const readFacts = (block: string): ReadonlyArray<ListedFact> =>
  block.split("\n").flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line)
      if (typeof value !== "object" || value === null) return []
      const { id, text } = value as { readonly id?: unknown; readonly text?: unknown }
      return typeof id === "string" && typeof text === "string" ? [{ id, text }] : []
    } catch {
      return []
    }
  })

/** The facts that the conversation asks about last: all, or those that a retry names. */
export const askedFacts = (
  messages: ReadonlyArray<Message>,
  facts: ReadonlyArray<ListedFact>
): ReadonlyArray<ListedFact> => {
  const last = messages.at(-1)
  if (messages.length < 2 || last === undefined || last.role === "assistant") return facts
  const named = new Set(
    [...last.content.matchAll(/"((?:[^"\\]|\\.){1,300})"/g)].flatMap(([literal]) => {
      try {
        return [JSON.parse(literal) as string]
      } catch {
        return []
      }
    })
  )
  const again = facts.filter(({ id }) => named.has(id))
  return again.length === 0 ? facts : again
}
