import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Budget, ModelConfig } from "../domain/Campaign.ts"
import { candidateId, type Instructions } from "../domain/Candidate.ts"
import { InputError, inputError } from "../domain/InputError.ts"
import type { ItemSet } from "../domain/Item.ts"
import { type Outcomes, scoreOf } from "../domain/Judgement.ts"
import { callSeed } from "../domain/Random.ts"
import { Judge, wholeNoteJudge } from "../judge/Judge.ts"
import { judgeRequest, messages } from "../judge/wholeNoteScore.ts"
import type { JudgedNotes } from "../measure/scoredNotes.ts"
import { checkKeys } from "../model/checkKeys.ts"
import { modelName, requestKey } from "../model/key.ts"
import { layer as liveModels, Preflight } from "../model/live.ts"
import { checkPrices } from "../model/prices.ts"
import { makeProviders } from "../model/providers.ts"
import { JudgementStore } from "../store/JudgementStore.ts"
import { gatherScore } from "./scoreBatches.ts"
import { scoreLedger } from "./scoreLedger.ts"
import type { NamedModel } from "./scoreModels.ts"
import type { Seed } from "./seeds.ts"

/** An instruction asked of a model: one row of the result. */
export interface ScoredJudge {
  readonly name: string
  readonly instructions: Instructions
  readonly instruction: string
  readonly model: NamedModel
  /** What the instruction's file says of where it comes from. */
  readonly provenance?: string
}

/** Every instruction with every model. The model is part of a judge's name where there are several. */
export const scoredJudges = (
  seeds: ReadonlyArray<Seed>,
  models: ReadonlyArray<NamedModel>
): ReadonlyArray<ScoredJudge> =>
  models.flatMap((model) =>
    seeds.map(({ instruction, module, name, provenance }) => ({
      name: models.length === 1 ? name : `${name} @ ${model.name}`,
      instructions: { [module]: instruction },
      instruction,
      model,
      ...(provenance === undefined ? {} : { provenance })
    }))
  )

/** Run seeds of replicates: 11, 22, 33, … [OB §D.2]. */
export const replicateSeeds = (replicates: number): ReadonlyArray<number> =>
  Array.from({ length: replicates }, (_, at) => 11 * (at + 1))

export interface ScoreWork {
  readonly items: ItemSet
  readonly judges: ReadonlyArray<ScoredJudge>
  readonly seeds: ReadonlyArray<number>
  readonly samples: number
  readonly budget: Budget
  /** How long a model that answers nothing is waited for; for ever if undefined. */
  readonly patienceMs?: number | undefined
}

/** How many first answers the work takes, and how many of them are in the store already. An unreadable one is asked for once more. */
export const planScore = Effect.fn("planScore")(function* ({ items, judges, samples, seeds }: ScoreWork) {
  const store = yield* JudgementStore
  const known = new Set<string>()
  let stored = 0
  for (const { instruction, model } of judges) {
    for (const seed of seeds) {
      for (const item of items.items) {
        const asked = messages(item, instruction)
        for (let sample = 0; sample < samples; sample++) {
          const { key } = requestKey(judgeRequest(model.model, asked, callSeed(seed, item.key, sample)))
          if (known.has(key)) continue
          known.add(key)
          if ((yield* store.get(key)) !== undefined) stored++
        }
      }
    }
  }
  return { judgements: known.size, stored, calls: known.size - stored }
})

/** Refuses what cannot be asked: keys that are not set, and a budget in money where a price is not known. */
export const checkScore = Effect.fn("checkScore")(function* ({ budget, judges }: ScoreWork) {
  const models: Readonly<Record<string, ModelConfig>> = Object.fromEntries(
    judges.map(({ model }) => [model.name, model.model])
  )
  const place = (problem: { readonly field?: string }) => ({
    field: `--model ${problem.field?.replace(/^models\./, "") ?? ""}`.trim()
  })
  const problems = [...(yield* checkKeys(models)), ...checkPrices(models, budget)]
  if (problems.length > 0) {
    return yield* new InputError({ problems: problems.map((problem) => ({ ...problem, ...place(problem) })) })
  }
})

export interface ScoredRun {
  readonly notes: JudgedNotes
  /** Notes whose calls failed: infrastructure, not judgement. They are as if they had not been judged. */
  readonly failed: number
}

const judgedNotes = (judge: string, seed: number, { items }: ItemSet, outcomes: Outcomes): ScoredRun => ({
  notes: {
    judge,
    replicate: String(seed),
    scores: Float64Array.from(items, ({ id }) => scoreOf(outcomes[id])),
    judged: Uint8Array.from(items, ({ id }) => (outcomes[id] === undefined || outcomes[id]._tag === "failed" ? 0 : 1))
  },
  failed: items.filter(({ id }) => outcomes[id]?._tag === "failed").length
})

/** Asks each model once whether it can be used at all, before anything is spent on it. */
const checkModels = Effect.fn("checkModels")(function* (
  judges: ReadonlyArray<ScoredJudge>,
  place: (model: NamedModel) => string
) {
  const preflight = yield* Preflight
  const checked = new Set<string>()
  for (const { model } of judges) {
    if (model.model.provider === "embedded" || checked.has(modelName(model.model))) continue
    checked.add(modelName(model.model))
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
 * `items` are fetched once the models have been found to answer. `told` is called before each replicate. Gives the
 * replicates in order, and what was bought.
 */
export const runJudges = Effect.fn("runJudges")(function* <E, R>(
  work: Omit<ScoreWork, "items"> & { readonly items: Effect.Effect<ItemSet, E, R> },
  options: {
    readonly told: (what: { readonly judge: string; readonly seed: number }) => Effect.Effect<void>
    readonly place: (model: NamedModel) => string
  }
) {
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
    yield* checkModels(judges, options.place)
    const items = yield* work.items
    yield* gatherScore({ ...work, items })
    return yield* Effect.forEach(
      judges.flatMap((judge) => seeds.map((seed) => ({ judge, seed }))),
      Effect.fnUntraced(function* ({ judge, seed }) {
        yield* options.told({ judge: judge.name, seed })
        const outcomes = yield* Judge.use((service) =>
          service.evaluate(judge.instructions, items.items, {
            label: `${judge.name}, replicate ${seed}`,
            candidate: candidateId(judge.instructions)
          })
        ).pipe(
          Effect.provide(
            wholeNoteJudge({
              judge: { design: "whole-note-score", samples: work.samples },
              model: judge.model.model,
              seed
            })
          )
        )
        return judgedNotes(judge.name, seed, items, outcomes)
      })
    )
  }).pipe(Effect.provide(models))
  return { runs, usage: usage() }
})

/** `runJudges` on notes that are at hand. */
export const runScore = (
  work: ScoreWork,
  told: (what: { readonly judge: string; readonly seed: number }) => Effect.Effect<void>
) => runJudges({ ...work, items: Effect.succeed(work.items) }, { told, place: ({ name }) => `--model ${name}` })
