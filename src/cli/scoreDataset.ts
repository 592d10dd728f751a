import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import type { Budget } from "../domain/Campaign.ts"
import { type InputError, inputError, type Problem, showValue } from "../domain/InputError.ts"
import type { ItemSet } from "../domain/Item.ts"
import type { GridInput } from "../measure/designGrid.ts"
import type { JudgeOrigin, ScoreInput } from "../measure/scoreReport.ts"
import type { RoleUsage } from "../store/roleUsage.ts"
import { judging } from "./judging.ts"
import { count, errorColumns, plain, warn } from "./output.ts"
import { checkFree } from "./outputs.ts"
import { RunEnded } from "./RunEnded.ts"
import type { Given, scoreDatasetFlags, scoreReportFlags } from "./scoreFlags.ts"
import { storeFile } from "./store.ts"
import { table } from "./table.ts"

/** What there is of judgements beside their scores. */
interface Scored {
  readonly usage: ReadonlyArray<RoleUsage>
  readonly items: ItemSet
  /** For the comparison of designs, by judge; empty where none was asked for. */
  readonly grid: ReadonlyMap<string, GridInput>
}

type Flags = Given<typeof scoreDatasetFlags> & Pick<Given<typeof scoreReportFlags>, "csv" | "force" | "markdown">

const parts = ["all", "train", "acceptance"] as const

const load = Effect.promise(async () => ({
  ...(await import("../campaign/chosenBy.ts")),
  ...(await import("../campaign/confirmLedger.ts")),
  ...(await import("../campaign/load.ts")),
  ...(await import("../campaign/scoreItems.ts")),
  ...(await import("../campaign/scoreJudges.ts")),
  ...(await import("../campaign/scoreModels.ts")),
  ...(await import("../campaign/scoreRows.ts")),
  notForCsv: (await import("../dataset/import/scoreTable.ts")).notForCsv,
  ...(await import("../campaign/seeds.ts")),
  ...(await import("../campaign/designGrid.ts")),
  ...(await import("../judge/designProblems.ts")),
  ...(await import("../campaign/judgeConfigs.ts")),
  ...(await import("../judge/designs/registry.ts")),
  ...(await import("../model/key.ts")),
  ...(await import("../store/roleUsage.ts")),
  ...(await import("../terminal/format.ts")),
  ...(await import("../terminal/usageTable.ts")),
  ...(await import("../store/Runs.ts")),
  storeLayer: (await import("../store/store.ts")).layer
}))

const flagProblems = (flags: Flags): ReadonlyArray<Problem> => [
  ...(flags.judge.length === 0 && Option.isNone(flags.designs)
    ? [
        {
          field: "--judge",
          what: "no instruction to judge by",
          expected: "--judge FILE, a seed or an exported candidate, or --designs all"
        }
      ]
    : []),
  ...(Option.exists(flags.replicates, (replicates) => replicates < 1 || replicates > 50)
    ? [
        {
          field: "--replicates",
          what: "is out of range",
          found: String(Option.getOrThrow(flags.replicates)),
          expected: "1 to 50"
        }
      ]
    : []),
  ...(Option.exists(flags.part, (part) => part !== "holdout" && !parts.some((one) => one === part))
    ? [
        {
          field: "--part",
          what: "is no part that is scored",
          found: showValue(Option.getOrThrow(flags.part)),
          expected: parts.join(", ")
        }
      ]
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

/** ` × 8 samples`, where all judges take as many. */
const samplesText = (judges: ReadonlyArray<{ readonly judge: { readonly samples: number } }>): string => {
  const numbers = [...new Set(judges.map(({ judge }) => judge.samples))]
  return numbers.length === 1 ? ` × ${count(numbers[0]!, "sample")}` : ` × ${numbers.join(" or ")} samples`
}

const paid = ({ spent, usageTotals }: Effect.Success<typeof load>, usage: ReadonlyArray<RoleUsage>): string => {
  const { answered, calls, ...totals } = usageTotals(usage)
  return `${count(calls, "call")} sent${calls === 0 ? "" : `, ${answered} answered, cost ${answered === 0 ? "nothing" : spent(totals)}`}`
}

interface KnownRun {
  readonly id: string
  readonly campaignFile: string
  readonly split: string
}

/** The runs of a store that is there; none where it cannot be read, which is said when it is opened to work with. */
const knownRuns = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const { Runs, storeLayer } = yield* load
  if (!(yield* Effect.orElseSucceed(fs.exists(file), () => false))) return []
  return yield* Runs.use((runs) => runs.list()).pipe(
    Effect.map((runs) =>
      runs.map(({ campaignFile, id, settings }): KnownRun => ({ id, campaignFile, split: settings.split }))
    ),
    Effect.provide(storeLayer(file)),
    Effect.orElseSucceed((): ReadonlyArray<KnownRun> => [])
  )
})

const isJsonl = (file: string): boolean => /\.(jsonl|ndjson)$/i.test(file)

/** Writes the notes' scores, and says what the table cannot carry. */
const writeScores = Effect.fnUntraced(function* (
  file: string,
  { lost, rows }: import("../campaign/scoreRows.ts").ScoreRows,
  force: boolean
) {
  const { scoreCsv, scoreJsonl } = yield* Effect.promise(() => import("../dataset/import/scoreTable.ts"))
  const { writeNewFile } = yield* Effect.promise(() => import("../dataset/write.ts"))
  yield* writeNewFile(file, "the table of scores", isJsonl(file) ? scoreJsonl(rows) : scoreCsv(rows), { force })
  if (lost > 0) {
    yield* warn([
      {
        file,
        what: `${count(lost, "pair")} of notes that are flawed in several pairs are not in the table, which has one clean twin a note`
      }
    ])
  }
})

/**
 * Runs the judges on the dataset, and gives what measures need of it. Says what will be bought before anything is sent,
 * and refuses what can be known to be wrong before; `checkNames` may refuse the judges' names.
 */
export const scoreDataset = Effect.fn("scoreDataset")(function* (
  dataset: string,
  flags: Flags,
  checkNames: (judges: ReadonlyArray<string>) => Effect.Effect<void, InputError>
) {
  const path = yield* Path.Path
  const fs = yield* FileSystem.FileSystem
  const problems = flagProblems(flags)
  if (problems.length > 0) return yield* inputError(...problems)
  const tools = yield* load
  const designs = Option.isNone(flags.designs) ? [] : yield* tools.parseDesigns(flags.designs.value)
  const campaign = Option.isNone(flags.campaign)
    ? undefined
    : (yield* tools.loadCampaign(flags.campaign.value)).campaign
  const own = campaign !== undefined && campaign.dataset === path.resolve(dataset) ? campaign.split : undefined
  const split = Option.getOrElse(flags.split, () => own)
  if (split !== undefined && flags.ignoreSplits) {
    return yield* inputError({
      field: "--ignore-splits",
      what: `has no meaning with ${Option.isSome(flags.split) ? "--split" : "--campaign, which has a split of this dataset"}: a part of it is judged`
    })
  }
  const part = Option.getOrElse(flags.part, () => (split === undefined ? "all" : "acceptance")) as
    | (typeof parts)[number]
    | "holdout"
  const file = yield* storeFile(flags.store)
  const runsKnown = yield* knownRuns(file)
  const { items, spent, splitHash, warnings } = yield* tools.loadScoreItems(dataset, part, split, {
    campaigns: [...runsKnown.map(({ campaignFile }) => campaignFile), ...Option.toArray(flags.campaign)],
    ignoreSplits: flags.ignoreSplits
  })
  const judgeOf = tools.judgeConfigs(campaign?.judge, Option.getOrUndefined(flags.samples))
  const seeds = yield* tools.loadSeeds(flags.judge, tools.seedDesigns(judgeOf, campaign?.judge.design))
  const models =
    campaign !== undefined
      ? [{ name: "judge", model: campaign.models.judge }]
      : flags.model.length === 0
        ? [tools.embedded]
        : yield* Effect.forEach(flags.model, tools.parseModel)
  if (new Set(models.map(({ name }) => name)).size < models.length) {
    return yield* inputError({ field: "--model", what: "two models have one name" })
  }
  const budget: Budget = {
    ...(Option.isSome(flags.budgetCalls) ? { calls: flags.budgetCalls.value } : {}),
    ...(Option.isSome(flags.budgetUsd) ? { usd: flags.budgetUsd.value } : {})
  }
  const judges = tools.scoredJudges(
    [
      ...tools.judgesOfSeeds(seeds, judgeOf),
      ...tools.judgesOfDesigns(designs, judgeOf, Option.getOrUndefined(flags.samples))
    ],
    models
  )
  const namesake = judges.find(({ name }, at) => judges.findIndex((other) => other.name === name) < at)
  if (namesake !== undefined) {
    return yield* inputError({
      field: "--judge",
      what: "two judges have one name",
      found: showValue(namesake.name),
      hint: "Give one of the files another name in its front matter"
    })
  }
  const unfit = [...new Map(judges.map(({ judge }) => [judge.design, judge])).values()].flatMap((judge) =>
    tools.designProblems(dataset, tools.designOf(judge), items.items)
  )
  if (unfit.length > 0) return yield* inputError(...unfit)
  const work = {
    items,
    judges,
    seeds: tools.replicateSeeds(Option.getOrElse(flags.replicates, () => 1)),
    budget
  }
  if (Option.exists(flags.writeScores, (name) => !isJsonl(name))) {
    const texts = tools.textsOfRows(
      items,
      judges.map(({ name }) => name)
    )
    const unfit = tools.notForCsv(texts)
    if (unfit !== undefined) return yield* inputError({ ...unfit, field: "--write-scores" })
  }
  yield* checkNames(judges.map(({ name }) => name))
  yield* warn(warnings)
  // Where there is no store, nothing is in it: then it is not made either.
  if (!(yield* Effect.orElseSucceed(fs.exists(file), () => true))) yield* tools.checkScore(models, budget)

  const { runs, usage } = yield* judging(
    flags,
    Effect.fnUntraced(function* ({ begin, patienceMs }) {
      const plan = yield* tools.planScore(work)
      yield* tools.checkScore(plan.toAsk, budget)
      // A command that buys nothing may be repeated: it writes what is there already.
      if (plan.calls > 0 && !flags.force)
        yield* checkFree({ csv: flags.csv, markdown: flags.markdown, "write-scores": flags.writeScores })
      yield* Console.error(
        plain(
          `plan: ${count(judges.length, "judge")} × ${count(work.seeds.length, "replicate")} × ${count(items.items.length, "note")}${samplesText(judges)}: ${count(plan.judgements, "judgement")}, ${plan.stored} of them in the store${plan.inBatches === 0 ? "" : `, ${plan.inBatches} in batches under way`}; ${plan.atLeast ? "at least " : ""}${count(plan.calls, "call")} to send to ${models.map(({ model }) => tools.modelName(model)).join(", ")}, and one more for each answer that cannot be read`
        )
      )
      if (budget.calls !== undefined && plan.calls > budget.calls) {
        yield* Console.error(
          `the budget of ${count(budget.calls, "call")} does not buy them; nothing was sent. Raise --budget-calls, or take fewer judges, replicates or samples`
        )
        return yield* new RunEnded({ code: 4 })
      }
      yield* begin
      yield* tools.spendHoldouts(
        spent ?? [],
        `scored outside of a confirmation: ${judges.map(({ name }) => name).join(", ")}`
      )
      return yield* tools.runScore(
        { ...work, patienceMs },
        ({ judge, seed }) => Console.error(plain(`judging: ${judge}, run seed ${seed}`)),
        Option.isSome(flags.designs)
      )
    })
  )
  // Beside the result, which is the same however many of its judgements were in the store.
  yield* Console.error(
    [
      paid(tools, usage),
      ...(usage.length === 0
        ? []
        : [table(tools.usageRows(usage), { width: errorColumns() }), ...tools.usageRemarks(usage)])
    ].join("\n")
  )
  const failed = tools.failedJudgements(runs)
  if (failed !== undefined) yield* warn([{ what: failed, hint: "The same command asks for them again" }])
  if (Option.isSome(flags.writeScores)) {
    const rows = tools.scoreRows(
      items,
      runs.map(({ notes }) => notes)
    )
    yield* writeScores(flags.writeScores.value, rows, flags.force)
  }
  /** The run whose acceptance part this is, and which chose the judge by it. */
  const chosenBy = (judge: (typeof judges)[number]): string | null => {
    const run = tools.runOfProvenance(judge.provenance)
    if (run === undefined || part !== "acceptance") return null
    const known = runsKnown.find(({ id }) => id === run)
    return known === undefined || known.split === splitHash ? run : null
  }
  const origins = new Map(
    judges.map((judge): readonly [string, JudgeOrigin] => [
      judge.name,
      {
        model: tools.modelName(judge.model.model),
        embedded: judge.model.model.provider === "embedded",
        samples: judge.judge.samples,
        failed: runs.filter(({ notes }) => notes.judge === judge.name).map(({ failed }) => failed),
        chosenBy: chosenBy(judge)
      }
    ])
  )
  const [firstSeed] = work.seeds
  const grid = new Map(
    Option.isNone(flags.designs)
      ? []
      : runs
          .filter(({ notes }) => notes.replicate === String(firstSeed))
          .map(({ notes, outcomes, spending }) => [notes.judge, { outcomes, spending }] as const)
  )
  const input: Omit<ScoreInput, "compare"> & Pick<Scored, "grid" | "items" | "usage"> = {
    source: `${dataset}${split === undefined ? "" : `, ${part} part`}`,
    set: tools.noteSetOf(items),
    runs: runs.map(({ notes }) => notes),
    origins,
    usage,
    items,
    grid
  }
  return input
})
