import type { Target } from "../domain/Campaign.ts"
import { candidateId, type Instructions } from "../domain/Candidate.ts"
import { type Problem, showValue } from "../domain/InputError.ts"
import type { Design, NamedInstructions } from "../judge/Design.ts"
import type { Seed } from "./seeds.ts"

export const defaultInstructions = ({ modules }: Pick<Design, "modules">): Instructions =>
  Object.fromEntries(modules.map(({ instruction, name }) => [name, instruction]))

/** A starting point: an instruction for every module of the design. */
export interface SeedGroup extends NamedInstructions {
  /** The files that it was made from; none where all instructions are the design's own. */
  readonly seeds: ReadonlyArray<Seed>
}

/**
 * Seeds of one name are one starting point, whose other modules follow the design's own instructions. A seed of a module
 * outside `targets` holds for all of them, in the place of the design's own. Seeds of several modules that say what the
 * design says anyway, as the shipped ones do, are one starting point together.
 */
export const seedGroups = (
  design: Pick<Design, "modules">,
  seeds: ReadonlyArray<Seed>,
  targets: ReadonlyArray<string>
): ReadonlyArray<SeedGroup> => {
  const fixed = seeds.filter(({ module }) => !targets.includes(module))
  const evolving = seeds.filter(({ module }) => targets.includes(module))
  const instructionsOf = (some: ReadonlyArray<Seed>): Instructions => ({
    ...defaultInstructions(design),
    ...Object.fromEntries(some.map(({ instruction, module }) => [module, instruction]))
  })
  if (evolving.length === 0) return [{ name: "default", instructions: instructionsOf(fixed), seeds: fixed }]
  const plain = candidateId(instructionsOf(fixed))
  let hasPlain = false
  return [...Map.groupBy(evolving, ({ name }) => name)].flatMap(([name, own]) => {
    const instructions = instructionsOf([...fixed, ...own])
    if (candidateId(instructions) === plain) {
      if (hasPlain) return []
      hasPlain = true
    }
    return [{ name, instructions, seeds: own }]
  })
}

/** The modules that evolve: those of the target, else those that seeds are of, in the order of the design. */
export const targetModules = (
  design: Pick<Design, "modules">,
  target: Target | undefined,
  seeds: ReadonlyArray<Seed>
): ReadonlyArray<string> => {
  if (target !== undefined) return "module" in target ? [target.module] : [...new Set(target.modules)]
  return design.modules.map(({ name }) => name).filter((name) => seeds.some(({ module }) => module === name))
}

/** Modules that the design has not, and modules outside the target with several seeds. */
export const targetProblems = (
  file: string,
  design: Design,
  seeds: ReadonlyArray<Seed>,
  targets: ReadonlyArray<string>
): ReadonlyArray<Problem> => {
  const known = design.modules.map(({ name }) => name)
  const several = [...Map.groupBy(seeds, ({ module }) => module)].filter(
    ([module, own]) => !targets.includes(module) && own.length > 1
  )
  return [
    ...targets
      .filter((name) => !known.includes(name))
      .map((name) => ({
        file,
        field: "target",
        what: `the judge's design ${design.name} has no such module`,
        found: showValue(name),
        expected: known.map((one) => showValue(one)).join(", ")
      })),
    ...several.map(([module, own]) => ({
      file,
      field: "seeds",
      what: `the module ${module} does not evolve, and ${own.length} seeds are for it`,
      found: own.map(({ name }) => showValue(name)).join(", "),
      expected: "one, or the module in target"
    }))
  ]
}
