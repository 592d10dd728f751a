import { stringify } from "yaml"
import type { Candidate } from "../domain/Candidate.ts"
import { markFrozen } from "../optimise/frozen.ts"
import type { Remark } from "../optimise/remarks.ts"

/** Where a candidate comes from, in words. `human`: who wrote it and why, where a person did. */
const provenance = (candidate: Candidate, run: string, human: Remark | undefined): string => {
  const { id, iteration, origin, parents } = candidate
  const made =
    human === undefined
      ? `${origin} of iteration ${iteration}`
      : `written by a person (${human.author}: ${human.reason}) after iteration ${iteration}`
  const from =
    parents.length === 0 ? "" : `, ${human === undefined ? "child of" : "edited from"} ${parents.join(" and ")}`
  return `candidate ${id} of run ${run}, ${made}${from}`
}

/**
 * A candidate as seed files: its instruction can start another campaign. One file a module, with its frozen passages
 * marked.
 */
export const candidateFiles = (
  candidate: Candidate,
  run: string,
  design: string,
  human?: Remark
): ReadonlyArray<readonly [string, string]> => {
  const modules = Object.entries(candidate.instructions)
  return modules.map(([module, instruction]) => {
    const front = stringify({ name: candidate.name, design, module, provenance: provenance(candidate, run, human) })
    // The module's name comes from a judge's design, but a file name is made of what is known to be safe in one.
    const suffix = modules.length === 1 ? "" : `-${module.replace(/[^A-Za-z0-9-]/g, "-")}`
    const text = markFrozen(instruction, candidate.frozen?.[module] ?? [])
    return [`${candidate.id}${suffix}.md`, `---\n${front}---\n${text}\n`] as const
  })
}
