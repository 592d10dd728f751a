import { weightedIndex } from "../../../domain/Random.ts"
import type { Skill } from "../instruction.ts"
import { leftAsideBy, readInstruction } from "../instruction.ts"
import { draw, pick } from "../noise.ts"
import { sentences } from "../text/tokens.ts"
import type { Need } from "./needs.ts"
import { openings, wordings } from "./wordings.ts"

export const paragraphsOf = (instruction: string): ReadonlyArray<string> =>
  instruction
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== "")

/** How many skills one revision adds at least and at most. */
const skillsAdded = { least: 2, most: 4 } as const

/** The needs that this revision serves, drawn in proportion to their weights. */
export const chosen = (needs: ReadonlyArray<Need>, seed: number): ReadonlyArray<Skill> => {
  const { least, most } = skillsAdded
  const count = least + Math.floor(draw(seed, "how many skills") * (most - least + 1))
  const left = needs.filter((need) => need.weight > 0)
  const taken: Array<Skill> = []
  while (taken.length < count && left.length > 0) {
    const weights = left.map((need) => need.weight ** 1.5)
    const index = weightedIndex(weights, draw(seed, `need ${taken.length}`))
    taken.push(left.splice(index, 1)[0]!.skill)
  }
  return taken
}

const paragraphFor = (skill: Skill, seed: number, current: string): string => {
  const fresh = wordings[skill].filter((wording) => !current.includes(wording))
  return pick(fresh.length > 0 ? fresh : wordings[skill], seed, `wording of ${skill}`)
}

/** The instruction without the sentences that say to leave aside what is now called for. */
const withoutObjections = (instruction: string, skills: ReadonlyArray<Skill>): string =>
  paragraphsOf(instruction)
    .map((paragraph) =>
      sentences(paragraph)
        .filter((sentence) => !leftAsideBy(sentence).some((skill) => skills.includes(skill)))
        .join(" ")
    )
    .filter((paragraph) => paragraph !== "")
    .join("\n\n")

const canonicalOrder = Object.keys(wordings) as ReadonlyArray<Skill>

/** The current instruction with a paragraph for each of the skills. */
export const extended = (instruction: string, skills: ReadonlyArray<Skill>, seed: number): string => {
  const base = skills.some((skill) => readInstruction(instruction).suppressed.has(skill))
    ? withoutObjections(instruction, skills)
    : instruction.trim()
  return [base, ...skills.map((skill) => paragraphFor(skill, seed, base))].filter((part) => part !== "").join("\n\n")
}

/** A fresh instruction that asks for all that the current one asks for and for the skills, in a sensible order. */
export const rewritten = (instruction: string, skills: ReadonlyArray<Skill>, seed: number): string => {
  const reading = readInstruction(instruction)
  const all = canonicalOrder.filter((skill) => skills.includes(skill) || reading.asked(skill) >= 0.6)
  return [pick(openings, seed, "opening"), ...all.map((skill) => paragraphFor(skill, seed, ""))].join("\n\n")
}

/** The current instruction with two neighbouring paragraphs joined, and the skills added. */
export const joined = (instruction: string, skills: ReadonlyArray<Skill>, seed: number): string => {
  const paragraphs = [...paragraphsOf(instruction)]
  if (paragraphs.length < 3) return extended(instruction, skills, seed)
  const at = 1 + Math.floor(draw(seed, "where to join") * (paragraphs.length - 2))
  paragraphs.splice(at, 2, `${paragraphs[at]} ${paragraphs[at + 1]}`)
  return extended(paragraphs.join("\n\n"), skills, seed)
}

/** The instruction within the limit: written compactly if that helps, else without its last paragraphs. */
export const fitted = (instruction: string, limit: number, seed: number): string => {
  if (instruction.length <= limit) return instruction
  const compact = rewritten(instruction, [], seed)
  const paragraphs = [...paragraphsOf(compact.length < instruction.length ? compact : instruction)]
  while (paragraphs.length > 1 && paragraphs.join("\n\n").length > limit) paragraphs.pop()
  return paragraphs.join("\n\n").slice(0, limit)
}
