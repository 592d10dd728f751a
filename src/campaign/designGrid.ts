import * as Effect from "effect/Effect"
import type { JudgeConfig } from "../domain/Campaign.ts"
import { DesignName } from "../domain/DesignName.ts"
import { type InputError, inputError, showValue } from "../domain/InputError.ts"
import { designOf } from "../judge/designs/registry.ts"
import { defaultInstructions } from "./candidates.ts"
import type { JudgeToScore } from "./scoreJudges.ts"

/** The designs that a list with commas names, or all; an error where one is none. */
export const parseDesigns = (text: string): Effect.Effect<ReadonlyArray<DesignName>, InputError> => {
  const names = [...new Set(text.split(",").map((name) => name.trim()))]
  if (names.length === 1 && names[0] === "all") return Effect.succeed(DesignName.literals)
  const known: ReadonlyArray<string> = DesignName.literals
  const bad = names.filter((name) => !known.includes(name))
  return bad.length === 0
    ? Effect.succeed(names as ReadonlyArray<DesignName>)
    : Effect.fail(
        inputError({
          field: "--designs",
          what: "is no design of a judge",
          found: showValue(bad.join(",")),
          expected: `all, or some of ${known.join(", ")}`
        })
      )
}

/**
 * The judges that a comparison of designs takes: each wording of a design at each number of samples, all modules with the
 * design's own instructions where the wording has none. `samples` given holds for all. A judge is called
 * `DESIGN[, WORDING][, k = K]`.
 */
export const judgesOfDesigns = (
  names: ReadonlyArray<DesignName>,
  judgeOf: (design: string) => JudgeConfig,
  samples: number | undefined
): ReadonlyArray<JudgeToScore> =>
  names.flatMap((name) => {
    const judge = judgeOf(name)
    const design = designOf(judge)
    const wordings = design.wordings.length === 0 ? [{ name: "", instructions: {} }] : design.wordings
    const repeats = samples === undefined ? design.repeats : [samples]
    return wordings.flatMap((wording) =>
      repeats.map((k) => ({
        name: [name, wording.name, repeats.length === 1 && k === 1 ? "" : `k = ${k}`]
          .filter((part) => part !== "")
          .join(", "),
        judge: { ...judge, samples: k },
        instructions: { ...defaultInstructions(design), ...wording.instructions }
      }))
    )
  })
