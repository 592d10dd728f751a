import { showValue } from "../domain/InputError.ts"
import type { RejectionReason } from "../domain/RunEvent.ts"
import { hasPlaceholder } from "../judge/prompt.ts"
import type { Finish } from "../model/LanguageModel.ts"
import { brokenPassage, type Passages } from "./frozen.ts"
import { copiedPassage } from "./overlap.ts"
import { closingMarker, openingMarker } from "./reflectionPrompt.ts"

/** What the reflection model handed back: an answer, or a call that failed. */
export type ReflectionReply =
  | { readonly kind: "answered"; readonly text: string; readonly finish: Finish }
  | { readonly kind: "failed"; readonly message: string }

export interface ReadRules {
  readonly lengthLimit: number
  /** Instructions that are in the pool already. */
  readonly pool: ReadonlySet<string>
  /** Verbatim runs of the train part's texts, and those that the seeds had from the start. */
  readonly trainGrams: ReadonlySet<string>
  readonly seedGrams: ReadonlySet<string>
  /** Passages of the parent that must stay. */
  readonly frozen?: Passages
}

export interface ReadReflection {
  readonly instruction: string | null
  readonly rejected: { readonly reason: RejectionReason; readonly detail: string } | null
}

const rejected = (reason: RejectionReason, detail: string, instruction: string | null = null): ReadReflection => ({
  instruction,
  rejected: { reason, detail }
})

/** Some models show their thinking in the answer; a block drafted there is not the answer. */
const withoutThinking = (text: string) => text.replace(/^\s*<(think|thinking|reasoning)>[\s\S]*?<\/\1>/i, "")

const oneSpaced = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/[\s\p{Cf}]+/gu, " ")
    .trim()

/** Whether the pool has the same words with other white space: no reader could tell the two apart. */
const inOtherSpaces = (pool: ReadonlySet<string>, instruction: string): boolean => {
  const own = oneSpaced(instruction)
  for (const text of pool) if (oneSpaced(text) === own) return true
  return false
}

/**
 * The instruction in a reflection's answer, or the reason why it may not be tried [GEPA; method §5.5]. Never guesses: an
 * answer without exactly one whole block is no instruction.
 */
export const readReflection = (reply: ReflectionReply, rules: ReadRules): ReadReflection => {
  if (reply.kind === "failed") return rejected("call-failed", reply.message)
  if (reply.finish === "refusal" || reply.finish === "content-filter") {
    return rejected(
      "refused",
      reply.finish === "refusal" ? "the reflection model refused" : "the provider's content filter cut the answer"
    )
  }
  if (reply.finish === "length")
    return rejected("truncated", "the answer reached the model's output limit; raise models.reflection.maxOutputTokens")
  const text = withoutThinking(reply.text)
  if (text.trim() === "") return rejected("empty", "the answer is empty")
  const lines = text.split(/\r?\n/)
  const marks = (marker: string) => lines.flatMap((line, index) => (line.trim() === marker ? [index] : []))
  const opened = marks(openingMarker)
  const closed = marks(closingMarker)
  if (opened.length === 0) return rejected("no-block", `the answer has no line ${openingMarker}`)
  if (opened.length > 1 || closed.length > 1)
    return rejected("several-blocks", "the answer has more than one instruction block")
  if (closed.length === 0 || closed[0]! < opened[0]!)
    return rejected("truncated", `the instruction block is not closed by a line ${closingMarker}`)
  const instruction = lines
    .slice(opened[0]! + 1, closed[0]!)
    .join("\n")
    .trim()
  if (instruction === "") return rejected("empty", "the instruction block is empty")
  return checkInstruction(instruction, rules)
}

/** A new instruction that a model or a person wrote, or the reason why it may not be tried. */
export const checkInstruction = (instruction: string, rules: ReadRules): ReadReflection => {
  // Characters as a reader counts them, so that an emoji is one.
  const length = [...instruction].length
  if (length > rules.lengthLimit)
    return rejected("too-long", `${length} characters, the limit is ${rules.lengthLimit}`, instruction)
  if (hasPlaceholder(instruction))
    return rejected("placeholder", "the instruction holds a slot or a tag of the fixed prompt", instruction)
  const broken = brokenPassage(instruction, rules.frozen ?? [])
  if (broken !== undefined)
    return rejected("frozen", `does not hold a frozen passage word for word: ${showValue(broken)}`, instruction)
  if (rules.pool.has(instruction) || inOtherSpaces(rules.pool, instruction))
    return rejected("identical", "the pool already has this instruction", instruction)
  const copied = copiedPassage(instruction, rules.trainGrams, rules.seedGrams)
  if (copied !== undefined)
    return rejected("copies-notes", `copies eight words in a row from the train part: "${copied}"`, instruction)
  return { instruction, rejected: null }
}
