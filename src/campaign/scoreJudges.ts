import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { Budget, JudgeConfig } from "../domain/Campaign.ts"
import { candidateId, type Instructions } from "../domain/Candidate.ts"
import { InputError, inputError, type Problem } from "../domain/InputError.ts"
import type { ItemSet } from "../domain/Item.ts"
import { type Outcomes, scoreOf } from "../domain/Judgement.ts"
import { designJudge } from "../judge/designJudge.ts"
import { designOf } from "../judge/designs/registry.ts"
import { Judge } from "../judge/Judge.ts"
import { memberModels } from "../judge/judgePin.ts"
import { planItem } from "../judge/planItem.ts"
import { type AnswerUse, UseRecorder } from "../judge/UseRecorder.ts"
import type { ConsultationSpending } from "../measure/designGrid.ts"
import type { JudgedNotes } from "../measure/scoredNotes.ts"
import { checkKeys } from "../model/checkKeys.ts"
import { modelName } from "../model/key.ts"
import { layer as liveModels, Preflight } from "../model/live.ts"
import { checkPrices } from "../model/prices.ts"
import { makeProviders } from "../model/providers.ts"
import { makeBatchTable } from "../store/batchTable.ts"
import { JudgementStore } from "../store/JudgementStore.ts"
import { seedGroups } from "./candidates.ts"
import { spendingOf } from "./judgeSpending.ts"
import { gatherScore } from "./scoreBatches.ts"
import { scoreLedger } from "./scoreLedger.ts"
import type { NamedModel } from "./scoreModels.ts"
import type { Seed } from "./seeds.ts"

/** A judge without its model: a design, and the instructions of its modules. */
export interface JudgeToScore {
  readonly name: string
  readonly judge: JudgeConfig
  readonly instructions: Instructions
  /** What the instruction's file says of where it comes from. */
  readonly provenance?: string
}

/** A judge asked of a model: one row of the result. */
export interface ScoredJudge extends JudgeToScore {
  readonly model: NamedModel
}

/** Every judge with every model. The model is part of a judge's name where there are several. */
export const scoredJudges = (
  judges: ReadonlyArray<JudgeToScore>,
  models: ReadonlyArray<NamedModel>
): ReadonlyArray<ScoredJudge> =>
  models.flatMap((model) =>
    judges.map((judge) => ({
      ...judge,
      name: models.length === 1 ? judge.name : `${judge.name} @ ${model.name}`,
      model
    }))
  )

/** The judges that seed files make: files of one name and design are one judge. `samples` is k, unless a file's design is another than the configured one. */
export const judgesOfSeeds = (
  seeds: ReadonlyArray<Seed>,
  judgeOf: (design: string) => JudgeConfig
): ReadonlyArray<JudgeToScore> =>
  [...Map.groupBy(seeds, ({ design }) => design)].flatMap(([name, own]) => {
    const judge = judgeOf(name)
    const design = designOf(judge)
    return seedGroups(
      design,
      own,
      design.modules.map((module) => module.name)
    ).map(({ instructions, name: group, seeds: [seed] }) => ({
      name: group,
      judge,
      instructions,
      ...(seed?.provenance === undefined ? {} : { provenance: seed.provenance })
    }))
  })

/** Run seeds of replicates: 11, 22, 33, … [OB §D.2]. */
export const replicateSeeds = (replicates: number): ReadonlyArray<number> =>
  Array.from({ length: replicates }, (_, at) => 11 * (at + 1))

export interface ScoreWork {
  readonly items: ItemSet
  readonly judges: ReadonlyArray<ScoredJudge>
  readonly seeds: ReadonlyArray<number>
  readonly budget: Budget
  /** How long a model that answers nothing is waited for; for ever if undefined. */
  readonly patienceMs?: number | undefined
}

export interface ScorePlan {
  /**
   * First answers that the work takes; an unreadable one is asked for once more. Of stages whose questions follow from
   * answers that are not there yet it is the least: no second looks.
   */
  readonly judgements: number
  /** Those of them that are in the store already. */
  readonly stored: number
  /** Those of them that a batch under way is to bring, whoever sent it. */
  readonly inBatches: number
  /** Whether more may be asked than can be known now. */
  readonly atLeast: boolean
  /** Models that have to be asked for something. */
  readonly toAsk: ReadonlyArray<NamedModel>
  /** Calls to send: the other first answers, and the tiny one that finds out whether a model answers at all. */
  readonly calls: number
}

/** One of each address and model. The embedded one always answers. */
const checkable = (models: ReadonlyArray<NamedModel>): ReadonlyArray<NamedModel> => [
  ...new Map(
    models.filter(({ model }) => model.provider !== "embedded").map((model) => [modelName(model.model), model])
  ).values()
]

/** What has to be bought. */
export const planScore = Effect.fn("planScore")(function* ({
  items,
  judges,
  seeds
}: Pick<ScoreWork, "items" | "judges" | "seeds">) {
  const store = yield* JudgementStore
  const batches = makeBatchTable(yield* SqlClient.SqlClient)
  const stored = new Set<string>()
  const missing = new Set<string>()
  const toAsk = new Map<string, NamedModel>()
  let unknown = 0
  let atLeast = false
  for (const one of judges) {
    const members = Object.entries(memberModels(one.judge))
    for (const seed of seeds) {
      for (const item of items.items) {
        const plan = yield* planItem({ ...one, model: one.model.model, seed, item, find: store.get })
        for (const key of plan.stored) stored.add(key)
        for (const key of plan.missing) missing.add(key)
        unknown += plan.unknown
        atLeast ||= plan.atLeast
        if (plan.missing.length + plan.unknown === 0) continue
        toAsk.set(one.model.name, one.model)
        for (const [field, model] of members) toAsk.set(`${one.name}: ${field}`, { name: one.name, model })
      }
    }
  }
  // What a batch brings is not sent again.
  const inBatches = (yield* batches.open([...missing])).reduce((sum, { requests }) => sum + requests.length, 0)
  return {
    judgements: stored.size + missing.size + unknown,
    stored: stored.size,
    inBatches,
    atLeast,
    toAsk: [...toAsk.values()],
    calls: missing.size - inBatches + unknown + checkable([...toAsk.values()]).length
  } satisfies ScorePlan
})

/** Refuses models that cannot be asked: keys that are not set, and a budget in money where a price is not known. */
export const checkScore = Effect.fn("checkScore")(function* (
  toAsk: ReadonlyArray<NamedModel>,
  budget: Budget,
  place: (model: NamedModel) => string = ({ name }) => `--model ${name}`
) {
  const problems: Array<Problem> = []
  for (const named of toAsk) {
    const models = { judge: named.model }
    for (const problem of [...(yield* checkKeys(models)), ...checkPrices(models, budget)])
      problems.push({ ...problem, field: `${place(named)}${(problem.field ?? "").replace(/^models\.judge/, "")}` })
  }
  if (problems.length > 0) return yield* new InputError({ problems })
})

export interface ScoredRun {
  readonly notes: JudgedNotes
  /** Notes whose calls failed: infrastructure, not judgement. They are as if they had not been judged. */
  readonly failed: number
  /** Why the first of them did. */
  readonly failure: string | undefined
  /** By item id, with what the scores are made of. */
  readonly outcomes: Outcomes
  /** What the judgements rest on; none where it was not asked for. */
  readonly spending: ReadonlyArray<ConsultationSpending>
}

const judgedNotes = (
  judge: string,
  seed: number,
  { items }: ItemSet,
  outcomes: Outcomes,
  spending: ScoredRun["spending"]
): ScoredRun => {
  const failures = items.flatMap(({ id }) => (outcomes[id]?._tag === "failed" ? [outcomes[id].cause] : []))
  return {
    notes: {
      judge,
      replicate: String(seed),
      scores: Float64Array.from(items, ({ id }) => scoreOf(outcomes[id])),
      judged: Uint8Array.from(items, ({ id }) => (outcomes[id] === undefined || outcomes[id]._tag === "failed" ? 0 : 1))
    },
    failed: failures.length,
    failure: failures[0],
    outcomes,
    spending
  }
}

/** What is to be said of judgements that calls failed for; undefined where none did. */
export const failedJudgements = (runs: ReadonlyArray<ScoredRun>): string | undefined => {
  const failed = runs.reduce((sum, run) => sum + run.failed, 0)
  if (failed === 0) return undefined
  const all = runs.reduce((sum, { notes }) => sum + notes.scores.length, 0)
  const first = runs.find(({ failure }) => failure !== undefined)?.failure
  return `${failed} of ${all} judgements could not be had, since calls failed, and are left out; the first: ${first}`
}

/** Asks each model once whether it can be used at all, before anything is spent on it. */
const checkModels = Effect.fn("checkModels")(function* (
  models: ReadonlyArray<NamedModel>,
  place: (model: NamedModel) => string
) {
  const preflight = yield* Preflight
  for (const model of checkable(models)) {
    yield* preflight.check(model.model).pipe(
      Effect.catchTag("ModelError", (error) =>
        // A server that asks for patience is there.
        error.kind === "rate-limited"
          ? Effect.void
          : Effect.fail(inputError({ field: place(model), what: error.message }))
      )
    )
  }
})

/**
 * Judges every note with every judge at every run seed, out of the judgement store where it has been bought before.
 * Models of which nothing has to be bought are not asked and need no key. `sealed` items are fetched only when the models
 * have been found to answer, and then nobody knows what is in the store. `told` is called before each replicate. Gives
 * the replicates in order, and what was bought.
 */
export const runJudges = Effect.fn("runJudges")(function* <E, R>(
  work: Omit<ScoreWork, "items"> & { readonly items: Effect.Effect<ItemSet, E, R> },
  options: {
    readonly sealed: boolean
    readonly told: (what: { readonly judge: string; readonly seed: number }) => Effect.Effect<void>
    readonly place: (model: NamedModel) => string
    /** Whether to find out what the judgements rest on. */
    readonly spending?: boolean
  }
) {
  const record = yield* UseRecorder
  const { judges, seeds } = work
  const { layer: ledger, usage } = scoreLedger()
  const providers = yield* makeProviders
  const [first] = judges
  const models = liveModels({
    run: "score",
    budget: work.budget,
    file: "the command line",
    models: { judge: first!.model.model, reflection: first!.model.model },
    providers,
    patienceMs: work.patienceMs
  }).pipe(Layer.provide(ledger))
  const runs = yield* Effect.gen(function* () {
    const check = (models: ReadonlyArray<NamedModel>) =>
      Effect.andThen(checkScore(models, work.budget, options.place), checkModels(models, options.place))
    if (options.sealed) yield* check([...new Map(judges.map(({ model }) => [model.name, model])).values()])
    const items = yield* work.items
    if (!options.sealed) yield* check((yield* planScore({ ...work, items })).toAsk)
    yield* gatherScore({ ...work, items })
    return yield* Effect.forEach(
      judges.flatMap((judge) => seeds.map((seed) => ({ judge, seed }))),
      Effect.fnUntraced(function* ({ judge, seed }) {
        yield* options.told({ judge: judge.name, seed })
        const uses: Array<AnswerUse> = []
        const outcomes = yield* Judge.use((service) =>
          service.evaluate(judge.instructions, items.items, {
            label: `${judge.name}, replicate ${seed}`,
            candidate: candidateId(judge.instructions)
          })
        ).pipe(
          Effect.provide(designJudge({ judge: judge.judge, model: judge.model.model, seed })),
          Effect.provideService(UseRecorder, (more) => {
            if (options.spending === true) for (const use of more) uses.push(use)
            return record(more)
          })
        )
        const spending = options.spending === true ? yield* spendingOf(items.items, uses) : []
        return judgedNotes(judge.name, seed, items, outcomes, spending)
      })
    )
  }).pipe(Effect.provide(models))
  return { runs, usage: usage() }
})

/** `runJudges` on notes that are at hand. */
export const runScore = (
  work: ScoreWork,
  told: (what: { readonly judge: string; readonly seed: number }) => Effect.Effect<void>,
  spending = false
) =>
  runJudges(
    { ...work, items: Effect.succeed(work.items) },
    { sealed: false, told, place: ({ name }) => `--model ${name}`, spending }
  )
