import { diffWordsWithSpace } from "diff/lib/diff/word.js"

/** A stretch of the two notes: in both, in the clean one only (`removed`) or in the flawed one only (`added`). */
export interface Stretch {
  readonly kind: "same" | "removed" | "added"
  readonly text: string
}

const timeoutMs = 2000

const commonStart = (one: string, other: string): number => {
  const end = Math.min(one.length, other.length)
  let at = 0
  while (at < end && one[at] === other[at]) at += 1
  // Not within a word, and not within a character.
  while (at > 0 && at < Math.max(one.length, other.length) && /[\p{L}\p{N}\uD800-\uDBFF]/u.test(one[at - 1]!)) at -= 1
  return at
}

/** Changes with nothing but a blank between them as one: what was removed, then what was added. */
const joined = (stretches: ReadonlyArray<Stretch>): ReadonlyArray<Stretch> => {
  const found: Array<Stretch> = []
  let removed = ""
  let added = ""
  const end = () => {
    if (removed !== "") found.push({ kind: "removed", text: removed })
    if (added !== "") found.push({ kind: "added", text: added })
    removed = ""
    added = ""
  }
  for (const [at, { kind, text }] of stretches.entries()) {
    const next = stretches[at + 1]
    if (kind === "removed") removed += text
    else if (kind === "added") added += text
    else if (/^[^\S\n]+$/.test(text) && removed !== "" && added !== "" && next !== undefined) {
      removed += text
      added += text
    } else {
      end()
      found.push({ kind, text })
    }
  }
  end()
  return found
}

/**
 * The difference from the clean note to the flawed one, word by word: the stretches of both notes in order. Notes that
 * differ so much that a comparison takes longer than `timeout` milliseconds are taken to differ in all that follows their common start.
 */
export const wordDifference = (clean: string, flawed: string, timeout = timeoutMs): ReadonlyArray<Stretch> => {
  const changes = diffWordsWithSpace(clean, flawed, { timeout })
  if (changes !== undefined) {
    return joined(
      changes.map((change) => ({
        kind: change.added ? "added" : change.removed ? "removed" : "same",
        text: change.value
      }))
    )
  }
  const start = commonStart(clean, flawed)
  const stretches: ReadonlyArray<Stretch> = [
    { kind: "same", text: clean.slice(0, start) },
    { kind: "removed", text: clean.slice(start) },
    { kind: "added", text: flawed.slice(start) }
  ]
  return stretches.filter((stretch) => stretch.text !== "")
}
