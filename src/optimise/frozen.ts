import type { Candidate, CandidateId } from "../domain/Candidate.ts"

/** Passages of an instruction that must stay as they are. */
export type Passages = ReadonlyArray<string>

/** An instruction with its frozen passages marked, read. */
export interface ReadFrozen {
  /** Without the marks, which no judge sees. */
  readonly instruction: string
  readonly passages: Passages
  /** What is wrong with the marks; `line` counts from 1 in the text given. */
  readonly problems: ReadonlyArray<{ readonly line: number; readonly what: string; readonly hint: string }>
}

const mark = /<!--[ \t]*(\/?)freeze[ \t]*-->/g
const hint = "Put <!-- freeze --> before a passage and <!-- /freeze --> after it, one after the other"

const lineAt = (text: string, position: number): number => text.slice(0, position).split("\n").length

/** Text without marks; a line that held nothing but a mark goes with it. */
const unmarked = (text: string): string =>
  text.replace(/^[ \t]*<!--[ \t]*\/?freeze[ \t]*-->[ \t]*\n/gm, "").replace(mark, "")

/** Reads the marks `<!-- freeze -->` and `<!-- /freeze -->`, in lines of their own or within them. They do not nest. */
export const readFrozen = (text: string): ReadFrozen => {
  const passages: Array<string> = []
  const problems: Array<ReadFrozen["problems"][number]> = []
  let opened: number | undefined
  let openedAt = 0
  for (const found of text.matchAll(mark)) {
    const line = lineAt(text, found.index)
    if (found[1] === "") {
      if (opened !== undefined) problems.push({ line, what: "a passage is frozen within another", hint })
      opened = found.index + found[0].length
      openedAt = line
      continue
    }
    if (opened === undefined) {
      problems.push({ line, what: "the end of a frozen passage has no beginning", hint })
      continue
    }
    const passage = text.slice(opened, found.index).trim()
    if (passage === "") problems.push({ line: openedAt, what: "the frozen passage is empty", hint })
    else passages.push(passage)
    opened = undefined
  }
  if (opened !== undefined) problems.push({ line: openedAt, what: "the frozen passage has no end", hint })
  return { instruction: unmarked(text).trim(), passages, problems }
}

const heading = /^(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*$/

/** The section under a Markdown heading, up to the next of its level or above; undefined where there is no such heading. */
export const sectionNamed = (instruction: string, name: string): string | undefined => {
  const lines = instruction.split("\n")
  const wanted = name.trim().toLowerCase()
  const start = lines.findIndex((line) => heading.exec(line)?.[2]?.toLowerCase() === wanted)
  if (start === -1) return undefined
  const level = heading.exec(lines[start]!)![1]!.length
  const length = lines.slice(start + 1).findIndex((line) => (heading.exec(line)?.[1]?.length ?? 7) <= level)
  return lines
    .slice(start, length === -1 ? undefined : start + 1 + length)
    .join("\n")
    .trim()
}

/** Blanks at the ends of lines are no part of what a passage says. */
const bare = (text: string): string => text.replace(/\r\n?/g, "\n").replace(/[ \t]+$/gm, "")

/** The first passage that the instruction does not hold word for word; undefined where it holds them all. */
export const brokenPassage = (instruction: string, passages: Passages): string | undefined => {
  const text = bare(instruction)
  return passages.find((passage) => !text.includes(bare(passage)))
}

/** The instruction with its frozen passages marked, as a seed file has them. Overlapping passages are marked once. */
export const markFrozen = (instruction: string, passages: Passages): string => {
  const spans = passages
    .flatMap((passage) => {
      const start = instruction.indexOf(passage)
      return start === -1 ? [] : [{ start, end: start + passage.length }]
    })
    .sort((a, b) => a.start - b.start || b.end - a.end)
  let text = ""
  let at = 0
  for (const { end, start } of spans) {
    if (start < at) continue
    text += `${instruction.slice(at, start)}<!-- freeze -->${instruction.slice(start, end)}<!-- /freeze -->`
    at = end
  }
  return text + instruction.slice(at)
}

/**
 * What a child of the parents must keep, as a part of the candidate: by module the passages of them all, or of the one
 * that `choices` says the module's instruction is from.
 */
export const inheritedFrozen = (
  parents: ReadonlyArray<Candidate>,
  choices: Readonly<Record<string, CandidateId>> = {}
): Pick<Candidate, "frozen"> => {
  const frozen: Record<string, ReadonlyArray<string>> = {}
  for (const parent of parents) {
    for (const [module, passages] of Object.entries(parent.frozen ?? {})) {
      if ((choices[module] ?? parent.id) !== parent.id) continue
      frozen[module] = [...new Set([...(frozen[module] ?? []), ...passages])]
    }
  }
  return Object.keys(frozen).length === 0 ? {} : { frozen }
}
