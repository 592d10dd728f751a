import type { JudgeConfig } from "../domain/Campaign.ts"
import { DesignName } from "../domain/DesignName.ts"
import { designOf } from "../judge/designs/registry.ts"
import type { SeedDesigns } from "./seeds.ts"

/** The design of instructions whose file names none. */
const usual: DesignName = "whole-note-score"

/**
 * The judge that goes with a design's name: the campaign's own, with its options, where it is of that design. `samples`
 * given go before the campaign's k.
 */
export const judgeConfigs =
  (campaign: JudgeConfig | undefined, samples: number | undefined) =>
  (name: string): JudgeConfig => {
    const design = DesignName.literals.find((one) => one === name) ?? usual
    const k = samples ?? campaign?.samples ?? 1
    return campaign?.design === design ? { ...campaign, samples: k } : { design, samples: k }
  }

/** What files of instructions are read for: the design that each names; `otherwise` where it names none. */
export const seedDesigns =
  (judgeOf: (name: string) => JudgeConfig, otherwise: string = usual): SeedDesigns =>
  (name) =>
    name === undefined
      ? designOf(judgeOf(otherwise))
      : DesignName.literals.some((one) => one === name)
        ? designOf(judgeOf(name))
        : undefined
