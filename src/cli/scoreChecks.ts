import * as Effect from "effect/Effect"
import { type InputError, inputError, showValue } from "../domain/InputError.ts"

/** Refuses thresholds that are not of all judges. */
export const checkJudgeThresholds = (
  judges: ReadonlyArray<string>,
  threshold: number | ReadonlyMap<string, number> | undefined
): Effect.Effect<void, InputError> => {
  const without = typeof threshold === "object" ? judges.filter((name) => !threshold.has(name)) : []
  if (without.length === 0) return Effect.void
  return Effect.fail(
    inputError({
      field: "--threshold-from",
      what: `gives no threshold for ${without.map((name) => showValue(name)).join(", ")}`,
      hint: "Judges go by their names, which must be the same in both"
    })
  )
}
