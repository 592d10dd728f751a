import * as Console from "effect/Console"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import type { Bought } from "../campaign/scoreLedger.ts"
import type { Budget } from "../domain/Campaign.ts"
import { inputError, type Problem } from "../domain/InputError.ts"
import { CallGate, CurrentGate } from "../model/CallGate.ts"
import type { JudgeOrigin, ScoreInput } from "../report/scoreReport.ts"
import { count, plain, warn } from "./output.ts"
import { RunEnded } from "./RunEnded.ts"
import { Signals } from "./signals.ts"
import { locksOf, storeFile, storeFlag } from "./store.ts"
import { isAttended, patienceFlag, patienceOf, tellTrouble } from "./trouble.ts"

export const scoreDatasetFlags = {
  judge: Flag.String("judge").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription("An instruction, as a seed file or an exported candidate; repeatable"),
    Flag.atLeast(0)
  ),
  model: Flag.String("model").pipe(
    Flag.withMetavar("NAME=MODEL"),
    Flag.withDescription(
      "A model: mini=gpt-5.4-mini, or NAME={ provider: openai, model: …, baseUrl: …, apiKeyEnv: … } as in a campaign; repeatable; the embedded one, if not given"
    ),
    Flag.atLeast(0)
  ),
  campaign: Flag.String("campaign").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription(
      "A campaign whose judge model and samples are taken, and whose split, if it is of this dataset"
    ),
    Flag.optional
  ),
  split: Flag.String("split").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription("A split of the dataset"),
    Flag.optional
  ),
  part: Flag.Literals("part", ["all", "train", "acceptance", "holdout"]).pipe(
    Flag.withDescription(
      "The part of the split: acceptance, if not given, or all without a split; the holdout is refused"
    ),
    Flag.optional
  ),
  replicates: Flag.Int("replicates").pipe(
    Flag.withDescription("How often each note is judged anew, at run seeds 11, 22, 33, …"),
    Flag.withDefault(1)
  ),
  samples: Flag.Int("samples").pipe(
    Flag.withDescription("k: judgements behind one score; the campaign's, or 1, if not given"),
    Flag.optional
  ),
  budgetCalls: Flag.Int("budget-calls").pipe(Flag.withDescription("Most calls that may be sent"), Flag.optional),
  budgetUsd: Flag.Finite("budget-usd").pipe(Flag.withDescription("Most US dollars that may be spent"), Flag.optional),
  patience: patienceFlag,
  store: storeFlag
}

type Flags = {
  readonly [Name in keyof typeof scoreDatasetFlags]: (typeof scoreDatasetFlags)[Name] extends Flag.Flag<infer A>
    ? A
    : never
}

const load = Effect.promise(async () => ({
  ...(await import("../campaign/load.ts")),
  ...(await import("../campaign/scoreItems.ts")),
  ...(await import("../campaign/scoreJudges.ts")),
  ...(await import("../campaign/scoreModels.ts")),
  ...(await import("../campaign/seeds.ts")),
  ...(await import("../judge/wholeNoteScore.ts")),
  ...(await import("../model/key.ts")),
  inUse: (await import("../store/StoreLock.ts")).inUse,
  storeLayer: (await import("../store/store.ts")).layer
}))

const flagProblems = (flags: Flags): ReadonlyArray<Problem> => [
  ...(flags.judge.length === 0
    ? [
        {
          field: "--judge",
          what: "no instruction to judge by",
          expected: "--judge FILE, a seed or an exported candidate"
        }
      ]
    : []),
  ...(flags.replicates < 1 || flags.replicates > 50
    ? [{ field: "--replicates", what: "is out of range", found: String(flags.replicates), expected: "1 to 50" }]
    : []),
  ...(Option.exists(flags.samples, (samples) => samples < 1 || samples > 32)
    ? [
        {
          field: "--samples",
          what: "is out of range",
          found: String(Option.getOrThrow(flags.samples)),
          expected: "1 to 32"
        }
      ]
    : []),
  ...(Option.isSome(flags.campaign) && flags.model.length > 0
    ? [{ field: "--model", what: "and --campaign both name the model", expected: "one of the two" }]
    : []),
  ...(Option.exists(flags.budgetCalls, (calls) => calls < 1)
    ? [{ field: "--budget-calls", what: "is no budget", expected: "at least 1" }]
    : []),
  ...(Option.exists(flags.budgetUsd, (usd) => !(usd > 0))
    ? [{ field: "--budget-usd", what: "is no budget", expected: "above 0" }]
    : [])
]

const paid = ({ calls, unpriced, usd }: Bought): string =>
  `${count(calls, "call")} sent${calls === 0 ? "" : `, $${usd.toFixed(4)}${unpriced === 0 ? "" : ` and ${count(unpriced, "call")} of unknown price`}`}`

/** Runs the judges on the dataset, and gives what measures need of it. Says what will be bought before anything is sent. */
export const scoreDataset = Effect.fn("scoreDataset")(function* (dataset: string, flags: Flags) {
  const path = yield* Path.Path
  const signals = yield* Signals
  const problems = flagProblems(flags)
  if (problems.length > 0) return yield* inputError(...problems)
  const tools = yield* load
  const campaign = Option.isNone(flags.campaign)
    ? undefined
    : (yield* tools.loadCampaign(flags.campaign.value)).campaign
  const own = campaign !== undefined && campaign.dataset === path.resolve(dataset) ? campaign.split : undefined
  const split = Option.getOrElse(flags.split, () => own)
  const part = Option.getOrElse(flags.part, () => (split === undefined ? ("all" as const) : ("acceptance" as const)))
  const { items, warnings } = yield* tools.loadScoreItems(dataset, part, split)
  const seeds = yield* tools.loadSeeds(flags.judge, {
    name: "whole-note-score",
    preamble: tools.preamble,
    contract: tools.contract
  })
  const models =
    campaign !== undefined
      ? [{ name: "judge", model: campaign.models.judge }]
      : flags.model.length === 0
        ? [tools.embedded]
        : yield* Effect.forEach(flags.model, tools.parseModel)
  if (new Set(models.map(({ name }) => name)).size < models.length) {
    return yield* inputError({ field: "--model", what: "two models have one name" })
  }
  const samples = Option.getOrElse(flags.samples, () => campaign?.judge.samples ?? 1)
  const budget: Budget = {
    ...(Option.isSome(flags.budgetCalls) ? { calls: flags.budgetCalls.value } : {}),
    ...(Option.isSome(flags.budgetUsd) ? { usd: flags.budgetUsd.value } : {})
  }
  const judges = tools.scoredJudges(seeds, models)
  const patienceMs = yield* patienceOf(flags.patience, isAttended())
  const work = { items, judges, seeds: tools.replicateSeeds(flags.replicates), samples, budget, patienceMs }
  yield* warn(warnings)
  yield* tools.checkScore(work)

  const gate = new CallGate()
  const file = yield* storeFile(flags.store)
  const stop = (code: number, why: string) => Effect.andThen(Console.error(plain(why)), new RunEnded({ code }))
  const { bought, runs } = yield* Effect.gen(function* () {
    yield* tools.inUse(locksOf(file))
    const plan = yield* tools.planScore(work)
    yield* Console.error(
      plain(
        `plan: ${count(judges.length, "judge")} × ${count(work.seeds.length, "replicate")} × ${count(items.items.length, "note")} × ${count(samples, "sample")}: ${count(plan.judgements, "judgement")}, ${plan.stored} of them in the store; ${count(plan.calls, "call")} to send to ${models.map(({ model }) => tools.modelName(model)).join(", ")}, and one more for each answer that cannot be read`
      )
    )
    if (budget.calls !== undefined && plan.calls > budget.calls) {
      return yield* stop(
        4,
        `the budget of ${count(budget.calls, "call")} does not buy them; nothing was sent. Raise --budget-calls, or take fewer judges, replicates or samples`
      )
    }
    yield* tellTrouble(gate, (line) => process.stderr.write(`${line}\n`), patienceMs)
    signals.drain = () => {
      gate.halt()
      signals.drain = undefined
    }
    return yield* tools.runScore(work, ({ judge, seed }) => Console.error(plain(`judging: ${judge}, run seed ${seed}`)))
  }).pipe(
    Effect.scoped,
    Effect.provideService(CurrentGate, gate),
    Effect.provide(tools.storeLayer(file)),
    Effect.catchTags({
      BudgetExceeded: ({ message }) =>
        stop(
          4,
          `${message.replace(/\. To go on, [\s\S]*$/, "")}. What was bought is kept: raise the budget and run the same command again`
        ),
      Halted: () => stop(130, "stopped; what was bought is kept: run the same command again to go on"),
      JudgeBroken: ({ message }) => stop(1, `no judgement can be had: ${message}`)
    })
  )
  yield* Console.error(paid(bought))
  const origins = new Map(
    judges.map(({ model: { model }, name }): readonly [string, JudgeOrigin] => [
      name,
      {
        model: tools.modelName(model),
        embedded: model.provider === "embedded",
        samples,
        failed: runs.filter(({ notes }) => notes.judge === name).map(({ failed }) => failed)
      }
    ])
  )
  const input: Omit<ScoreInput, "compare"> = {
    source: `${dataset}${split === undefined ? "" : `, ${part} part`}`,
    set: tools.noteSetOf(items),
    runs: runs.map(({ notes }) => notes),
    origins
  }
  return input
})
