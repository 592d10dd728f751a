/**
 * Remembers the results of a pure function for the last few arguments. Only speed depends on it: a campaign puts
 * hundreds of prompts about one transcript in a row, and reading the transcript is most of the work.
 */
export const remembered = <A>(compute: (text: string) => A, atMost: number): ((text: string) => A) => {
  const kept = new Map<string, A>()
  return (text) => {
    const known = kept.get(text)
    if (known !== undefined) {
      kept.delete(text)
      kept.set(text, known)
      return known
    }
    const made = compute(text)
    kept.set(text, made)
    if (kept.size > atMost) {
      const oldest = kept.keys().next()
      if (oldest.done !== true) kept.delete(oldest.value)
    }
    return made
  }
}
