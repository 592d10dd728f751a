import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { CleanScore } from "../confirm/calibration.ts"
import { cleanItems } from "../dataset/cleanItems.ts"
import { readDataset } from "../dataset/read.ts"
import { readScoreTables } from "../dataset/scoresTableRead.ts"
import type { Budget } from "../domain/Campaign.ts"
import { InputError, inputError, type Problem, showValue } from "../domain/InputError.ts"
import { checkDesign } from "../judge/designProblems.ts"
import { designOf } from "../judge/designs/registry.ts"
import type { JudgedNotes } from "../measure/scoredNotes.ts"
import { clusterNumbers } from "../statistics/clusterOrder.ts"
import { Runs } from "../store/Runs.ts"
import { spendHoldouts } from "./confirmLedger.ts"
import { judgeConfigs, seedDesigns } from "./judgeConfigs.ts"
import { loadCampaign } from "./load.ts"
import { holdoutSpent } from "./scoreItems.ts"
import { failedJudgements, judgesOfSeeds, replicateSeeds, runScore, scoredJudges } from "./scoreJudges.ts"
import { embedded, parseModel } from "./scoreModels.ts"
import { sealedSplits } from "./sealedSplits.ts"
import { loadSeeds, type Seed } from "./seeds.ts"

/** Clean notes with a judge's scores, and what is known of a threshold that came with the judge. */
export interface CalibrationNotes {
  readonly source: string
  readonly notes: ReadonlyArray<CleanScore>
  /** Notes whose calls failed; they are not among the notes. */
  readonly failed: number
  /** What is to be said of them. */
  readonly warning: string | undefined
  /** What is to be said where a sealed holdout was among what was judged. */
  readonly spent?: Problem
  readonly known:
    | { readonly threshold: number; readonly promised: { readonly count: number; readonly n: number } }
    | undefined
}

/** The clean notes of a table of scores. */
export const notesOfTable = Effect.fn("notesOfTable")(function* (file: string, of: string | undefined) {
  const { runs, set } = yield* readScoreTables([file], { pairs: "optional" })
  const judges = [...new Set(runs.map(({ judge }) => judge))]
  if (of === undefined ? judges.length > 1 : !judges.includes(of)) {
    return yield* inputError({
      file,
      field: "--of",
      what:
        of === undefined ? "the table has several judges, and a threshold is one judge's" : "there is no such judge",
      ...(of === undefined ? {} : { found: showValue(of) }),
      expected: `one of ${judges.map((judge) => showValue(judge)).join(", ")}`
    })
  }
  const [run, ...others] = runs.filter(({ judge }) => judge === (of ?? judges[0])) as [JudgedNotes, ...typeof runs]
  const flawed = new Set(set.pairs.flawed)
  const clean = Array.from(run.scores.keys()).filter((note) => !flawed.has(note))
  return {
    source: `${file}, judge ${run.judge}${others.length === 0 ? "" : `, the first of ${others.length + 1} replicates (${run.replicate})`}`,
    notes: clean
      .filter((note) => run.judged[note] === 1)
      .map((note) => ({ cluster: set.consultation[note]!, score: run.scores[note]! })),
    failed: 0,
    warning: undefined,
    known: undefined
  } satisfies CalibrationNotes
})

const Confirmation = Schema.Struct({
  threshold: Schema.Struct({
    flagBelow: Schema.Finite,
    falseAlarms: Schema.Struct({ count: Schema.Natural, n: Schema.Natural })
  })
})
const decodeConfirmation = Schema.decodeUnknownOption(Confirmation)

/** The threshold that a confirmed prompt's front matter promises. */
const knownThreshold = ({ confirmation }: Seed): CalibrationNotes["known"] => {
  const read = decodeConfirmation(confirmation)
  if (read._tag === "None") return undefined
  const { falseAlarms, flagBelow } = read.value.threshold
  return { threshold: flagBelow, promised: falseAlarms }
}

/** Judges the clean notes of a dataset, out of the judgement store where they were bought before. */
export const judgedNotes = Effect.fn("judgedNotes")(function* (
  dataset: string,
  options: {
    /** Files of instructions: one, or one of each module of the judge. */
    readonly judge: ReadonlyArray<string>
    readonly model: string | undefined
    readonly campaign: string | undefined
    readonly samples: number | undefined
    readonly budget: Budget
    readonly patienceMs: number | undefined
    /** Judge notes too that a known split seals as its holdout. */
    readonly ignoreSplits: boolean
  }
) {
  const campaign = options.campaign === undefined ? undefined : (yield* loadCampaign(options.campaign)).campaign
  const judgeOf = judgeConfigs(campaign?.judge, options.samples)
  const seeds = yield* loadSeeds(options.judge, seedDesigns(judgeOf, campaign?.judge.design))
  const [seed] = seeds
  const groups = judgesOfSeeds(seeds, judgeOf)
  if (groups.length > 1) {
    return yield* inputError({
      field: "--judge",
      what: "a threshold is one judge's, and these files make several",
      found: groups.map(({ name }) => showValue(name)).join(", "),
      expected: "one file, or files of one name for the modules of one design"
    })
  }
  const model =
    campaign !== undefined
      ? { name: "judge", model: campaign.models.judge }
      : options.model === undefined
        ? embedded
        : yield* parseModel(options.model)
  const { consultations } = yield* readDataset(dataset)
  // A run that cannot be read hides no other split: those beside the data are looked for all the same.
  const runs = yield* Effect.orElseSucceed(
    Runs.use((known) => known.list()),
    () => []
  )
  const campaigns = [
    ...runs.map(({ campaignFile }) => campaignFile),
    ...(options.campaign === undefined ? [] : [options.campaign])
  ]
  const sealed = yield* sealedSplits(dataset, consultations, campaigns)
  if (sealed.length > 0 && !options.ignoreSplits) {
    return yield* new InputError({
      problems: sealed.map(({ file, holdout }) => ({
        file: dataset,
        what: `the split ${file} seals ${holdout} of these consultations as its holdout: a threshold is calibrated on clean notes of your own, not on a benchmark's`,
        hint: "Give the notes of a deployment; to judge these all the same: --ignore-splits"
      }))
    })
  }
  const items = cleanItems(consultations)
  if (items.items.length === 0) {
    return yield* inputError({
      file: dataset,
      what: "the dataset has no clean note",
      expected: "notes that are not the flawed side of a pair"
    })
  }
  const judges = scoredJudges(groups, [model])
  const unfit = checkDesign(dataset, designOf(judges[0]!.judge), items.items)
  if (unfit !== undefined) return yield* unfit
  const work = {
    items,
    judges,
    seeds: replicateSeeds(1),
    budget: options.budget,
    patienceMs: options.patienceMs
  }
  yield* spendHoldouts(sealed, `calibrated on its clean notes: ${seed!.name}`)
  const { runs: judged } = yield* runScore(work, () => Effect.void)
  const { notes } = judged[0]!
  const clusters = clusterNumbers(items.items.map(({ consultation }) => consultation))
  return {
    source: `${dataset}, judge ${seed!.name}`,
    notes: items.items.flatMap(({ consultation }, at) =>
      notes.judged[at] === 1 ? [{ cluster: clusters.get(consultation)!, score: notes.scores[at]! }] : []
    ),
    failed: judged[0]!.failed,
    warning: failedJudgements(judged),
    ...(sealed.length === 0 ? {} : { spent: holdoutSpent(dataset, sealed) }),
    known: knownThreshold(seed!)
  } satisfies CalibrationNotes
})
