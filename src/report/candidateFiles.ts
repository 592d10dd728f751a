import { stringify } from "yaml"
import type { Candidate } from "../domain/Candidate.ts"
import { count } from "../domain/count.ts"
import { markFrozen } from "../optimise/frozen.ts"
import type { Remark } from "../optimise/remarks.ts"

export interface Circumstances {
  /** Who wrote it and why, where a person did. */
  readonly human?: Remark | undefined
  /** How many of the acceptance part's notes were judged, where its evaluation was cut short. */
  readonly cut?: { readonly judged: number; readonly notes: number } | undefined
}

/** Where a candidate comes from, in words. */
const provenance = (candidate: Candidate, run: string, { cut, human }: Circumstances): string => {
  const { id, iteration, origin, parents } = candidate
  const made =
    human === undefined
      ? `${origin} of iteration ${iteration}`
      : `written by a person (${human.author}: ${human.reason}) after iteration ${iteration}`
  const from =
    parents.length === 0 ? "" : `, ${human === undefined ? "child of" : "edited from"} ${parents.join(" and ")}`
  const raced =
    cut === undefined ? "" : `; its evaluation was cut short after ${cut.judged} of ${count(cut.notes, "note")}`
  return `candidate ${id} of run ${run}, ${made}${from}${raced}`
}

/**
 * A candidate as seed files: its instruction can start another campaign. One file a module, with its frozen passages
 * marked.
 */
export const candidateFiles = (
  candidate: Candidate,
  run: string,
  design: string,
  circumstances: Circumstances = {}
): ReadonlyArray<readonly [string, string]> => {
  const modules = Object.entries(candidate.instructions)
  return modules.map(([module, instruction]) => {
    const front = stringify({
      name: candidate.name,
      design,
      module,
      provenance: provenance(candidate, run, circumstances)
    })
    // The module's name comes from a judge's design, but a file name is made of what is known to be safe in one.
    const suffix = modules.length === 1 ? "" : `-${module.replace(/[^A-Za-z0-9-]/g, "-")}`
    const text = markFrozen(instruction, candidate.frozen?.[module] ?? [])
    return [`${candidate.id}${suffix}.md`, `---\n${front}---\n${text}\n`] as const
  })
}
