import type { Message } from "../model/LanguageModel.ts"
import type { Passages } from "./frozen.ts"
import { judgeText, type ModuleInfo } from "./moduleText.ts"
import { closingMarker, frozenPart, givenPart, openingMarker } from "./reflectionPrompt.ts"
import { judgeLine, type NoteTrace, rankLines, truthLines } from "./trace.ts"

/** A flawed note of the minibatch that exactly one of the two judges ranks below its clean twin. */
export interface PairDifference {
  readonly right: "first" | "second"
  readonly first: NoteTrace
  readonly second: NoteTrace
}

/** How often each of the two ranks a pair of the minibatch correctly; pairs that could not be judged are left out. */
export interface PairCounts {
  readonly both: number
  readonly onlyFirst: number
  readonly onlySecond: number
  readonly neither: number
}

export interface MergeInput {
  readonly module?: ModuleInfo
  /** The two instructions. */
  readonly first: string
  readonly second: string
  readonly contract: string
  readonly differences: ReadonlyArray<PairDifference>
  readonly counts: PairCounts
  /** In characters. */
  readonly lengthLimit: number
  /** Passages that must stay word for word. */
  readonly frozen?: Passages
}

const renderDifference = ({ first, right, second }: PairDifference): string =>
  [
    `<pair note="${first.label}" right="${right}">`,
    ...truthLines(first.truth),
    `The first judge: ${judgeLine(first)}`,
    ...rankLines(first),
    `The second judge: ${judgeLine(second)}`,
    ...rankLines(second),
    "</pair>"
  ].join("\n")

/**
 * The question that makes one instruction of two: one message. Both were tried on the same notes of the train part, and
 * everything in it comes from there.
 */
export const mergeMessages = (input: MergeInput): ReadonlyArray<Message> => {
  const { both, neither, onlyFirst, onlySecond } = input.counts
  const content = `You combine two instructions for a judge of clinical notes into one. ${judgeText(input.module)}

# The first instruction

<first_instruction>
${input.first}
</first_instruction>

# The second instruction

<second_instruction>
${input.second}
</second_instruction>

${givenPart(input.contract)}${frozenPart(input.frozen ?? [])}# Where the two differ

The same judge followed each of the two instructions on the same notes. Of ${both + onlyFirst + onlySecond + neither} pairs it ranked ${both} rightly with both, ${onlyFirst} with the first only, ${onlySecond} with the second only, ${neither} with neither. These are the pairs that exactly one of them ranked rightly:

${input.differences.map(renderDifference).join("\n\n")}

# Your task

Find what in each instruction made the judge right where the other made it wrong, and write one instruction that has both.
- Keep what each of the two does right. Where they contradict each other, go by the pairs above.
- Do not simply put one after the other: say each thing once, in a sensible order.
- It must serve on consultations that nobody has shown you: name kinds of content and ways of checking, never the content of these notes. No names, quotes, values or drugs from above.
- It may have at most ${input.lengthLimit} characters; the first has ${[...input.first].length}, the second ${[...input.second].length}.
- Do not describe the answer's format: the contract does.

Write the whole instruction between these two lines, and nothing else between them:

${openingMarker}
(the instruction)
${closingMarker}
`
  return [{ role: "user", content }]
}
