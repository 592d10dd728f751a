/** Which instruction a prompt is about, where the judge has several. */
export interface ModuleInfo {
  /** The module whose instruction is to be written. */
  readonly name: string
  /** All modules of the judge, in the order of their names. */
  readonly all: ReadonlyArray<string>
  /** The judge's highest score; 10 if left out. */
  readonly maxScore?: number
}

/** The one module of judges that look at a note as a whole: their prompts need not name it. */
const whole = "judge"

/** What the judge is, in the first sentence of a prompt: "… a judge of clinical notes follows. The judge …". */
export const judgeText = (module: ModuleInfo | undefined): string =>
  module === undefined || (module.all.length === 1 && module.name === whole)
    ? `The judge reads a consultation's transcript and one note, follows the instruction, and ${(module?.maxScore ?? 10) === 10 ? "gives the note a score from 0 to 10" : `answers as its contract below says; the answer gives the note a score from 0 to ${module?.maxScore}`}; higher is better.`
    : `The judge compares a consultation's transcript with one note and gives the note a score; higher is better. It works in stages, each with an instruction of its own. Yours is the instruction of the stage \`${module.name}\`${others(module)}; what that stage reads and answers stands in its contract below.`

const others = ({ all, name }: ModuleInfo): string => {
  const rest = all.filter((other) => other !== name)
  if (rest.length === 0) return ""
  return `; ${rest.map((other) => `\`${other}\``).join(", ")} ${rest.length === 1 ? "stays as it is" : "stay as they are"}`
}
