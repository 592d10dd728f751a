import { ErrorClass, Trace } from "../domain/Dataset.ts"
import { isThin } from "../measure/clusterInterval.ts"
import type { Gain, Lineage, LineageNode, LineageStep, RejectedProposal, TextSize } from "./Audit.ts"
import type { AuditCandidate } from "./AuditInput.ts"
import { changeOfMean, type Resampling } from "./change.ts"
import { instructionDifference } from "./instructionDifference.ts"
import type { Judged, Measured } from "./judged.ts"

export type Sizer = (text: string) => TextSize

/** Sizes of texts; each text is counted once. Characters as a reader counts them: an emoji is one. */
export const sizer = (tokens: (text: string) => number): Sizer => {
  const known = new Map<string, TextSize>()
  return (text) => {
    const size = known.get(text) ?? { characters: [...text].length, tokens: tokens(text) }
    known.set(text, size)
    return size
  }
}

/** All modules' instructions as one text. */
export const wholeText = ({ instructions }: Pick<AuditCandidate, "instructions">): string =>
  Object.values(instructions).join("\n\n")

/** Each candidate's path by first parents, itself first. A parent that is not known, or that descends from its own child, ends it. */
export const pathsOf = (candidates: ReadonlyArray<AuditCandidate>): ReadonlyMap<string, ReadonlyArray<string>> => {
  const byId = new Map(candidates.map((candidate) => [candidate.id, candidate]))
  return new Map(
    candidates.map(({ id }) => {
      const path: Array<string> = []
      const seen = new Set<string>()
      let at: string | undefined = id
      while (at !== undefined && byId.has(at) && !seen.has(at)) {
        seen.add(at)
        path.push(at)
        at = byId.get(at)!.parents[0]
      }
      return [id, path] as const
    })
  )
}

/** What a step gained on all pairs measured, on each class and on each trace of omissions. */
const gainsOf = (measured: Measured, parent: Judged, child: Judged, options: Resampling): ReadonlyArray<Gain> => {
  const { table } = measured.index
  const gain = (by: Gain["by"], name: string, wanted: (pair: (typeof table.pairs)[number]) => boolean) => {
    const places = measured.pairs.flatMap((pair, at) => (wanted(table.pairs[pair]!) ? [at] : []))
    if (places.length === 0) return []
    const change = changeOfMean(
      {
        before: places.map((at) => parent.outcomes[at]!),
        after: places.map((at) => child.outcomes[at]!),
        cluster: places.map((at) => measured.index.pairs[measured.pairs[at]!]!.cluster)
      },
      options
    )
    return [{ by, name, ...change, thin: isThin({ pairs: change.n, consultations: change.consultations }) }]
  }
  return [
    ...gain("all", "all", () => true),
    ...ErrorClass.literals.flatMap((one) => gain("class", one, (pair) => pair.class === one)),
    ...Trace.literals.flatMap((one) => gain("trace", one, (pair) => pair.trace === one))
  ]
}

export interface LineageInput {
  /** In the order of birth. */
  readonly candidates: ReadonlyArray<AuditCandidate>
  readonly candidate: string
  readonly rejected: ReadonlyArray<RejectedProposal>
  readonly measured: Measured | null
  readonly judged: ReadonlyMap<string, Judged>
  readonly figures: ReadonlyMap<string, { readonly primary: number | null; readonly secondary: number | null }>
  readonly size: Sizer
}

/** The tree from the seeds on, with what each step changed and brought. Method §7.1. */
export const lineageOf = (input: LineageInput, options: Resampling): Lineage => {
  const { candidates, figures, judged, measured, size } = input
  const byId = new Map(candidates.map((candidate) => [candidate.id, candidate]))
  const paths = pathsOf(candidates)
  const sizeOf = (candidate: AuditCandidate) => size(wholeText(candidate))
  const nodes = candidates.map((candidate): LineageNode => {
    const path = paths.get(candidate.id)!
    const own = figures.get(candidate.id)
    const known = judged.get(candidate.id)
    return {
      id: candidate.id,
      name: candidate.name,
      origin: candidate.origin,
      parents: candidate.parents,
      iteration: candidate.iteration,
      depth: path.length - 1,
      seed: path.at(-1)!,
      size: sizeOf(candidate),
      instructions: candidate.instructions,
      primary: own?.primary ?? null,
      secondary: own?.secondary ?? null,
      pairs: known === undefined ? null : known.outcomes.filter((outcome) => !Number.isNaN(outcome)).length,
      figures: candidate.figures ?? {}
    }
  })
  const steps = candidates.flatMap((child) =>
    child.parents.flatMap((id) => {
      const parent = byId.get(id)
      if (parent === undefined) return []
      const [before, after] = [sizeOf(parent), sizeOf(child)]
      const growth = { characters: after.characters - before.characters, tokens: after.tokens - before.tokens }
      const [first, second] = [judged.get(id), judged.get(child.id)]
      const gains =
        measured === null || first === undefined || second === undefined
          ? []
          : gainsOf(measured, first, second, options)
      const modules = [...new Set([...Object.keys(parent.instructions), ...Object.keys(child.instructions)])]
      const changed = modules.filter((module) => parent.instructions[module] !== child.instructions[module])
      return changed.map(
        (module): LineageStep => ({
          parent: id,
          child: child.id,
          module,
          diff: instructionDifference(parent.instructions[module] ?? "", child.instructions[module] ?? ""),
          growth,
          gains
        })
      )
    })
  )
  return { nodes, path: [...(paths.get(input.candidate) ?? [])].reverse(), steps, rejected: input.rejected }
}
