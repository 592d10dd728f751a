import { DesignName } from "../domain/DesignName.ts"
import { type Design, type DesignScale, tenPoints } from "./Design.ts"
import { designOf } from "./designs/registry.ts"

/** The design that a run's settings name; undefined for one that this version has not. */
const named = (design: string): Design | undefined => {
  const name = DesignName.literals.find((one) => one === design)
  return name === undefined ? undefined : designOf({ design: name, samples: 1 })
}

/** The scale of a design by its name, as a run's settings have it. */
export const scaleOf = (design: string): DesignScale => named(design)?.scale ?? tenPoints

/** The fixed words of all prompts of a design by its name: what an instruction need not say again. */
export const fixedWords = (design: string): { readonly preamble: string; readonly contract: string } => {
  const modules = named(design)?.modules ?? []
  const joined = (of: "contract" | "preamble") => [...new Set(modules.map((module) => module[of]))].join("\n")
  return { preamble: joined("preamble"), contract: joined("contract") }
}
