import type { AnswerSystem, GivenAnswer, Question } from "../dataset/answers.ts"
import {
  type AnswerComparison,
  type AnswerFigures,
  type AnswerOptions,
  answerFigures,
  compareAnswers
} from "../measure/answerFigures.ts"
import { crossFittedGate, type GateResult } from "../measure/consensusGate.ts"
import { type ScoredQuestion, scoreQuestion } from "../measure/squad.ts"
import { holm } from "../statistics/adjust.ts"
import { version } from "../version.ts"

export interface AnswersReport {
  readonly format: "assize-answers/1"
  readonly version: string
  readonly source: string
  readonly settings: AnswerOptions
  readonly counts: { readonly questions: number; readonly answerable: number; readonly groups: number }
  readonly systems: ReadonlyArray<{
    readonly system: string
    readonly model: string
    readonly condition: string
    readonly figures: AnswerFigures
  }>
  /** `a` against `b`; differences are `a` less `b`. */
  readonly comparisons: ReadonlyArray<AnswerComparison & { readonly a: string; readonly b: string }>
  /** Of each condition that at least three models were asked under, over the questions that all have. */
  readonly gates: ReadonlyArray<{
    readonly condition: string
    readonly models: ReadonlyArray<string>
    readonly questions: number
    readonly groups: number
    /** Each model with a threshold of its own; null with fewer than two groups. */
    readonly gate: GateResult | null
  }>
}

const scoreOf = ({ golds }: Question, { answered, prediction }: GivenAnswer): ScoredQuestion =>
  scoreQuestion({ golds, prediction, ...(answered === undefined ? {} : { answered }) })

/** Which systems are compared when nobody says: each model's later conditions with its first. */
export const defaultAnswerComparisons = (
  systems: ReadonlyArray<AnswerSystem>
): ReadonlyArray<readonly [string, string]> =>
  [...Map.groupBy(systems, ({ model }) => model).values()].flatMap(([first, ...later]) =>
    later.map(({ name }) => [name, first!.name] as const)
  )

/** Figures of every system, the comparisons asked for by name, and the consensus gate where models are enough. */
export const answersReport = (
  {
    compare,
    questions,
    source,
    systems
  }: {
    readonly source: string
    readonly questions: ReadonlyArray<Question>
    readonly systems: ReadonlyArray<AnswerSystem>
    readonly compare: ReadonlyArray<readonly [string, string]>
  },
  settings: AnswerOptions
): AnswersReport => {
  const scored = new Map(
    systems.map(({ answers, name }) => [
      name,
      new Map([...answers].map(([at, answer]) => [at, scoreOf(questions[at]!, answer)] as const))
    ])
  )
  const inOrder = (places: Iterable<number>) => [...places].sort((one, other) => one - other)
  const groupsOf = (places: ReadonlyArray<number>) => places.map((at) => questions[at]!.group)
  const shared = (names: ReadonlyArray<string>) =>
    inOrder([...scored.get(names[0]!)!.keys()].filter((at) => names.every((name) => scored.get(name)!.has(at))))
  const pick = (name: string, places: ReadonlyArray<number>) => places.map((at) => scored.get(name)!.get(at)!)

  const comparisons = compare.map(([a, b]) => {
    const places = shared([a, b])
    return { a, b, ...compareAnswers(pick(a, places), pick(b, places), groupsOf(places), settings) }
  })
  const tested = comparisons.filter(({ test }) => test !== null)
  const adjusted = holm(tested.map(({ test }) => test!.p))
  return {
    format: "assize-answers/1",
    version,
    source,
    settings,
    counts: {
      questions: questions.length,
      answerable: questions.filter(({ golds }) => golds.length > 0).length,
      groups: new Set(questions.map(({ group }) => group)).size
    },
    systems: systems.map(({ answers, condition, model, name }) => {
      const places = inOrder(answers.keys())
      const confidences = places.map((at) => answers.get(at)!.confidence)
      return {
        system: name,
        model,
        condition,
        figures: answerFigures(pick(name, places), groupsOf(places), confidences, settings)
      }
    }),
    comparisons: comparisons.map((one) =>
      one.test === null ? one : { ...one, test: { ...one.test, holm: adjusted[tested.indexOf(one)]! } }
    ),
    gates: [...Map.groupBy(systems, ({ condition }) => condition)]
      .filter(([, all]) => all.length >= 3)
      .map(([condition, all]) => {
        const places = shared(all.map(({ name }) => name))
        const groups = groupsOf(places)
        return {
          condition,
          models: all.map(({ model }) => model),
          questions: places.length,
          groups: new Set(groups).size,
          gate: crossFittedGate(
            all.map(({ name }) => pick(name, places)),
            groups,
            { seed: settings.seed }
          )
        }
      })
  }
}
