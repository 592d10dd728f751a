import { type InstructionReading, readInstruction } from "../instruction.ts"
import { type Attention, attentionOf } from "../judge/attention.ts"

/**
 * How plainly a question that is itself a list asks to go through things one by one: more than most wordings do, which is
 * the point of restructuring the task [OB §7.1].
 */
const byForm = 0.85

/** What an instruction asks for under a contract that makes the reader list things, or gives it a list. */
export const listReading = (
  instruction: string
): { readonly reading: InstructionReading; readonly attention: Attention } => {
  const plain = readInstruction(instruction)
  const reading: InstructionReading = {
    ...plain,
    asked: (skill) =>
      skill === "enumerate" ? Math.max(byForm, plain.asked(skill)) : skill === "omissions" ? 1 : plain.asked(skill),
    suppressed: new Set([...plain.suppressed].filter((skill) => skill !== "omissions" && skill !== "enumerate"))
  }
  return { reading, attention: attentionOf(reading) }
}
