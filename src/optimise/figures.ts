import type { Measure, Objective } from "../domain/Campaign.ts"
import type { ErrorClass } from "../domain/Dataset.ts"
import type { Outcomes } from "../domain/Judgement.ts"
import type { Detection, Discrimination, Figures } from "../domain/RunEvent.ts"
import { intervalOfSums } from "../measure/clusterInterval.ts"
import { auc, countPairs, pairedDiscrimination, pairOutcome } from "../measure/discrimination.ts"
import { operatingPoint } from "../measure/operatingPoint.ts"
import { usualResampling } from "../measure/usualResampling.ts"
import type { TableIndex } from "./itemTable.ts"
import { meanReward, rewards, type Scale, type Standing, standing } from "./rewards.ts"

const defaultCap = 0.1

const ofClasses = (index: TableIndex, classes: ReadonlyArray<ErrorClass> | undefined) =>
  index.pairs.filter((_, pair) => classes === undefined || classes.includes(index.table.pairs[pair]!.class))

/** Scores of the distinct flawed and clean notes of the pairs of the classes. A failed call leaves both rates. */
const sides = (index: TableIndex, stands: Standing, classes: ReadonlyArray<ErrorClass> | undefined) => {
  const pairs = ofClasses(index, classes)
  const scores = (positions: Iterable<number>) =>
    [...new Set(positions)]
      .filter((position) => stands.failed[position] === 0)
      .map((position) => stands.scores[position]!)
  return { flawed: scores(pairs.map(({ flawed }) => flawed)), clean: scores(pairs.map(({ clean }) => clean)) }
}

const discriminationOf = (
  index: TableIndex,
  stands: Standing,
  classes: ReadonlyArray<ErrorClass> | undefined
): Discrimination => {
  const pairs = ofClasses(index, classes)
  const outcomes = pairs.map(({ clean, flawed }) => pairOutcome(stands.scores[flawed]!, stands.scores[clean]!))
  const counts = countPairs(outcomes)
  const numerators = new Array<number>(index.clusters).fill(0)
  const denominators = new Array<number>(index.clusters).fill(0)
  outcomes.forEach((outcome, pair) => {
    if (Number.isNaN(outcome)) return
    const { cluster } = pairs[pair]!
    numerators[cluster]! += outcome
    denominators[cluster]! += 1
  })
  const value = pairedDiscrimination(counts)
  const sums = { numerators, denominators }
  const { interval } = intervalOfSums(sums, { estimate: value, share: true }, usualResampling)
  return { ...counts, value, interval }
}

const detectionRate = (detection: Detection | null) =>
  detection === null ? null : detection.detected / detection.flawed

const detectionOf = (
  index: TableIndex,
  stands: Standing,
  classes: ReadonlyArray<ErrorClass> | undefined,
  cap: number
): Detection | null => {
  const { clean, flawed } = sides(index, stands, classes)
  return operatingPoint(flawed, clean, cap)
}

const valueOf = (index: TableIndex, stands: Standing, measure: Measure): number | null => {
  switch (measure.measure) {
    case "paired-discrimination":
      return pairedDiscrimination(
        countPairs(
          ofClasses(index, measure.classes).map(({ clean, flawed }) =>
            pairOutcome(stands.scores[flawed]!, stands.scores[clean]!)
          )
        )
      )
    case "auc": {
      const { clean, flawed } = sides(index, stands, measure.classes)
      return auc(flawed, clean)
    }
    case "detection":
      return detectionRate(detectionOf(index, stands, measure.classes, measure.maxFalseAlarms))
  }
}

/** The value of a measure alone; null where there is nothing to measure. */
export const measured = (index: TableIndex, outcomes: Outcomes, measure: Measure): number | null =>
  valueOf(index, standing(index, outcomes), measure)

/** Every figure that a run keeps of a candidate, from its outcomes on the notes of the table. */
export const figuresOf = (index: TableIndex, outcomes: Outcomes, objective: Objective, scale: Scale): Figures => {
  const stands = standing(index, outcomes)
  const { primary, secondary } = objective
  const capped = [secondary, primary].find((measure) => measure?.measure === "detection")
  const tags = Object.values(outcomes).map(({ _tag }) => _tag)
  return {
    primary: valueOf(index, stands, primary),
    secondary: secondary === undefined ? null : valueOf(index, stands, secondary),
    discrimination: discriminationOf(index, stands, primary.classes),
    detection: detectionOf(
      index,
      stands,
      (capped ?? primary).classes,
      capped?.measure === "detection" ? capped.maxFalseAlarms : defaultCap
    ),
    reward: meanReward(rewards(index, outcomes, scale)).mean,
    unparsed: tags.filter((tag) => tag === "unparsed").length,
    failed: tags.filter((tag) => tag === "failed").length
  }
}
