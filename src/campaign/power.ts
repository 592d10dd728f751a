import type { PowerMeasures } from "../confirm/power/estimate.ts"
import type { PowerPart } from "../confirm/power/planPower.ts"
import { type ConsultationSize, pairsCounted, supposed } from "../confirm/power/sizes.ts"
import type { Measure, Objective } from "../domain/Campaign.ts"
import type { ErrorClass } from "../domain/Dataset.ts"
import type { ItemSet } from "../domain/Item.ts"
import type { Prepared } from "./prepare.ts"

/** The cap where no measure of the campaign names one [OB §4.1]. */
const usualCap = 0.1

const classes = (measure: Measure): { readonly classes?: ReadonlyArray<ErrorClass> } =>
  measure.classes === undefined ? {} : { classes: measure.classes }

/** The campaign's own measures of the two kinds; one that it does not have is of the classes of its primary measure. */
export const powerMeasures = ({ primary, secondary }: Objective): PowerMeasures => {
  const named = [primary, ...(secondary === undefined ? [] : [secondary])]
  const paired = named.find(({ measure }) => measure === "paired-discrimination") ?? primary
  const detection = named.find((one) => one.measure === "detection")
  return {
    paired: classes(paired),
    detection: { ...classes(detection ?? primary), cap: detection?.maxFalseAlarms ?? usualCap }
  }
}

/** What of each consultation the two measures count. */
const sizesOf = ({ instances, items, pairs }: ItemSet, measures: PowerMeasures): ReadonlyArray<ConsultationSize> => {
  const has = (wanted: ReadonlyArray<ErrorClass> | undefined, one: ErrorClass) => wanted?.includes(one) ?? true
  const byConsultation = Map.groupBy(pairs, ({ consultation }) => consultation)
  const clean = Map.groupBy(
    new Set(instances.filter(({ kind }) => kind === "clean").map(({ item }) => item)),
    (item) => items[item]!.consultation
  )
  return byConsultation
    .entries()
    .map(([consultation, own]) => ({
      pairs: own.filter((pair) => has(measures.paired.classes, pair.class)).length,
      flawed: new Set(own.filter((pair) => has(measures.detection.classes, pair.class)).map(({ flawed }) => flawed))
        .size,
      clean: clean.get(consultation)?.length ?? 0
    }))
    .toArray()
}

/** The two parts that a gain is looked for on. Of the holdout only what the manifest counts is known. */
export const powerParts = ({ manifest, task }: Prepared, measures: PowerMeasures): ReadonlyArray<PowerPart> => {
  const acceptance = sizesOf(task.acceptance, measures)
  const { holdout } = manifest.counts
  return [
    { part: "acceptance", consultations: acceptance },
    {
      part: "holdout",
      consultations: supposed([...acceptance, ...sizesOf(task.train, measures)], {
        consultations: holdout.consultations,
        pairs: pairsCounted(holdout, measures.paired.classes),
        flawed: pairsCounted(holdout, measures.detection.classes)
      })
    }
  ]
}
