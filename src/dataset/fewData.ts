import type { Problem } from "../domain/InputError.ts"

/** Below either, a share of pairs has an interval so wide, and consultations so much chance, that it settles nothing. */
export const fewest = { consultations: 10, pairs: 30 } as const

/** A warning for data of which no figure says much; `field` names the part. Nothing of data without any pairs. */
export const fewData = (
  field: string,
  counts: { readonly consultations: number; readonly pairs: number }
): ReadonlyArray<Problem> =>
  counts.pairs === 0 || (counts.consultations >= fewest.consultations && counts.pairs >= fewest.pairs)
    ? []
    : [
        {
          field,
          what: `${counts.pairs} ${counts.pairs === 1 ? "pair" : "pairs"} of ${counts.consultations} ${counts.consultations === 1 ? "consultation" : "consultations"}: nothing can be concluded from so few`,
          expected: `at least ${fewest.consultations} consultations and ${fewest.pairs} pairs`
        }
      ]
