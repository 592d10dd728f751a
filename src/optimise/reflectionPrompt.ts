import type { RejectionReason } from "../domain/RunEvent.ts"
import type { Message } from "../model/LanguageModel.ts"
import type { Passages } from "./frozen.ts"
import { judgeText, type ModuleInfo } from "./moduleText.ts"
import type { NoteTrace } from "./trace.ts"
import { renderTrace } from "./trace.ts"

/** What an earlier child of the same parent tried, and what became of it. */
export interface Attempt {
  readonly instruction: string
  readonly reason: RejectionReason | null
  readonly detail: string
}

export interface ReflectionInput {
  /** Left out for a judge with but one instruction. */
  readonly module?: ModuleInfo
  readonly instruction: string
  readonly contract: string
  readonly traces: ReadonlyArray<NoteTrace>
  readonly attempts: ReadonlyArray<Attempt>
  /** In characters. */
  readonly lengthLimit: number
  /** Passages of the instruction that must stay word for word. */
  readonly frozen?: Passages
}

export const openingMarker = "<<<INSTRUCTION"
export const closingMarker = "INSTRUCTION>>>"

const attemptsShown = 4
const attemptLength = 1500

const renderAttempt = (attempt: Attempt, index: number): string =>
  [
    `<attempt number="${index + 1}" outcome="${attempt.reason ?? "accepted"}">`,
    attempt.detail,
    attempt.instruction.length <= attemptLength
      ? attempt.instruction
      : `${attempt.instruction.slice(0, attemptLength)}\n[… ${attempt.instruction.length - attemptLength} more characters]`,
    "</attempt>"
  ].join("\n")

/** The section of a reflection prompt that says what is frozen; empty where nothing is. */
export const frozenPart = (passages: Passages): string =>
  passages.length === 0
    ? ""
    : `# What must stay

The replacement must hold each of these passages word for word. Write what is new around them; do not contradict them.

${passages.map((passage) => `<frozen>\n${passage}\n</frozen>`).join("\n\n")}

`

/** What no instruction can change: the contract, and how the judge is scored. */
export const givenPart = (contract: string): string => `# The fixed contract

These words follow the instruction in every prompt. Do not restate, change or contradict them.

<contract>
${contract.trim()}
</contract>

# How the judge is scored

Each flawed note has a clean twin from the same consultation. The judge earns its reward when the flawed note scores below its own twin: the order counts first, then the size of the gap. A threshold is chosen afterwards, from the scores, for a fixed rate of false alarms. So being harsher or milder on every note buys nothing: only telling flawed from clean does.

`

/** The reflector's question: one message. Everything in it comes from the train part. */
export const reflectionMessages = (input: ReflectionInput): ReadonlyArray<Message> => {
  const attempts = input.attempts.slice(-attemptsShown)
  const content = `You improve the instruction that a judge of clinical notes follows. ${judgeText(input.module)}

# The current instruction

<current_instruction>
${input.instruction}
</current_instruction>

${givenPart(input.contract)}${frozenPart(input.frozen ?? [])}# What earlier attempts to improve this instruction did

${attempts.length === 0 ? "None yet." : attempts.map(renderAttempt).join("\n\n")}

# What the judge did on ${input.traces.length} notes

${input.traces.map(renderTrace).join("\n\n")}

# Your task

Find what the errors have in common, and write one replacement instruction that would avoid them and keep what the judge does right.
- It must serve on consultations that nobody has shown you: name kinds of content and ways of checking, never the content of these notes. No names, quotes, values or drugs from above.
- Do not repeat an attempt that failed.
- It may have at most ${input.lengthLimit} characters; the current one has ${[...input.instruction].length}.
- Do not describe the answer's format: the contract does.

Write the whole replacement instruction between these two lines, and nothing else between them:

${openingMarker}
(the instruction)
${closingMarker}
`
  return [{ role: "user", content }]
}
