import { resampleTogether } from "../statistics/clusterBootstrap.ts"
import { sumsByCluster } from "../statistics/clusterOrder.ts"
import { clusterSwap } from "../statistics/clusterPermutation.ts"
import {
  type Answerability,
  answerability,
  type F1Change,
  f1Change,
  type Selectivity,
  selectivity
} from "./answerability.ts"
import { type ClusterInterval, intervalOfResamples, intervalOfSums, noInterval } from "./clusterInterval.ts"
import { auc } from "./discrimination.ts"
import type { ScoredQuestion } from "./squad.ts"

export interface AnswerOptions {
  readonly seed: number
  readonly resamples: number
}

/** A mean over questions with its 95 % interval by a bootstrap of their texts' groups. */
export interface AnswerFigure extends ClusterInterval {
  readonly value: number | null
  /** Questions. */
  readonly n: number
  readonly groups: number
}

export interface AnswerFigures {
  readonly questions: number
  readonly answerable: number
  readonly groups: number
  readonly f1: AnswerFigure
  readonly em: AnswerFigure
  readonly answerableF1: AnswerFigure
  readonly answerableEm: AnswerFigure
  readonly falseAnswerRate: AnswerFigure
  readonly overAbstentionRate: AnswerFigure
  readonly extractionF1: AnswerFigure
  /** Area under the curve of the confidence, answerable questions above unanswerable ones; null without confidences. */
  readonly confidenceAuc: {
    readonly value: number | null
    readonly answerable: number
    readonly unanswerable: number
  } | null
}

/** Sums of values by group, groups without a value left out. */
const sumsOf = (groups: ReadonlyArray<string>, values: ReadonlyArray<number | null>) =>
  sumsByCluster(
    groups,
    values.map((value) => value ?? Number.NaN)
  )

type Kind = Exclude<keyof Answerability, "questions" | "answerable" | "answeredAnswerable">

const valueIn: Readonly<Record<Kind, (question: ScoredQuestion) => number | null>> = {
  f1: ({ f1 }) => f1,
  em: ({ em }) => em,
  answerableF1: ({ answerable, f1 }) => (answerable ? f1 : null),
  answerableEm: ({ answerable, em }) => (answerable ? em : null),
  falseAnswerRate: ({ answerable, answered }) => (answerable ? null : Number(answered)),
  overAbstentionRate: ({ answerable, answered }) => (answerable ? Number(!answered) : null),
  extractionF1: ({ answerable, answered, f1 }) => (answerable && answered ? f1 : null)
}

const isShare = (kind: Kind): boolean => !kind.toLowerCase().endsWith("f1")

/** The answerability figures of one system [QA §3.4]; `groups[i]` and `confidences[i]` (NaN for none) are of question i. */
export const answerFigures = (
  questions: ReadonlyArray<ScoredQuestion>,
  groups: ReadonlyArray<string>,
  confidences: ReadonlyArray<number>,
  options: AnswerOptions
): AnswerFigures => {
  const values = answerability(questions)
  const figure = (kind: Kind): AnswerFigure => {
    const sums = sumsOf(groups, questions.map(valueIn[kind]))
    return {
      value: values[kind],
      n: sums.denominators.reduce((sum, one) => sum + one, 0),
      groups: sums.denominators.length,
      ...intervalOfSums(sums, { estimate: values[kind], share: isShare(kind) }, options)
    }
  }
  const sure = (answerable: boolean) =>
    confidences.filter((value, at) => questions[at]!.answerable === answerable && !Number.isNaN(value))
  const [yes, no] = [sure(true), sure(false)]
  return {
    questions: values.questions,
    answerable: values.answerable,
    groups: new Set(groups).size,
    f1: figure("f1"),
    em: figure("em"),
    answerableF1: figure("answerableF1"),
    answerableEm: figure("answerableEm"),
    falseAnswerRate: figure("falseAnswerRate"),
    overAbstentionRate: figure("overAbstentionRate"),
    extractionF1: figure("extractionF1"),
    confidenceAuc:
      yes.length + no.length === 0 ? null : { value: auc(no, yes), answerable: yes.length, unanswerable: no.length }
  }
}

export interface AnswerComparison {
  /** Questions that both have an answer to, and their groups. */
  readonly questions: number
  readonly groups: number
  /** `a` less `b` in all terms. */
  readonly change: F1Change | null
  readonly intervals: {
    readonly delta: ClusterInterval
    readonly extraction: ClusterInterval
    readonly answerabilityShift: ClusterInterval
  }
  /** Of the questions that `a` declines and `b` answered. */
  readonly selectivity: Omit<Selectivity, "priors"> & { readonly interval: ClusterInterval }
  /** Swap permutation of the mean F1, whole groups at a time, two-sided; null without a question. */
  readonly test: { readonly p: number; readonly holm: number; readonly exact: boolean } | null
}

/** Two systems on the same questions, `a` against `b`: how much of the difference in F1 is extraction [QA Eq. 1]. */
export const compareAnswers = (
  a: ReadonlyArray<ScoredQuestion>,
  b: ReadonlyArray<ScoredQuestion>,
  groups: ReadonlyArray<string>,
  options: AnswerOptions
): AnswerComparison => {
  const change = f1Change(b, a)
  const inBoth = (at: number) => a[at]!.answerable && a[at]!.answered && b[at]!.answered
  const term = (estimate: number | undefined, value: (at: number) => number): ClusterInterval =>
    estimate === undefined
      ? noInterval("no-data")
      : intervalOfSums(
          sumsOf(
            groups,
            a.map((_, at) => value(at))
          ),
          { estimate, share: false },
          options
        )
  const difference = (at: number) => a[at]!.f1 - b[at]!.f1
  const { priors, ...selected } = selectivity(b, a)
  const test = clusterSwap(
    a.map(({ f1 }) => f1),
    b.map(({ f1 }) => f1),
    groups,
    { seed: options.seed }
  )
  return {
    questions: a.length,
    groups: new Set(groups).size,
    change,
    intervals: {
      delta: term(change?.delta, difference),
      extraction: term(change?.extraction, (at) => (inBoth(at) ? difference(at) : 0)),
      answerabilityShift: term(change?.answerabilityShift, (at) => (inBoth(at) ? 0 : difference(at)))
    },
    selectivity: { ...selected, interval: selectivityInterval(priors, groups, selected.difference, options) },
    test: test === null ? null : { p: test.p, holm: test.p, exact: test.exact }
  }
}

const selectivityInterval = (
  priors: Selectivity["priors"],
  groups: ReadonlyArray<string>,
  estimate: number | null,
  options: AnswerOptions
): ClusterInterval => {
  const known = priors.flatMap((prior, at) => (prior === null ? [] : [{ ...prior, group: groups[at]! }]))
  const names = known.map(({ group }) => group)
  const side = (wanted: boolean) =>
    sumsByCluster(
      names,
      known.map(({ declined, score }) => (declined === wanted ? score : 0)),
      known.map(({ declined }) => Number(declined === wanted))
    )
  // Resamples without a question of either kind are undefined.
  const values = resampleTogether([side(true), side(false)], (ratios) => ratios[0]! - ratios[1]!, options)
  return intervalOfResamples(values, { estimate, consultations: new Set(names).size, share: false })
}
