import type { Rescues } from "../measure/rescues.ts"
import { none, plural, type Section, withBounds } from "./scoreFormat.ts"

const number = (value: number): string => String(Number(value.toFixed(2)))

/** `0.250 [0.100, 0.400] of 12`: the share refused of the rescues that were tried. */
export const rescuesText = (rescues: Rescues | null): string =>
  rescues === null
    ? none
    : rescues.share === null
      ? "none tried"
      : `${withBounds(rescues.share, rescues)} of ${number(rescues.tried)}`

export const rescuesRemark =
  "rescues refused: of the absent facts for which the second look quoted words, those whose words the note does not hold (they stay absent); means over the samples of a note; the bootstrap resamples consultations with any"

/** The same in a sentence, with every n. */
export const rescuesSentence = (rescues: Rescues): string =>
  `rescues refused: ${number(rescues.refused)} of ${number(rescues.tried)} that the second look tried${rescues.share === null ? "" : `, ${withBounds(rescues.share, rescues)}`}, over ${plural(rescues.judgements, "judgement")}; tried in ${plural(rescues.consultations, "consultation")}`

/** Those of several judges; no section where none of them looks twice. */
export const rescuesSections = (
  judges: ReadonlyArray<{ readonly judge: string; readonly rescues: Rescues | null }>
): ReadonlyArray<Section> =>
  judges.every(({ rescues }) => rescues === null)
    ? []
    : [
        {
          title: "Rescues refused",
          rows: [
            ["judge", "refused", "tried", "share [95 %]", "judgements", "consultations"],
            ...judges.map(({ judge, rescues }) =>
              rescues === null
                ? [judge, none, none, none, none, none]
                : [
                    judge,
                    number(rescues.refused),
                    number(rescues.tried),
                    rescues.share === null ? none : withBounds(rescues.share, rescues),
                    rescues.judgements,
                    rescues.consultations
                  ]
            )
          ],
          remarks: [rescuesRemark]
        }
      ]
