import { isFlagged, operatingPoint } from "../measure/operatingPoint.ts"
import type { Change, Separation, SeparationVerdict } from "./Audit.ts"
import { changeOfAuc, changeOfMean, type Resampling, shown } from "./change.ts"
import { type Judged, type Measured, scoresOf } from "./judged.ts"

/** The threshold of a candidate's own operating point under the cap; null without notes on both sides. */
export const ownThreshold = (measured: Measured, judged: Judged, cap: number): number | null =>
  operatingPoint(scoresOf(judged, measured.flawed), scoresOf(judged, measured.clean), cap)?.threshold ?? null

/**
 * What the intervals say, and they alone. A gain (or loss) is one of paired discrimination or of AUC whose interval lies
 * above (below) zero. With a gain, it is the clean notes that must have stayed for `separation`, since a judge that
 * separates better must move the flawed ones; without one, any movement of scores or flags is `relocation`.
 */
export const separationVerdict = ({
  auc,
  flagRate,
  meanScore,
  paired
}: Pick<Separation, "auc" | "flagRate" | "meanScore" | "paired">): SeparationVerdict => {
  const ranks = [shown(paired), shown(auc)]
  if (ranks.every((one) => one === undefined)) return "unknown"
  const moved = (...changes: ReadonlyArray<Change>) => changes.some((change) => (shown(change) ?? 0) !== 0)
  if (ranks.includes(-1)) return ranks.includes(1) ? "neither" : "lost"
  if (ranks.includes(1)) return moved(meanScore.clean, flagRate.clean) ? "both" : "separation"
  return moved(meanScore.all, meanScore.clean, meanScore.flawed, flagRate.all, flagRate.clean, flagRate.flawed)
    ? "relocation"
    : "neither"
}

/** A candidate against its seed on the notes that both judged [OB §6, §B.2], method §7.2. */
export const separationOf = (
  measured: Measured,
  seed: Judged,
  candidate: Judged,
  options: Resampling & { readonly cap: number }
): Separation => {
  const pairCluster = measured.pairs.map((pair) => measured.index.pairs[pair]!.cluster)
  const paired = changeOfMean({ before: seed.outcomes, after: candidate.outcomes, cluster: pairCluster }, options)
  const notes = [...measured.flawed, ...measured.clean]
  const columns = (some: ReadonlyArray<number>, value: (judged: Judged, note: number) => number) => ({
    before: some.map((note) => value(seed, note)),
    after: some.map((note) => value(candidate, note)),
    cluster: some.map((note) => measured.cluster[note]!)
  })
  const score = (judged: Judged, note: number) => judged.scores[note]!
  const auc = changeOfAuc(
    { ...columns(notes, score), flawed: notes.map((_, at) => (at < measured.flawed.length ? 1 : 0)) },
    options
  )
  const threshold = ownThreshold(measured, seed, options.cap)
  // A reply that cannot be read flags nothing; a call that failed says nothing.
  const flag = ({ failed, scores }: Judged, note: number) =>
    failed[note] === 1 || threshold === null ? Number.NaN : Number(isFlagged(scores[note]!, threshold))
  const each = (value: (judged: Judged, note: number) => number) => ({
    all: changeOfMean(columns(notes, value), options),
    flawed: changeOfMean(columns(measured.flawed, value), options),
    clean: changeOfMean(columns(measured.clean, value), options)
  })
  const found = { paired, auc, meanScore: each(score), flagRate: { threshold, ...each(flag) } }
  return {
    candidate: candidate.candidate.id,
    seed: seed.candidate.id,
    ...found,
    verdict: separationVerdict(found)
  }
}
