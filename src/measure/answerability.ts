import { requireSameLength } from "../statistics/arguments.ts"
import type { ScoredQuestion } from "./squad.ts"

/** Mean of a number over questions; null over none. */
const meanOf = (
  questions: ReadonlyArray<ScoredQuestion>,
  value: (question: ScoredQuestion) => number
): number | null =>
  questions.length === 0 ? null : questions.reduce((sum, question) => sum + value(question), 0) / questions.length

/** Shares and means in [0, 1]; null over no question. */
export interface Answerability {
  readonly questions: number
  readonly answerable: number
  /** Answerable questions that were answered. */
  readonly answeredAnswerable: number
  readonly f1: number | null
  readonly em: number | null
  /** Over answerable questions, a declined one counting 0. */
  readonly answerableF1: number | null
  readonly answerableEm: number | null
  /** False-answer rate (FAR): share of unanswerable questions that were answered. */
  readonly falseAnswerRate: number | null
  /** Over-abstention rate (OAR): share of answerable questions that were declined. */
  readonly overAbstentionRate: number | null
  /** Over answerable questions that were answered. */
  readonly extractionF1: number | null
}

/** SQuAD-2.0 scores with the answer decision told apart from the extraction [QA §3.4]. */
export const answerability = (questions: ReadonlyArray<ScoredQuestion>): Answerability => {
  const answerable = questions.filter((question) => question.answerable)
  const unanswerable = questions.filter((question) => !question.answerable)
  const extracted = answerable.filter((question) => question.answered)
  return {
    questions: questions.length,
    answerable: answerable.length,
    answeredAnswerable: extracted.length,
    f1: meanOf(questions, (question) => question.f1),
    em: meanOf(questions, (question) => question.em),
    answerableF1: meanOf(answerable, (question) => question.f1),
    answerableEm: meanOf(answerable, (question) => question.em),
    falseAnswerRate: meanOf(unanswerable, (question) => Number(question.answered)),
    overAbstentionRate: meanOf(answerable, (question) => Number(!question.answered)),
    extractionF1: meanOf(extracted, (question) => question.f1)
  }
}

export interface F1Terms {
  /** F1 under B minus F1 under A. */
  readonly delta: number
  /** Part of answerable questions that both conditions answered. */
  readonly extraction: number
  /** Part of all others: the answer decision moved, or its truth is that there is no answer. */
  readonly answerabilityShift: number
}

export interface F1Change extends F1Terms {
  readonly f1A: number
  readonly f1B: number
  /** Parts of the answerability shift from answerable and from unanswerable questions. */
  readonly shiftAnswerable: number
  readonly shiftUnanswerable: number
  /** The same over answerable questions only, divided by their number; null without one. */
  readonly answerableOnly: F1Terms | null
}

/** The answer decisions of one question under two conditions; throws a RangeError when it is not one question. */
const twins = (a: ReadonlyArray<ScoredQuestion>, b: ReadonlyArray<ScoredQuestion>) => {
  requireSameLength("questions under two conditions", a, b)
  return a.map((before, i) => {
    const after = b[i]!
    if (before.answerable !== after.answerable)
      throw new RangeError(`question ${i} is answerable in one condition only`)
    return { before, after }
  })
}

/**
 * Splits the difference in mean F1 between conditions A and B on the same questions into an extraction term and an
 * answerability shift, which add up to it [QA Eq. 1]. Null without a question.
 */
export const f1Change = (a: ReadonlyArray<ScoredQuestion>, b: ReadonlyArray<ScoredQuestion>): F1Change | null => {
  const sums = { a: 0, b: 0, answerable: 0, extraction: 0, shiftAnswerable: 0, shiftUnanswerable: 0 }
  for (const { before, after } of twins(a, b)) {
    const difference = after.f1 - before.f1
    sums.a += before.f1
    sums.b += after.f1
    if (before.answerable) sums.answerable++
    if (!before.answerable) sums.shiftUnanswerable += difference
    else if (before.answered && after.answered) sums.extraction += difference
    else sums.shiftAnswerable += difference
  }
  const n = a.length
  if (n === 0) return null
  return {
    f1A: sums.a / n,
    f1B: sums.b / n,
    delta: (sums.extraction + sums.shiftAnswerable + sums.shiftUnanswerable) / n,
    extraction: sums.extraction / n,
    answerabilityShift: (sums.shiftAnswerable + sums.shiftUnanswerable) / n,
    shiftAnswerable: sums.shiftAnswerable / n,
    shiftUnanswerable: sums.shiftUnanswerable / n,
    answerableOnly:
      sums.answerable === 0
        ? null
        : {
            delta: (sums.extraction + sums.shiftAnswerable) / sums.answerable,
            extraction: sums.extraction / sums.answerable,
            answerabilityShift: sums.shiftAnswerable / sums.answerable
          }
  }
}

export interface Selectivity {
  /** Answerable questions answered under A and declined under B. */
  readonly newlyDeclined: number
  /** Answerable questions answered under both. */
  readonly stillAnswered: number
  /** Mean F1 under A of each; null over none. */
  readonly declinedPrior: number | null
  readonly answeredPrior: number | null
  /** declinedPrior - answeredPrior: below 0 when the abstentions removed weak answers. Null unless both exist. */
  readonly difference: number | null
  /** Share of the newly declined whose F1 under A was at least ½: good answers withdrawn. */
  readonly withdrawnGood: number | null
  /** The prior scores, null for questions of neither kind, in the order of the questions: for tests over clusters. */
  readonly priors: ReadonlyArray<{ readonly declined: boolean; readonly score: number } | null>
}

/** Selectivity of new abstentions: the earlier scores of questions newly declined against those still answered [QA §3.4]. */
export const selectivity = (a: ReadonlyArray<ScoredQuestion>, b: ReadonlyArray<ScoredQuestion>): Selectivity => {
  const priors = twins(a, b).map(({ before, after }) =>
    before.answerable && before.answered ? { declined: !after.answered, score: before.f1 } : null
  )
  const scores = (declined: boolean) => priors.flatMap((prior) => (prior?.declined === declined ? [prior.score] : []))
  const mean = (values: ReadonlyArray<number>) =>
    values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
  const [declined, answered] = [scores(true), scores(false)]
  const [declinedPrior, answeredPrior] = [mean(declined), mean(answered)]
  return {
    newlyDeclined: declined.length,
    stillAnswered: answered.length,
    declinedPrior,
    answeredPrior,
    difference: declinedPrior === null || answeredPrior === null ? null : declinedPrior - answeredPrior,
    withdrawnGood: mean(declined.map((score) => Number(score >= 0.5))),
    priors
  }
}
