import type { Stretch } from "../dataset/difference.ts"

const wordsAround = 6

/** The first or last words of a text, with an ellipsis for the others. */
const someWords = (text: string, from: "start" | "end"): string => {
  const words = text.trim().split(/\s+/)
  if (words.length <= wordsAround) return words.join(" ")
  return from === "start" ? `${words.slice(0, wordsAround).join(" ")} …` : `… ${words.slice(-wordsAround).join(" ")}`
}

const between = (text: string): string => {
  const words = text.trim().split(/\s+/)
  return words.length <= 2 * wordsAround
    ? words.join(" ")
    : `${words.slice(0, wordsAround).join(" ")} … ${words.slice(-wordsAround).join(" ")}`
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim()

/**
 * A word difference in one line, as word diffs are written: `[-removed-]` and `{+added+}` with a few words around them.
 * Empty for texts that are the same.
 */
export const differenceText = (difference: ReadonlyArray<Stretch>): string =>
  difference.every(({ kind }) => kind === "same")
    ? ""
    : difference
        .map(({ kind, text }, at) => {
          // White space alone is no change of words.
          if (kind !== "same" && text.trim() === "") return ""
          if (kind === "removed") return `[-${oneLine(text)}-]`
          if (kind === "added") return `{+${oneLine(text)}+}`
          if (text.trim() === "") return ""
          if (at === 0) return someWords(text, "end")
          return at === difference.length - 1 ? someWords(text, "start") : between(text)
        })
        .filter((part) => part !== "")
        .join(" ")
