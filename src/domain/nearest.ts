/** Edits (insert, delete, replace, swap of neighbours) that turn one word into the other. */
const editDistance = (from: string, to: string): number => {
  const rows: Array<Array<number>> = [Array.from({ length: to.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= from.length; row++) {
    const line = [row]
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1]
      let least = Math.min(
        rows[row - 1]![column]! + 1,
        line[column - 1]! + 1,
        rows[row - 1]![column - 1]! + (same ? 0 : 1)
      )
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        least = Math.min(least, rows[row - 2]![column - 2]! + 1)
      }
      line.push(least)
    }
    rows.push(line)
  }
  return rows[from.length]![to.length]!
}

const longest = 40

/** The choice that a misspelt word most likely means, or undefined when none is near. Letter case does not count. */
export const nearest = (word: string, choices: ReadonlyArray<string>): string | undefined => {
  if (word.length > longest) return undefined
  const asked = word.toLowerCase()
  let best: { readonly choice: string; readonly distance: number } | undefined
  for (const choice of choices) {
    const known = choice.toLowerCase()
    const distance = editDistance(asked, known)
    const near = distance <= Math.max(1, Math.floor(Math.min(asked.length, known.length) / 3))
    if (near && (best === undefined || distance < best.distance)) best = { choice, distance }
  }
  return best?.choice
}
