import { mulberry32 } from "../domain/Random.ts"
import { inClusterOrder } from "../statistics/clusterOrder.ts"
import { type ClusterInterval, intervalOfResamples } from "./clusterInterval.ts"

/** A judge's verdict on a criterion beside the labels of physicians, each of them a case of its own. */
export interface LabelledVerdict {
  /** The unit of independence: the prompt. */
  readonly cluster: string
  readonly met: boolean
  /** One at least. */
  readonly labels: ReadonlyArray<boolean>
}

interface Counts {
  /** The judge says met, and not met, where the label is met; the same where it is not. */
  readonly metMet: number
  readonly missed: number
  readonly metWrongly: number
  readonly notNot: number
}

export interface AgreementFigures {
  readonly cases: number
  readonly counts: Counts
  readonly rawAgreement: number | null
  /** Cohen's κ of the judge's verdicts and the labels. */
  readonly kappa: number | null
  /** Of "met", and of "not met"; 0 when nothing was right, null without such a case. */
  readonly f1Met: number | null
  readonly f1NotMet: number | null
  /** Mean of the two: the balanced F1 of HealthBench's meta-evaluation. Null unless both exist. */
  readonly macroF1: number | null
}

export interface LabelAgreement {
  readonly verdicts: number
  readonly clusters: number
  /** Each label of each physician is a case. */
  readonly pairwise: AgreementFigures & { readonly intervals: Readonly<Record<AgreementName, ClusterInterval>> }
  /** Against the majority; ties are left out. */
  readonly majority: AgreementFigures & {
    readonly ties: number
    readonly intervals: Readonly<Record<AgreementName, ClusterInterval>>
  }
  /** Share of the pairs of physicians of one verdict whose labels agree: what a judge is to be held against. */
  readonly physicians: { readonly pairs: number; readonly rawAgreement: number | null }
}

const names = ["rawAgreement", "kappa", "f1Met", "f1NotMet", "macroF1"] as const
export type AgreementName = (typeof names)[number]

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

const figuresOf = (counts: Counts): AgreementFigures => {
  const { metMet, metWrongly, missed, notNot } = counts
  const cases = metMet + missed + metWrongly + notNot
  const f1Met = share(2 * metMet, 2 * metMet + missed + metWrongly)
  const f1NotMet = share(2 * notNot, 2 * notNot + missed + metWrongly)
  const agreed = share(metMet + notNot, cases)
  const byChance =
    cases === 0
      ? 1
      : ((metMet + metWrongly) * (metMet + missed) + (missed + notNot) * (metWrongly + notNot)) / cases ** 2
  return {
    cases,
    counts,
    rawAgreement: agreed,
    kappa: agreed === null || byChance === 1 ? null : (agreed - byChance) / (1 - byChance),
    f1Met,
    f1NotMet,
    macroF1: f1Met === null || f1NotMet === null ? null : (f1Met + f1NotMet) / 2
  }
}

interface Case {
  readonly cluster: string
  readonly met: boolean
  readonly label: boolean
}

/** The four counts of each cluster, side by side, in the clusters' order. */
const tally = (cases: ReadonlyArray<Case>) => {
  const rows = new Map<string, [number, number, number, number]>()
  for (const { cluster, label, met } of cases) {
    const row = rows.get(cluster) ?? [0, 0, 0, 0]
    row[label ? (met ? 0 : 1) : met ? 2 : 3] += 1
    rows.set(cluster, row)
  }
  return inClusterOrder(rows.keys()).map((cluster) => rows.get(cluster)!)
}

const countsOf = (rows: Iterable<readonly [number, number, number, number]>): Counts => {
  const counts = { metMet: 0, missed: 0, metWrongly: 0, notNot: 0 }
  for (const [metMet, missed, metWrongly, notNot] of rows) {
    counts.metMet += metMet
    counts.missed += missed
    counts.metWrongly += metWrongly
    counts.notNot += notNot
  }
  return counts
}

const measured = (
  cases: ReadonlyArray<Case>,
  { resamples, seed }: { readonly seed: number; readonly resamples: number }
) => {
  const rows = tally(cases)
  const figures = figuresOf(countsOf(rows))
  const next = mulberry32(seed)
  const values = Object.fromEntries(
    names.map((name) => [name, new Float64Array(resamples).fill(Number.NaN)])
  ) as Record<AgreementName, Float64Array>
  for (let resample = 0; rows.length > 0 && resample < resamples; resample++) {
    const drawn = figuresOf(countsOf(Array.from({ length: rows.length }, () => rows[(next() * rows.length) | 0]!)))
    for (const name of names) values[name][resample] = drawn[name] ?? Number.NaN
  }
  const intervals = Object.fromEntries(
    names.map((name) => [
      name,
      intervalOfResamples(values[name], {
        estimate: figures[name],
        consultations: rows.length,
        share: name === "rawAgreement"
      })
    ])
  ) as Record<AgreementName, ClusterInterval>
  return { ...figures, intervals }
}

/**
 * How far a judge's met and not-met verdicts agree with physicians' labels: raw agreement, κ and F1, pairwise (every label
 * a case, as HealthBench's meta-evaluation has it) and against the majority, with 95 % intervals by a bootstrap of
 * clusters.
 */
export const labelAgreement = (
  verdicts: ReadonlyArray<LabelledVerdict>,
  options: { readonly seed: number; readonly resamples: number }
): LabelAgreement => {
  const pairwise = verdicts.flatMap(({ cluster, labels, met }) =>
    labels.map((label): Case => ({ cluster, met, label }))
  )
  let ties = 0
  let pairs = 0
  let agreeing = 0
  const majority: Array<Case> = []
  for (const { cluster, labels, met } of verdicts) {
    const yes = labels.filter(Boolean).length
    const no = labels.length - yes
    pairs += (labels.length * (labels.length - 1)) / 2
    agreeing += (yes * (yes - 1) + no * (no - 1)) / 2
    if (yes === no) ties++
    else majority.push({ cluster, met, label: yes > no })
  }
  return {
    verdicts: verdicts.length,
    clusters: new Set(verdicts.map(({ cluster }) => cluster)).size,
    pairwise: measured(pairwise, options),
    majority: { ...measured(majority, options), ties },
    physicians: { pairs, rawAgreement: share(agreeing, pairs) }
  }
}
