/** How often a text holds another, overlaps not counted. */
const occurrences = (text: string, part: string): number => text.split(part).length - 1

/** A text with its error sentence replaced where it stands; or why that cannot be done without a guess. */
export const correctInPlace = (
  text: string,
  errorSentence: string,
  correctedSentence: string
): { readonly text: string } | { readonly reason: string } => {
  if (errorSentence === "" || correctedSentence === "")
    return { reason: "the error sentence or the corrected one is blank" }
  const times = occurrences(text, errorSentence)
  if (times === 0) return { reason: "the error sentence is not in the text" }
  if (times > 1) return { reason: "the error sentence is in the text more than once" }
  const at = text.indexOf(errorSentence)
  return { text: text.slice(0, at) + correctedSentence + text.slice(at + errorSentence.length) }
}

export const sameButForSpace = (a: string, b: string): boolean => a.replace(/\s+/g, "") === b.replace(/\s+/g, "")
