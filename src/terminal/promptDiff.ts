import { diffLines } from "diff/lib/diff/line.js"
import { diffWordsWithSpace } from "diff/lib/diff/word.js"
import type { Stretch } from "../dataset/difference.ts"
import type { Instructions } from "../domain/Candidate.ts"
import { plain } from "../domain/plain.ts"

/** The changes of one module from the parent's text to the child's. */
export interface ModuleDiff {
  readonly module: string
  /** Safe to draw; ends with a line break. All of one kind `same` where nothing changed. */
  readonly stretches: ReadonlyArray<Stretch>
  readonly changed: boolean
}

/** The changes of a whole prompt. */
export interface PromptDiff {
  readonly modules: ReadonlyArray<ModuleDiff>
  /** Words that only the child has, and that only the parent has. */
  readonly added: number
  readonly removed: number
}

/** A block that takes more edits than this is shown as rewritten: to find them takes seconds, and nobody could read them. */
const mostEdits = 400
/** Of the longer text: with less in common than this, the words that happen to agree only scatter the rest. */
const leastCommon = 0.35

const words = (text: string): number => text.match(/\S+/g)?.length ?? 0

const blockDiff = (before: string, after: string): ReadonlyArray<Stretch> => {
  const rewritten: ReadonlyArray<Stretch> = [
    { kind: "removed", text: before },
    { kind: "added", text: after }
  ]
  const changes = diffWordsWithSpace(before, after, { maxEditLength: mostEdits })
  if (changes === undefined) return rewritten
  const common = changes.reduce((sum, { added, removed, value }) => sum + (added || removed ? 0 : value.length), 0)
  if (common < leastCommon * Math.max(before.length, after.length)) return rewritten
  return changes.map(({ added, removed, value }) => ({
    kind: added ? "added" : removed ? "removed" : "same",
    text: value
  }))
}

/** Lines first, then words within the lines that changed: long prompts are compared in milliseconds. */
const textDiff = (before: string, after: string): ReadonlyArray<Stretch> => {
  const found: Array<Stretch> = []
  // A last line without its line break would differ from the same line with one.
  const changes = diffLines(`${before}\n`, `${after}\n`)
  for (let at = 0; at < changes.length; at++) {
    const { added, removed, value } = changes[at]!
    const next = changes[at + 1]
    if (removed && next?.added) {
      found.push(...blockDiff(value, next.value))
      at++
    } else found.push({ kind: added ? "added" : removed ? "removed" : "same", text: value })
  }
  return found
}

const compare = (before: Instructions, after: Instructions): PromptDiff => {
  const names = [...new Set([...Object.keys(after), ...Object.keys(before)])]
  const modules = names.map((module): ModuleDiff => {
    const [old, now] = [plain(before[module] ?? ""), plain(after[module] ?? "")]
    const changed = old !== now
    return { module, changed, stretches: changed ? textDiff(old, now) : [{ kind: "same", text: `${now}\n` }] }
  })
  const count = (kind: Stretch["kind"]) =>
    modules.reduce(
      (sum, { stretches }) => sum + stretches.reduce((all, one) => all + (one.kind === kind ? words(one.text) : 0), 0),
      0
    )
  return { modules, added: count("added"), removed: count("removed") }
}

const known: Array<{ readonly before: Instructions; readonly after: Instructions; readonly diff: PromptDiff }> = []

/** From the parent's instructions to the child's, module by module. The last few are kept: a view asks at each tick. */
export const promptDiff = (before: Instructions, after: Instructions): PromptDiff => {
  const found = known.find((one) => one.before === before && one.after === after)
  if (found !== undefined) return found.diff
  const diff = compare(before, after)
  known.push({ before, after, diff })
  if (known.length > 8) known.shift()
  return diff
}
