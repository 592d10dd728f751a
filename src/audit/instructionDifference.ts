import { diffArrays } from "diff/lib/diff/array.js"
import { diffWordsWithSpace } from "diff/lib/diff/word.js"
import type { Stretch } from "../dataset/difference.ts"

/** More words than this changed, and the passage was written anew: a word difference of it would tell nobody anything, and takes seconds. */
const mostEdits = 160

/** Lines with their line ends, so that they join to the text again. */
const linesOf = (text: string): Array<string> => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

/** How much of two texts is the same from the start on, in whole words. */
const sameStart = (a: string, b: string): number => {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  const isWord = (text: string, index: number) => /[\p{L}\p{N}\p{M}\uD800-\uDFFF]/u.test(text[index] ?? "")
  while (at > 0 && isWord(a, at - 1) && (isWord(a, at) || isWord(b, at))) at--
  return at
}

const wordsBetween = (removed: string, added: string): ReadonlyArray<Stretch> => {
  // What was only gone on with is no passage that was written anew, however much was added.
  const start = sameStart(removed, added)
  if (start > 0)
    return [{ kind: "same", text: removed.slice(0, start) }, ...wordsBetween(removed.slice(start), added.slice(start))]
  const whole: ReadonlyArray<Stretch> = [
    { kind: "removed", text: removed },
    { kind: "added", text: added }
  ]
  if (removed === "" || added === "") return whole
  const changes = diffWordsWithSpace(removed, added, { maxEditLength: mostEdits })
  return changes === undefined
    ? whole
    : changes.map(({ added: isAdded, removed: isRemoved, value }) => ({
        kind: isAdded ? "added" : isRemoved ? "removed" : "same",
        text: value
      }))
}

const joined = (stretches: ReadonlyArray<Stretch>): ReadonlyArray<Stretch> => {
  const found: Array<Stretch> = []
  for (const one of stretches) {
    if (one.text === "") continue
    const last = found.at(-1)
    if (last?.kind === one.kind) found[found.length - 1] = { kind: one.kind, text: last.text + one.text }
    else found.push(one)
  }
  return found
}

/**
 * The difference of two instructions: line by line, and word by word where lines were changed. What is the same or
 * removed joins to `before`, what is the same or added to `after`. Bounded: a passage that was rewritten is removed and
 * added whole.
 */
export const instructionDifference = (before: string, after: string): ReadonlyArray<Stretch> => {
  const stretches: Array<Stretch> = []
  let removed = ""
  let added = ""
  const end = () => {
    stretches.push(...wordsBetween(removed, added))
    removed = ""
    added = ""
  }
  for (const change of diffArrays(linesOf(before), linesOf(after))) {
    const text = change.value.join("")
    if (change.removed) removed += text
    else if (change.added) added += text
    else {
      end()
      stretches.push({ kind: "same", text })
    }
  }
  end()
  return joined(stretches)
}
