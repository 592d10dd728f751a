import { clusterMeanSignFlip, clusterSwap } from "../statistics/clusterPermutation.ts"
import { signTest } from "../statistics/signTest.ts"
import { type ClusterInterval, intervalOfSums, isThin, noInterval } from "./clusterInterval.ts"
import { detectionSwap } from "./detectionSwap.ts"
import type { PairCounts } from "./discrimination.ts"
import { type FigureOptions, givenThreshold } from "./judgeFigures.ts"
import { type OperatingFigure, operatingFigure } from "./operatingFigure.ts"
import { isFlagged } from "./operatingPoint.ts"
import { type ScoredTwice, swapDesign } from "./rankedTwice.ts"
import {
  matched,
  meanOutcomes,
  type ReplicateDifference,
  replicateDifferences,
  sharedReplicateDenominator
} from "./replicateOutcomes.ts"
import { clusterSums, distinctNotes, type JudgedNotes, type NoteSet, pairsOf, select, valuesOf } from "./scoredNotes.ts"
import { weightedDetectionDifference, weightedInterval } from "./weightedDifferences.ts"

/** A p-value of a comparison, and the same after Holm over the comparisons that were made together. */
export interface Test {
  readonly p: number
  readonly holm: number
}

/** Flags of two judges on the same notes. */
export interface FlagTest extends Test {
  readonly notes: number
  /** Notes that only `a`, and only `b`, flags. */
  readonly onlyA: number
  readonly onlyB: number
}

interface PermutationTest extends Test {
  readonly statistic: number
  readonly clusters: number
  readonly exact: boolean
  readonly arrangements: number
}

interface Side {
  readonly judge: string
  /** The first that both sides have, which operating point and flags are of; the first where no name is shared. */
  readonly replicate: string
  readonly replicates: ReadonlyArray<string>
  /** Over the pairs' mean outcomes: a win above ½, a tie at ½, a loss below. With one replicate these are its own. */
  readonly paired: PairCounts & { readonly value: number | null }
  /** Of `replicate`, on the notes that those of both sides judged; each side's own. */
  readonly operating: OperatingFigure | null
}

/** Two judges on the same notes: `a` against `b`. Differences are `a` less `b`. */
export interface JudgeComparison {
  readonly a: Side
  readonly b: Side
  /** Pairs that both could rank, and the pairs of the classes that are left out: not judged by both, or without a readable score. */
  readonly pairs: number
  readonly consultations: number
  readonly leftOut: { readonly notJudged: number; readonly unparsed: number }
  /** Fewer than 30 pairs or 10 consultations. */
  readonly thin: boolean
  /** Of each pair's mean outcome over the replicates in which it could be ranked, of each judge. */
  readonly paired: ClusterInterval & {
    readonly difference: number | null
    /** Pairs that `a` ranks better than `b`, worse, and alike. */
    readonly better: number
    readonly worse: number
    readonly same: number
    /** Exact, on the discordant pairs, taken as independent. Null without a pair. */
    readonly signTest: Test | null
    /** On the mean difference over consultations. Null without a pair. */
    readonly signFlip: PermutationTest | null
    /** On the difference of the means over pairs. Null without a pair. */
    readonly swap: PermutationTest | null
    /** Each replicate of `a` against its own of `b`: of the same name, or by their order where names differ. */
    readonly replicates: ReadonlyArray<ReplicateDifference>
  }
  /**
   * Of `replicate` of each side. Where both thresholds are fitted, the interval has them chosen anew in each resample: with
   * those of the data held, one of three of such intervals misses nought between equal judges. Null without a pair to
   * compare.
   */
  readonly detection:
    | (ClusterInterval & {
        readonly difference: number | null
        /** Both thresholds chosen anew in each arrangement. Null where a threshold was given, or if not asked for. */
        readonly swap: PermutationTest | null
        /** Exact, on the flawed notes; takes the thresholds as given. */
        readonly mcnemar: FlagTest
        /** The same on the clean notes: false alarms. */
        readonly falseAlarms: FlagTest
      })
    | null
}

const permutation = (
  result: { statistic: number; clusters: number; exact: boolean; arrangements: number; p: number } | null
): PermutationTest | null =>
  result === null
    ? null
    : {
        statistic: result.statistic,
        clusters: result.clusters,
        exact: result.exact,
        arrangements: result.arrangements,
        p: result.p,
        holm: result.p
      }

export interface ComparisonOptions extends FigureOptions {
  /** Whether detection has its swap test and interval where thresholds are fitted; true when left out. */
  readonly detectionTests?: boolean
}

/** Draws of a permutation test over so many consultations: 100,000, fewer where that would take minutes. */
const drawsFor = (consultations: number): number =>
  Math.min(100_000, Math.max(1000, Math.floor(2e7 / Math.max(1, consultations))))

/** The nearest multiple of ½; the value itself where it is none. */
const wholeHalves = (value: number): number => {
  const near = Math.round(2 * value) / 2
  return Math.abs(near - value) < 1e-9 ? near : value
}

/** With more notes than this arrangements and resamples take long, and thresholds that were fitted on so many are hardly chance. */
const mostSwapped = 200_000

/**
 * Compares two judges over the notes that both judged. Paired figures and tests are of each pair's mean outcome over the
 * replicates in which it could be ranked; flags are of the first replicate that both have, or of the first of each where
 * no name is shared, at each side's own operating point, by McNemar's exact test, which is a sign test.
 * `a` and `b` hold the replicates of one judge each, one at least. Adjusted p-values are those of a family of one: see
 * `adjusted`. Method §4.
 */
export const compareJudges = (
  set: NoteSet,
  a: ReadonlyArray<JudgedNotes>,
  b: ReadonlyArray<JudgedNotes>,
  options: ComparisonOptions
): JudgeComparison => {
  const [first] = matched(a, b)
  if (first === undefined) throw new RangeError("a comparison of a judge without a replicate")
  const [firstA, firstB] = first
  const { clean, flawed } = set.pairs
  const wanted = pairsOf(set, options.classes)
  const judgedBy = (runs: ReadonlyArray<JudgedNotes>, pair: number) =>
    runs.some(({ judged }) => judged[flawed[pair]!] === 1 && judged[clean[pair]!] === 1)
  const judged = select(wanted, (pair) => judgedBy(a, pair) && judgedBy(b, pair))
  const outcomes = [meanOutcomes(set, a, judged), meanOutcomes(set, b, judged)] as const
  const isKept = (_: unknown, at: number) => !Number.isNaN(outcomes[0][at]!) && !Number.isNaN(outcomes[1][at]!)
  const pairs = judged.filter(isKept)
  const [firsts, seconds] = [outcomes[0].filter(isKept), outcomes[1].filter(isKept)]
  const differences = firsts.map((first, at) => first - seconds[at]!)
  const notes = pairs.map((pair) => flawed[pair]!)
  const sums = clusterSums(set, notes, differences)
  const consultations = sums.denominators.length
  const permuting = { seed: options.seed, draws: drawsFor(consultations) }
  const difference = pairs.length === 0 ? null : differences.reduce((sum, value) => sum + value, 0) / pairs.length

  const better = differences.filter((one) => one > 0).length
  const worse = differences.filter((one) => one < 0).length
  const p = signTest(better, worse)

  const clusterMeans = sums.numerators.map((sum, cluster) => sum / sums.denominators[cluster]!)
  // Means of thirds as whole numbers of sixths, which the permutation test counts exactly.
  const scale = sharedReplicateDenominator(a.length, b.length)
  const swap = clusterSwap(
    firsts.map((value) => wholeHalves(value * scale)),
    seconds.map((value) => wholeHalves(value * scale)),
    Int32Array.from(notes, (note) => set.consultation[note]!),
    permuting
  )

  const both = (note: number) => firstA.judged[note] === 1 && firstB.judged[note] === 1
  const sharedFlawed = select(distinctNotes(flawed, wanted, firstA.scores.length), both)
  const sharedClean = select(set.clean, both)
  const point = ({ judge, scores }: JudgedNotes) =>
    operatingFigure(
      valuesOf(sharedFlawed, (note) => scores[note]!),
      valuesOf(sharedClean, (note) => scores[note]!),
      options.cap,
      givenThreshold(options, judge)
    )
  const [pointA, pointB] = [point(firstA), point(firstB)]
  const detection = () => {
    if (pointA === null || pointB === null || pairs.length === 0) return null
    const flagDifference = (note: number) =>
      Number(isFlagged(firstA.scores[note]!, pointA.threshold)) -
      Number(isFlagged(firstB.scores[note]!, pointB.threshold))
    const test = (shared: Int32Array): FlagTest => {
      const onlyA = select(shared, (note) => flagDifference(note) > 0).length
      const onlyB = select(shared, (note) => flagDifference(note) < 0).length
      const p = signTest(onlyA, onlyB)
      return { notes: shared.length, onlyA, onlyB, p, holm: p }
    }
    const gain = pointA.detection.rate! - pointB.detection.rate!
    const shared = [...sharedFlawed, ...sharedClean]
    const refitted = shared.length <= mostSwapped && pointA.fitted && pointB.fitted
    const scored = (): ScoredTwice => ({
      cluster: shared.map((note) => set.consultation[note]!),
      flawed: shared.map((_, at) => (at < sharedFlawed.length ? 1 : 0)),
      a: shared.map((note) => firstA.scores[note]!),
      b: shared.map((note) => firstB.scores[note]!)
    })
    const interval = () => {
      if (!refitted) {
        const sums = clusterSums(set, sharedFlawed, valuesOf(sharedFlawed, flagDifference))
        return intervalOfSums(sums, { estimate: gain, share: false }, options)
      }
      if (options.detectionTests === false) return noInterval("not-asked")
      const design = swapDesign([scored()])
      return weightedInterval(design, weightedDetectionDifference(design, options.cap), gain, options)
    }
    const swapped =
      !refitted || options.detectionTests === false
        ? null
        : detectionSwap([scored()], { cap: options.cap, seed: options.seed })
    return {
      difference: gain,
      ...interval(),
      swap: permutation(swapped),
      mcnemar: test(sharedFlawed),
      falseAlarms: test(sharedClean)
    }
  }
  const side = (
    runs: ReadonlyArray<JudgedNotes>,
    compared: JudgedNotes,
    values: Float64Array,
    operating: OperatingFigure | null
  ): Side => {
    const wins = values.filter((value) => value > 0.5).length
    const ties = values.filter((value) => value === 0.5).length
    return {
      judge: compared.judge,
      replicate: compared.replicate,
      replicates: runs.map(({ replicate }) => replicate),
      paired: {
        pairs: values.length,
        wins,
        ties,
        losses: values.length - wins - ties,
        value: values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
      },
      operating
    }
  }
  return {
    a: side(a, firstA, firsts, pointA),
    b: side(b, firstB, seconds, pointB),
    pairs: pairs.length,
    consultations,
    leftOut: { notJudged: wanted.length - judged.length, unparsed: judged.length - pairs.length },
    thin: isThin({ pairs: pairs.length, consultations }),
    paired: {
      difference,
      ...(pairs.length === 0
        ? noInterval("no-data")
        : intervalOfSums(sums, { estimate: difference, share: false }, options)),
      better,
      worse,
      same: pairs.length - better - worse,
      signTest: pairs.length === 0 ? null : { p, holm: p },
      signFlip: permutation(clusterMeanSignFlip(clusterMeans, permuting)),
      swap: permutation(swap === null ? null : { ...swap, statistic: swap.statistic / scale }),
      replicates: replicateDifferences(set, a, b, wanted)
    },
    detection: detection()
  }
}
