import { mulberry32 } from "../domain/Random.ts"
import { requireSameLength } from "../statistics/arguments.ts"
import { clusterNumbers } from "../statistics/clusterOrder.ts"
import { percentileInterval } from "../statistics/quantile.ts"
import type { ScoredQuestion } from "./squad.ts"

/** One row a model, one column a question; the questions are the same, in the same order. */
export type ModelAnswers = ReadonlyArray<ReadonlyArray<ScoredQuestion>>

/** How many of the other models answer each question. */
const votesOf = (models: ModelAnswers, model: number): ReadonlyArray<number> =>
  models[model]!.map((_, question) =>
    models.reduce((votes, answers, other) => votes + Number(other !== model && answers[question]!.answered), 0)
  )

/** A withheld answer is an abstention: right where there is no answer, worth nothing where there is one. */
const withheld = (question: ScoredQuestion): ScoredQuestion => {
  const score = question.answerable ? 0 : 1
  return { answerable: question.answerable, answered: false, f1: score, em: score }
}

/**
 * One model's answers through the consensus gate: an answer is kept when at least `threshold` of the other models answer
 * the question too, and becomes an abstention otherwise. Abstentions stay. It can only lower the false-answer rate and
 * raise the over-abstention rate; 0 changes nothing [QA §3.5].
 */
export const applyGate = (models: ModelAnswers, model: number, threshold: number): ReadonlyArray<ScoredQuestion> => {
  const votes = votesOf(models, model)
  return models[model]!.map((question, i) =>
    !question.answered || votes[i]! >= threshold ? question : withheld(question)
  )
}

export interface GateChange {
  /** Mean over splits of the models' mean change, gated minus ungated, on the half that did not choose. */
  readonly mean: number
  /** 2.5–97.5 % of the splits. */
  readonly range: readonly [number, number]
}

export interface GateResult {
  /** Null where no split had a question of the kind on the measured half. */
  readonly f1: GateChange | null
  readonly falseAnswerRate: GateChange | null
  readonly overAbstentionRate: GateChange | null
  /** How often each threshold was chosen, index = threshold, over splits (and models, when each chooses its own). */
  readonly chosen: ReadonlyArray<number>
  readonly splits: number
}

interface UnitSums {
  questions: number
  f1: number
  unanswerable: number
  falseAnswers: number
  answerable: number
  declined: number
}

const zero = (): UnitSums => ({ questions: 0, f1: 0, unanswerable: 0, falseAnswers: 0, answerable: 0, declined: 0 })

const add = (sums: UnitSums, other: UnitSums): void => {
  sums.questions += other.questions
  sums.f1 += other.f1
  sums.unanswerable += other.unanswerable
  sums.falseAnswers += other.falseAnswers
  sums.answerable += other.answerable
  sums.declined += other.declined
}

/** Sums of the gated answers over the questions of each unit. */
const sumsByUnit = (questions: ReadonlyArray<ScoredQuestion>, unitOf: ReadonlyArray<number>, units: number) => {
  const sums = Array.from({ length: units }, zero)
  questions.forEach(({ answerable, answered, f1 }, i) => {
    add(sums[unitOf[i]!]!, {
      questions: 1,
      f1,
      unanswerable: Number(!answerable),
      falseAnswers: Number(!answerable && answered),
      answerable: Number(answerable),
      declined: Number(answerable && !answered)
    })
  })
  return sums
}

const totalOver = (sums: ReadonlyArray<UnitSums>, members: ReadonlyArray<number>): UnitSums => {
  const total = zero()
  for (const unit of members) add(total, sums[unit]!)
  return total
}

/** Two random halves of 0 … n - 1; the first is the smaller one when n is odd. */
const halves = (n: number, next: () => number): readonly [ReadonlyArray<number>, ReadonlyArray<number>] => {
  const order = Array.from({ length: n }, (_, i) => i)
  for (let i = n - 1; i > 0; i--) {
    const j = (next() * (i + 1)) | 0
    ;[order[i], order[j]] = [order[j]!, order[i]!]
  }
  return [order.slice(0, n >> 1), order.slice(n >> 1)]
}

/** The place of the greatest value, the first of equals: the gate that withholds least. */
const firstGreatest = (values: ReadonlyArray<number>): number => values.indexOf(values.reduce((a, b) => Math.max(a, b)))

/**
 * Cross-fitted consensus gate [QA §3.5]: units (reports; `units[i]` names that of question i) are split at random into
 * halves, the threshold with the greatest F1 on one half is taken (the lowest of equals), and the change against the
 * ungated model is measured on the other half; 200 seeded splits. "own" chooses a threshold for each model, "pooled" one
 * for all by their mean F1. Null for fewer than two models or two units. Throws a RangeError for rows of unequal length.
 */
export const crossFittedGate = (
  models: ModelAnswers,
  units: ReadonlyArray<string>,
  options: { readonly seed: number; readonly splits?: number; readonly choose?: "own" | "pooled" }
): GateResult | null => {
  for (const answers of models) requireSameLength("questions and units", answers, units)
  const places = clusterNumbers(units)
  if (models.length < 2 || places.size < 2) return null
  const unitOf = units.map((unit) => places.get(unit)!)
  // sums[model][threshold][unit]: whatever the split, only these are added up.
  const sums = models.map((_, model) =>
    models.map((_, threshold) => sumsByUnit(applyGate(models, model, threshold), unitOf, places.size))
  )
  const splits = options.splits ?? 200
  const next = mulberry32(options.seed)
  const chosen = new Array<number>(models.length).fill(0)
  const changes = {
    f1: [] as Array<number>,
    falseAnswerRate: [] as Array<number>,
    overAbstentionRate: [] as Array<number>
  }
  for (let split = 0; split < splits; split++) {
    const [choosing, measured] = halves(places.size, next)
    const f1 = sums.map((thresholds) => thresholds.map((byUnit) => totalOver(byUnit, choosing).f1))
    const pooled = firstGreatest(models.map((_, threshold) => f1.reduce((sum, own) => sum + own[threshold]!, 0)))
    const change = { f1: 0, falseAnswers: 0, declined: 0 }
    let base = zero()
    sums.forEach((thresholds, model) => {
      const threshold = options.choose === "pooled" ? pooled : firstGreatest(f1[model]!)
      if (options.choose !== "pooled" || model === 0) chosen[threshold]!++
      base = totalOver(thresholds[0]!, measured)
      const gated = totalOver(thresholds[threshold]!, measured)
      change.f1 += gated.f1 - base.f1
      change.falseAnswers += gated.falseAnswers - base.falseAnswers
      change.declined += gated.declined - base.declined
    })
    // The questions are the same for every model, so one denominator serves all.
    changes.f1.push(change.f1 / models.length / base.questions)
    if (base.unanswerable > 0) changes.falseAnswerRate.push(change.falseAnswers / models.length / base.unanswerable)
    if (base.answerable > 0) changes.overAbstentionRate.push(change.declined / models.length / base.answerable)
  }
  return {
    f1: summarised(changes.f1),
    falseAnswerRate: summarised(changes.falseAnswerRate),
    overAbstentionRate: summarised(changes.overAbstentionRate),
    chosen,
    splits
  }
}

const summarised = (values: ReadonlyArray<number>): GateChange | null => {
  const range = percentileInterval(
    values.toSorted((a, b) => a - b),
    0.95
  )
  return range === null ? null : { mean: values.reduce((sum, value) => sum + value, 0) / values.length, range }
}
