import { holm } from "../statistics/adjust.ts"
import { clusterBootstrap } from "../statistics/clusterBootstrap.ts"
import { clusterSignFlip, clusterSwap } from "../statistics/clusterPermutation.ts"
import { mcnemar } from "../statistics/mcnemar.ts"
import { signTest } from "../statistics/signTest.ts"
import { countPairs, type PairCounts, pairedDiscrimination } from "./discrimination.ts"
import { type FigureOptions, type OperatingFigure, operatingFigure, outcomesOf } from "./judgeFigures.ts"
import { isFlagged } from "./operatingPoint.ts"
import {
  clusterSums,
  distinctNotes,
  type JudgedNotes,
  type NoteSet,
  pairsOf,
  resamplesFor,
  select,
  valuesOf
} from "./scoredNotes.ts"

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
  readonly replicate: string
  readonly paired: PairCounts & { readonly value: number | null }
  /** On the notes that both judged; each side's own. */
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
  readonly paired: {
    readonly difference: number | null
    /** 95 %, consultation-cluster bootstrap. */
    readonly interval: readonly [number, number] | null
    /** Pairs that `a` ranks better than `b`, worse, and alike. */
    readonly better: number
    readonly worse: number
    readonly same: number
    /** Exact, on the discordant pairs, taken as independent. */
    readonly signTest: Test
    /** On the mean difference over consultations. Null without a pair. */
    readonly signFlip: PermutationTest | null
    /** On the difference of the means over pairs. Null without a pair. */
    readonly swap: PermutationTest | null
  }
  readonly detection: {
    readonly difference: number | null
    readonly interval: readonly [number, number] | null
    /** Exact, on the flawed notes. */
    readonly mcnemar: FlagTest
    /** The same on the clean notes: false alarms. */
    readonly falseAlarms: FlagTest
  } | null
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

/** Draws of a permutation test over so many consultations: 100,000, fewer where that would take minutes. */
const drawsFor = (consultations: number): number =>
  Math.min(100_000, Math.max(1000, Math.floor(2e7 / Math.max(1, consultations))))

/**
 * Compares one replicate of a judge with one of another, over the notes that both judged: the paired outcomes of pairs
 * that both could rank, and flags at each side's own operating point. Adjusted p-values are those of a family of one:
 * see `adjusted`. Method §4.
 */
export const compareJudges = (
  set: NoteSet,
  a: JudgedNotes,
  b: JudgedNotes,
  options: FigureOptions
): JudgeComparison => {
  const { clean, flawed } = set.pairs
  const both = (note: number) => a.judged[note] === 1 && b.judged[note] === 1
  const wanted = pairsOf(set, options.classes)
  const judged = select(wanted, (pair) => both(flawed[pair]!) && both(clean[pair]!))
  const outcomes = [outcomesOf(set, a, judged), outcomesOf(set, b, judged)] as const
  const kept = outcomes[0].map((first, at) => !Number.isNaN(first) && !Number.isNaN(outcomes[1][at]!))
  const pairs = judged.filter((_, at) => kept[at]!)
  const [firsts, seconds] = [outcomes[0].filter((_, at) => kept[at]!), outcomes[1].filter((_, at) => kept[at]!)]
  const differences = firsts.map((first, at) => first - seconds[at]!)
  const notes = valuesOf(pairs, (pair) => flawed[pair]!)
  const sums = clusterSums(set, notes, differences)
  const consultations = sums.denominators.length
  const resampling = { seed: options.seed, resamples: resamplesFor(consultations, options.resamples) }
  const permuting = { seed: options.seed, draws: drawsFor(consultations) }

  const better = differences.filter((difference) => difference > 0).length
  const worse = differences.filter((difference) => difference < 0).length
  const p = signTest(better, worse)

  const clusters = Map.groupBy(differences.keys(), (at) => set.consultation[notes[at]!]!)
  const groups = [...clusters.values()].map((members) => members.map((at) => differences[at]!))

  const sharedFlawed = select(distinctNotes(flawed, wanted, a.scores.length), both)
  const sharedClean = select(set.clean, both)
  const point = ({ scores }: JudgedNotes) =>
    operatingFigure(
      valuesOf(sharedFlawed, (note) => scores[note]!),
      valuesOf(sharedClean, (note) => scores[note]!),
      options.cap
    )
  const [pointA, pointB] = [point(a), point(b)]
  const detection = () => {
    if (pointA === null || pointB === null) return null
    const flags = (shared: Int32Array) =>
      [
        valuesOf(shared, (note) => isFlagged(a.scores[note]!, pointA.threshold)),
        valuesOf(shared, (note) => isFlagged(b.scores[note]!, pointB.threshold))
      ] as const
    const test = (shared: Int32Array): FlagTest => {
      const result = mcnemar(...flags(shared))
      return { notes: shared.length, onlyA: result.b, onlyB: result.c, p: result.p, holm: result.p }
    }
    const [flagsA, flagsB] = flags(sharedFlawed)
    const detectionSums = clusterSums(
      set,
      Array.from(sharedFlawed),
      flagsA.map((flag, at) => Number(flag) - Number(flagsB[at]!))
    )
    return {
      difference: pointA.detection.rate! - pointB.detection.rate!,
      interval: clusterBootstrap(detectionSums, resampling),
      mcnemar: test(sharedFlawed),
      falseAlarms: test(sharedClean)
    }
  }
  const side = (run: JudgedNotes, values: ReadonlyArray<number>, operating: OperatingFigure | null): Side => {
    const counts = countPairs(values)
    return {
      judge: run.judge,
      replicate: run.replicate,
      paired: { ...counts, value: pairedDiscrimination(counts) },
      operating
    }
  }
  return {
    a: side(a, firsts, pointA),
    b: side(b, seconds, pointB),
    pairs: pairs.length,
    consultations,
    leftOut: { notJudged: wanted.length - judged.length, unparsed: judged.length - pairs.length },
    paired: {
      difference: pairs.length === 0 ? null : differences.reduce((sum, value) => sum + value, 0) / pairs.length,
      interval: clusterBootstrap(sums, resampling),
      better,
      worse,
      same: pairs.length - better - worse,
      signTest: { p, holm: p },
      signFlip: permutation(clusterSignFlip(groups, permuting)),
      swap: permutation(
        clusterSwap(
          firsts,
          seconds,
          notes.map((note) => set.consultation[note]!),
          permuting
        )
      )
    },
    detection: detection()
  }
}

/** The comparisons with Holm's adjustment, each kind of test over all comparisons that have it. */
export const adjusted = (comparisons: ReadonlyArray<JudgeComparison>): ReadonlyArray<JudgeComparison> => {
  const family = (of: (one: JudgeComparison) => Test | null | undefined) => {
    const with_ = comparisons.filter((one) => of(one) != null)
    const values = holm(with_.map((one) => of(one)!.p))
    const found = new Map(with_.map((one, at) => [one, values[at]!]))
    return <T extends Test>(one: JudgeComparison, test: T): T => ({ ...test, holm: found.get(one)! })
  }
  const sign = family(({ paired }) => paired.signTest)
  const flip = family(({ paired }) => paired.signFlip)
  const swap = family(({ paired }) => paired.swap)
  const flags = family(({ detection }) => detection?.mcnemar)
  const alarms = family(({ detection }) => detection?.falseAlarms)
  return comparisons.map((one) => ({
    ...one,
    paired: {
      ...one.paired,
      signTest: sign(one, one.paired.signTest),
      signFlip: one.paired.signFlip === null ? null : flip(one, one.paired.signFlip),
      swap: one.paired.swap === null ? null : swap(one, one.paired.swap)
    },
    detection:
      one.detection === null
        ? null
        : {
            ...one.detection,
            mcnemar: flags(one, one.detection.mcnemar),
            falseAlarms: alarms(one, one.detection.falseAlarms)
          }
  }))
}
