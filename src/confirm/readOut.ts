import type { ErrorClass } from "../domain/Dataset.ts"
import type { Contender, Preregistration } from "../domain/Preregistration.ts"
import { compareJudges } from "../measure/judgeComparison.ts"
import { type FigureOptions, type JudgeFigures, judgeFigures } from "../measure/judgeFigures.ts"
import { type Rate, rateOf } from "../measure/operatingFigure.ts"
import { isFlagged } from "../measure/operatingPoint.ts"
import { type Spread, spreadOf } from "../measure/replicateSpread.ts"
import { type RescueInput, type Rescues, rescuesOf } from "../measure/rescues.ts"
import { distinctNotes, labels, pairsOf, scoresOf } from "../measure/scoredNotes.ts"
import { type JudgeOrigin, type ScoreReport, scoreReport } from "../measure/scoreReport.ts"
import { holm } from "../statistics/adjust.ts"
import { version } from "../version.ts"
import { acceptanceGates, type Gate, holdoutGate, type JudgedPart, runsOf } from "./gates.ts"
import type { SeenBefore } from "./seenBefore.ts"
import { verdictOf } from "./verdict.ts"

/** What the judgements of a confirmation took: over distinct answers, bought now or earlier. */
export interface ConfirmationCost {
  readonly answers: number
  readonly tokens: number
  /** US dollars over the answers whose cost is known. */
  readonly usd: number
  readonly unpriced: number
}

export interface ReadOutInput {
  readonly document: Preregistration
  /** Of its file. */
  readonly hash: string
  readonly opening: {
    readonly hash: string
    readonly time: string
    readonly again: string | null
    readonly number: number
    /** Pre-registrations of this split that were entered before it, this one included. */
    readonly promises: number
    /** Consultations that were no news by then, by other splits of the same notes; left out where none are known. */
    readonly seen?: ReadonlyArray<SeenBefore>
  }
  readonly holdout: JudgedPart
  readonly acceptance: JudgedPart
  readonly model: { readonly name: string; readonly embedded: boolean }
  readonly cost: ConfirmationCost
  /** The holdout's judgements of all replicates, by judge, with what they are made of. */
  readonly judgements: ReadonlyMap<string, ReadonlyArray<RescueInput>>
}

/** What a judge's second looks came to on the holdout, over all replicates. */
export interface JudgeRescues {
  readonly judge: string
  readonly rescues: Rescues | null
}

/** A test of the secondary family, with Holm's adjustment over the family. */
export interface SecondaryTest {
  readonly name: string
  readonly p: number
  readonly holm: number
  readonly n: number
  /** Candidate less baseline, where the test is of a difference. */
  readonly difference: number | null
}

/** The threshold that the acceptance part chose, and what it does on the holdout: a threshold is a promise made elsewhere. */
export interface Transfer {
  readonly judge: string
  readonly threshold: number
  readonly calibrated: { readonly detection: Rate; readonly falseAlarms: Rate }
  readonly held: { readonly detection: Rate; readonly falseAlarms: Rate }
}

/** What the holdout said. Everything unrounded; nothing in it depends on when or how often it was computed. */
export interface ReadOut {
  readonly format: "assize-read-out/1"
  readonly version: string
  readonly preregistration: { readonly hash: string; readonly document: Preregistration }
  readonly opening: ReadOutInput["opening"]
  readonly model: ReadOutInput["model"]
  readonly gates: ReadonlyArray<Gate>
  readonly decision: "passed" | "failed"
  /** Three sentences for people who do not read tables. */
  readonly verdict: ReadonlyArray<string>
  readonly noise: {
    /** Paired discrimination of the first baseline's replicates on the holdout. */
    readonly baseline: Spread
    /** |difference| over greatest less least; null without two replicates that differ. */
    readonly ratio: number | null
  }
  readonly secondary: ReadonlyArray<SecondaryTest>
  readonly transfer: ReadonlyArray<Transfer>
  readonly holdout: ScoreReport
  /** The acceptance gain with the same figures and tests, so that its own significance is on record. */
  readonly acceptance: ScoreReport
  readonly cost: ConfirmationCost
  /** Left out where no judge looks twice. */
  readonly rescues?: ReadonlyArray<JudgeRescues>
}

/** Classes, cap and resampling of a document's figures. */
export const figureOptions = ({ cap, primary, tests }: Preregistration): FigureOptions => ({
  cap,
  seed: tests.seed,
  resamples: tests.resamples,
  ...(primary.classes === undefined ? {} : { classes: primary.classes })
})

const reportOf = (input: ReadOutInput, part: JudgedPart, source: string): ScoreReport => {
  const { document, model } = input
  const contenders = [document.candidate, ...document.baselines]
  const origins = new Map(
    contenders.map(({ name }): readonly [string, JudgeOrigin] => [
      name,
      {
        model: model.name,
        embedded: model.embedded,
        samples: document.judge.samples,
        failed: part.failed.get(name) ?? [],
        chosenBy: part === input.acceptance && name === document.candidate.name ? document.run : null
      }
    ])
  )
  const compare = document.baselines.map(({ name }) => [document.candidate.name, name] as const)
  return scoreReport({ source, set: part.set, runs: part.runs, origins, compare }, figureOptions(document))
}

/** Classes that the primary measure is not of: a control, since nobody optimised for them. */
const otherClasses = ({ primary }: Preregistration): ReadonlyArray<ErrorClass> =>
  primary.classes === undefined ? [] : labels.class.filter((one) => !primary.classes!.includes(one))

const secondaryOf = ({ document, holdout }: ReadOutInput, candidate: JudgeFigures): ReadonlyArray<SecondaryTest> => {
  const options = figureOptions(document)
  const [first, ...further] = document.baselines
  const { classes: _, ...all } = options
  const flagClasses = document.secondary?.measure === "detection" ? document.secondary.classes : options.classes
  const compare = (baseline: Contender, own: FigureOptions) =>
    compareJudges(holdout.set, runsOf(holdout, document.candidate.name), runsOf(holdout, baseline.name), own)
  const flags = compare(first, flagClasses === undefined ? all : { ...all, classes: flagClasses })
  const others = otherClasses(document)
  const control = others.length === 0 ? null : compare(first, { ...all, classes: others })
  const paired = (name: string, comparison: ReturnType<typeof compare> | null) =>
    comparison === null || comparison.paired.swap === null
      ? []
      : [{ name, p: comparison.paired.swap.p, n: comparison.pairs, difference: comparison.paired.difference }]
  const [detection, alarms, usable, controlled, ...against] = document.tests.secondary as [
    string,
    string,
    string,
    string,
    ...ReadonlyArray<string>
  ]
  const tests = [
    ...(flags.detection === null
      ? []
      : [
          {
            name: detection,
            p: flags.detection.mcnemar.p,
            n: flags.detection.mcnemar.notes,
            difference: flags.detection.difference
          },
          {
            name: alarms,
            p: flags.detection.falseAlarms.p,
            n: flags.detection.falseAlarms.notes,
            difference:
              (flags.a.operating?.falseAlarms.rate ?? Number.NaN) - (flags.b.operating?.falseAlarms.rate ?? Number.NaN)
          }
        ]),
    ...(candidate.usable === null || candidate.operating === null
      ? []
      : [{ name: usable, p: candidate.usable.p, n: candidate.operating.detection.n, difference: null }]),
    ...paired(controlled, control),
    ...further.flatMap((baseline, at) => paired(against[at]!, compare(baseline, options)))
  ]
  const adjusted = holm(tests.map(({ p }) => p))
  return tests.map((test, at) => ({ ...test, holm: adjusted[at]! }))
}

const transferOf = (input: ReadOutInput): ReadonlyArray<Transfer> => {
  const { acceptance, document, holdout } = input
  const options = { ...figureOptions(document), resamples: 0 }
  return [document.candidate, ...document.baselines].flatMap(({ name }) => {
    const [chosen] = runsOf(acceptance, name)
    const [judged] = runsOf(holdout, name)
    if (chosen === undefined || judged === undefined) return []
    const point = judgeFigures(acceptance.set, chosen, options).operating
    if (point === null) return []
    const flagged = (notes: Int32Array) => {
      const scores = scoresOf(judged, notes)
      return rateOf(scores.filter((score) => isFlagged(score, point.threshold)).length, scores.length)
    }
    const pairs = pairsOf(holdout.set, options.classes)
    return [
      {
        judge: name,
        threshold: point.threshold,
        calibrated: { detection: point.detection, falseAlarms: point.falseAlarms },
        held: {
          detection: flagged(distinctNotes(holdout.set.pairs.flawed, pairs, judged.scores.length)),
          falseAlarms: flagged(holdout.set.clean)
        }
      }
    ]
  })
}

/**
 * The read-out of a confirmation [method §6]: candidate against baselines on the holdout, with the tests that were
 * promised, the noise floor, the acceptance gain's own tests, and the decision. A function of the judgements alone.
 */
export const readOut = (input: ReadOutInput): ReadOut => {
  const { acceptance, document, hash, holdout } = input
  const gate = holdoutGate(holdout, document)
  const gates = [...acceptanceGates(acceptance, document), gate]
  const report = reportOf(input, holdout, `split ${document.split.name}, holdout`)
  const candidate = report.judges.find(({ judge }) => judge === document.candidate.name)!
  const first = report.judges.find(({ judge }) => judge === document.baselines[0].name)!
  const baseline = spreadOf(first.replicates.map(({ paired }) => paired.value))
  const difference = report.comparisons[0]?.paired.difference ?? null
  const range = baseline.n < 2 ? 0 : baseline.max! - baseline.min!
  const found = {
    format: "assize-read-out/1" as const,
    version,
    preregistration: { hash, document },
    opening: input.opening,
    model: input.model,
    gates,
    decision: gates.every(({ met }) => met) ? ("passed" as const) : ("failed" as const),
    noise: { baseline, ratio: difference === null || range === 0 ? null : Math.abs(difference) / range },
    secondary: secondaryOf(input, candidate.figures),
    transfer: transferOf(input),
    holdout: report,
    acceptance: reportOf(input, acceptance, `split ${document.split.name}, acceptance`),
    cost: input.cost
  }
  const rescues = [document.candidate, ...document.baselines].map(({ name }) => ({
    judge: name,
    rescues: rescuesOf(input.judgements.get(name) ?? [], document.tests)
  }))
  return {
    ...found,
    verdict: verdictOf(found),
    ...(rescues.some((one) => one.rescues !== null) ? { rescues } : {})
  }
}
