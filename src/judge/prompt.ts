/**
 * A prompt in its three parts. Only the instruction evolves; preamble and contract are fixed by the judge's design.
 * In a file the instruction stands between a line `<instruction>` and a line `</instruction>`, which belong to the
 * preamble and the contract, so that joining the parts gives the file back byte for byte.
 */
export interface PromptParts {
  readonly preamble: string
  readonly instruction: string
  readonly contract: string
}

const opening = "<instruction>\n"
const closing = "\n</instruction>"

/** The parts of a prompt, or undefined when the text has not exactly one instruction block. */
export const splitPrompt = (text: string): PromptParts | undefined => {
  const start = text.startsWith(opening) ? 0 : text.indexOf(`\n${opening}`) + 1
  if (start === 0 && !text.startsWith(opening)) return undefined
  const from = start + opening.length
  // An empty instruction shares the newline of the opening line.
  const to = text.indexOf(closing, from - 1)
  if (to === -1 || text.indexOf(closing, to + 1) !== -1 || text.indexOf(opening, from) !== -1) return undefined
  return {
    preamble: text.slice(0, from),
    instruction: text.slice(from, Math.max(from, to)),
    contract: text.slice(Math.max(from, to))
  }
}

export const joinPrompt = (parts: PromptParts): string => parts.preamble + parts.instruction + parts.contract

const slot = /\{\{(transcript|note|facts|criterion)\}\}/
type Slot = "transcript" | "note" | "facts" | "criterion"

/**
 * Fills the preamble's slots. Values are inserted, never read again: braces in a note stay braces. A slot without a value
 * stays as it is.
 */
export const fillPreamble = (preamble: string, values: { readonly [name in Slot]?: string }): string =>
  preamble
    .split(slot)
    .map((piece, index) => (index % 2 === 0 ? piece : (values[piece as Slot] ?? `{{${piece}}}`)))
    .join("")

/** What an instruction may not hold: it would be read as a part of the fixed prompt. */
export const hasPlaceholder = (instruction: string): boolean =>
  /\{\{\s*\w+\s*\}\}|<\/?(instruction|transcript|note|facts|criterion)>|<<<INSTRUCTION|INSTRUCTION>>>/i.test(
    instruction
  )
