import { leastPText } from "../confirm/leastP.ts"
import { type Assumed, type PowerMeasures, publishedSource } from "../confirm/power/estimate.ts"
import type { MeasurePower, Needed, PartPower, PowerPlan } from "../confirm/power/planPower.ts"
import type { Assumptions } from "../confirm/power/simulation.ts"
import { pairsCounted } from "../confirm/power/sizes.ts"
import type { ErrorClass } from "../domain/Dataset.ts"
import type { SplitManifest } from "../domain/Split.ts"

/** 24.8 points are told as 25: nobody should read a tenth into a simulation. */
const points = (gain: number): string => `${Math.ceil(gain * 100 - 1e-9)} ${gain <= 0.01 ? "point" : "points"}`
const many = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`

const casesOf = (classes: ReadonlyArray<ErrorClass> | undefined, count: number, other: string): string =>
  classes === undefined
    ? many(count, other)
    : count === 1
      ? `1 ${classes.join(" or ")}`
      : `${count} ${classes.map((one) => `${one}s`).join(" and ")}`

/** What it takes where a part can tell nothing. */
const takes = (needed: ReadonlyArray<Needed>, ceiling: number): string => {
  const known = needed.findLast(({ consultations }) => consultations !== null)
  if (known !== undefined) {
    return `it takes about ${known.consultations!.toLocaleString("en-US")} consultations for one of ${points(known.gain)}`
  }
  return needed.every(({ gain }) => gain > ceiling)
    ? `the baseline leaves room for ${points(ceiling)} at most`
    : "it takes more than 2,000 consultations"
}

/** What a part can tell by one measure, in a sentence. */
const sentenceOf = (
  name: string,
  { cases, ceiling, consultations, gain, leastP, part }: PartPower,
  alpha: number,
  needed: ReadonlyArray<Needed>,
  classes: ReadonlyArray<ErrorClass> | undefined,
  other: string
): string => {
  const having = `With ${many(consultations, `${part} consultation`)} and ${casesOf(classes, cases, other)}`
  const impossible =
    leastP <= alpha
      ? ""
      : `: the smallest p that its test can give is ${leastPText(leastP)}, and at most ${alpha} is asked for`
  return gain === null
    ? `${having} no gain in ${name} can be told on this part${impossible}; ${takes(needed, ceiling)}.`
    : `${having} a gain in ${name} below ${points(gain)} will look like noise.`
}

const enough = ({ consultations, gain }: Needed): string =>
  `${points(gain)} about ${consultations === null ? "more than 2,000" : consultations.toLocaleString("en-US")}`

const adviceOf = (name: string, { needed, parts }: MeasurePower, manifest: SplitManifest): string => {
  const all = manifest.train.length + manifest.acceptance.length + manifest.holdout.length
  const holdout = manifest.holdout.length
  const within = needed.findLast(
    ({ consultations }) => consultations !== null && consultations > holdout && consultations <= 0.8 * all
  )
  const ceiling = parts[0]?.ceiling ?? 1
  const possible = needed.filter(({ gain }) => gain <= ceiling)
  const room =
    possible.length === needed.length
      ? ""
      : ` The baseline leaves room for a gain in ${name} of ${points(ceiling)} at most.`
  if (possible.length === 0) return room.trim()
  const told = `To tell a gain in ${name} of ${possible.map(enough).join(", of ")} consultations are needed in the part; the split has ${all} in all, ${holdout} of them as holdout.${room}`
  if (within !== undefined) {
    return `${told} A holdout of ${Math.ceil((100 * within.consultations!) / all)} % of them would tell ${points(within.gain)}: assize split create --fractions.`
  }
  return possible.every(({ consultations }) => consultations !== null && consultations <= holdout)
    ? told
    : `${told} Other fractions of this split will not give that: it takes more consultations.`
}

const classAdvice = ({ paired }: PowerMeasures, { counts: { holdout } }: SplitManifest): string | undefined => {
  const own = pairsCounted(holdout, paired.classes)
  if (paired.classes === undefined) {
    const [largest] = Object.entries(holdout.class).sort(([, a], [, b]) => b - a)
    return largest === undefined || largest[1] === own
      ? undefined
      : `A gain in one class is diluted by the others. Where the instruction is to help with one, measure fewer classes: ${largest[0]}s alone are ${largest[1]} of the holdout's ${own} pairs, and a gain of 10 points in them is one of ${((10 * largest[1]) / own).toFixed(0)} in all.`
  }
  return own === holdout.pairs
    ? undefined
    : `The measure counts ${own} of the holdout's ${holdout.pairs} pairs. All classes would be more pairs, and a gain in these alone would be diluted by the others.`
}

const assumptionNames: Readonly<Record<keyof Assumptions, string>> = {
  wins: "pairs that the baseline wins",
  ties: "and ties",
  discordance: "pairs on which two equally good judges differ",
  icc: "correlation of the differences within a consultation",
  detection: "flawed notes that the baseline flags",
  scoreCorrelation: "correlation of two judges' scores of a note",
  scoreIcc: "correlation of their differences within a consultation"
}

/** Each assumption, its value and where it comes from. */
export const assumptionRows = ({ from, values }: Assumed): ReadonlyArray<ReadonlyArray<string>> => [
  ["assumed", "value", "from"],
  ...(Object.keys(assumptionNames) as ReadonlyArray<keyof Assumptions>).map((key) => [
    assumptionNames[key],
    values[key].toFixed(3),
    from[key]
  ])
]

/** Everything that a power plan says in words. */
export interface PowerText {
  readonly acceptance: ReadonlyArray<string>
  readonly holdout: ReadonlyArray<string>
  readonly advice: ReadonlyArray<string>
}

export const powerText = (
  { alpha, detection, paired }: PowerPlan,
  measures: PowerMeasures,
  manifest: SplitManifest,
  { from }: Assumed
): PowerText => {
  const of = (part: PartPower["part"]) => [
    ...paired.parts
      .filter((found) => found.part === part)
      .map((found) =>
        sentenceOf("paired discrimination", found, alpha, paired.needed, measures.paired.classes, "pair")
      ),
    ...detection.parts
      .filter((found) => found.part === part)
      .map((found) =>
        sentenceOf("detection", found, alpha, detection.needed, measures.detection.classes, "flawed note")
      )
  ]
  const classes = classAdvice(measures, manifest)
  return {
    acceptance: of("acceptance"),
    holdout: of("holdout"),
    advice: [
      adviceOf("paired discrimination", paired, manifest),
      adviceOf("detection", detection, manifest),
      ...(classes === undefined ? [] : [classes]),
      "All of this is for one judgement of a note by each judge; replicates on the holdout tell a somewhat smaller gain.",
      ...(Object.values(from).includes(publishedSource)
        ? [
            `Where an assumption is from ${publishedSource}, your judge and notes may differ: run the seeds once (assize run), or give scores that you have with --baseline-scores.`
          ]
        : [])
    ]
  }
}
