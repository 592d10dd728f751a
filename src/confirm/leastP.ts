import type { Problem } from "../domain/InputError.ts"
import type { Preregistration, PrimaryTest } from "../domain/Preregistration.ts"
import type { SplitManifest } from "../domain/Split.ts"
import { leastSwapP } from "../measure/swapTail.ts"
import { leastFlipP } from "../statistics/signFlip.ts"
import { pairsCounted } from "./power/sizes.ts"

/** The smallest two-sided p that the test of a measure can give on so many consultations, whatever the judges do. */
export const leastP = (test: PrimaryTest, consultations: number): number =>
  test === "cluster-swap" ? leastFlipP(consultations) : leastSwapP(consultations)

/** Beyond this no p gets smaller by one more. */
const mostConsultations = 1100

/** The fewest consultations on which the test can give p of at most alpha; null where no number is enough. */
export const fewestConsultations = (test: PrimaryTest, alpha: number): number | null => {
  for (let consultations = 1; consultations <= mostConsultations; consultations++)
    if (leastP(test, consultations) <= alpha) return consultations
  return null
}

/** What a part's test could come to at best. */
export interface TestLimit {
  /** At most so many consultations have something that the measure counts. */
  readonly consultations: number
  /** The smallest p that is possible. */
  readonly leastP: number
  readonly alpha: number
  /** Whether that is at most alpha; else the gate is lost before anything is judged. */
  readonly reachable: boolean
  /** Consultations from which on it could be; null where none are enough. */
  readonly fewest: number | null
}

/** The limit of a pre-registration's primary test on its split's holdout, from the manifest's counts alone. */
export const holdoutLimit = (
  { counts: { holdout } }: Pick<SplitManifest, "counts">,
  { primary, tests }: Pick<Preregistration, "primary" | "tests">
): TestLimit => {
  // A test that swaps scores counts the clean notes of all consultations, one that flips signs those with a pair alone.
  const consultations =
    tests.primary === "cluster-swap"
      ? Math.min(holdout.consultations, pairsCounted(holdout, primary.classes))
      : holdout.consultations
  const least = leastP(tests.primary, consultations)
  return {
    consultations,
    leastP: least,
    alpha: tests.alpha,
    reachable: least <= tests.alpha,
    fewest: fewestConsultations(tests.primary, tests.alpha)
  }
}

/** A p as it is told: 0.0625, 0.00781. */
export const leastPText = (p: number): string => String(Number(p.toPrecision(3)))

/** What is said of a holdout on which the gate cannot be passed; nothing where it can. */
export const limitWarnings = (
  { alpha, consultations, fewest, leastP: least, reachable }: TestLimit,
  file: string
): ReadonlyArray<Problem> =>
  reachable
    ? []
    : [
        {
          file,
          what: `the holdout is too small to confirm anything: the smallest two-sided p that its test can give on ${consultations === 1 ? "1 consultation" : `${consultations} consultations`} is ${leastPText(least)}, and at most ${alpha} is asked for, so the gate cannot be passed whatever the judges do`,
          hint: `${fewest === null ? "No number of consultations is enough for this alpha" : `It takes ${fewest} consultations at least, and more for a gain of a likely size: assize plan CAMPAIGN says how many`}. Split more consultations, or give the holdout a larger share: assize split create --fractions`
        }
      ]
