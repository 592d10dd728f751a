import * as Flag from "effect/cli/Flag"
import { DesignName } from "../domain/DesignName.ts"
import { usualResampling } from "../measure/usualResampling.ts"
import { repeatable } from "./repeatable.ts"
import { storeFlag } from "./store.ts"
import { patienceFlag } from "./trouble.ts"

/** Flags of a scoring that asks models; none of them goes with `--scores`. */
export const scoreDatasetFlags = {
  judge: Flag.String("judge").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription(
      "An instruction, as a seed file or an exported candidate; repeatable. A judge is called by the name in the file's front matter, else by the file's name; with several models, NAME @ MODEL"
    ),
    repeatable
  ),
  designs: Flag.String("designs").pipe(
    Flag.withMetavar("all|NAME,…"),
    Flag.withDescription(
      `Compare designs of judges, each with its own default instructions: all, or some of ${DesignName.literals.join(", ")}; with --judge beside it, those too (default: none)`
    ),
    Flag.optional
  ),
  model: Flag.String("model").pipe(
    Flag.withMetavar("NAME=MODEL"),
    Flag.withDescription(
      "A model: mini=gpt-5.4-mini, or NAME={ provider: openai, model: …, baseUrl: …, apiKeyEnv: … } as in a campaign; repeatable (default: the embedded one)"
    ),
    repeatable
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
    Flag.withDescription("A split of the dataset; to be named where one is known to seal some of it"),
    Flag.optional
  ),
  ignoreSplits: Flag.Boolean("ignore-splits").pipe(
    Flag.withDescription(
      "Judge all consultations although a known split seals some of them as its holdout, which is then spent (default: refuse)"
    ),
    Flag.withDefault(false)
  ),
  part: Flag.String("part").pipe(
    Flag.withMetavar("all|train|acceptance"),
    Flag.withDescription("The part of the split (default: acceptance, or all without a split)"),
    Flag.optional
  ),
  replicates: Flag.Int("replicates").pipe(
    Flag.withDescription("How often each note is judged anew, at run seeds 11, 22, 33, … (default: 1)"),
    Flag.optional
  ),
  samples: Flag.Int("samples").pipe(
    Flag.withDescription("k: judgements behind one score (default: the campaign's, or 1)"),
    Flag.optional
  ),
  budgetCalls: Flag.Int("budget-calls").pipe(
    Flag.withDescription("Most calls that may be sent (default: no limit)"),
    Flag.optional
  ),
  budgetUsd: Flag.Finite("budget-usd").pipe(
    Flag.withDescription("Most US dollars that may be spent (default: no limit)"),
    Flag.optional
  ),
  writeScores: Flag.String("write-scores").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription("Write the score of every note as a table that --scores reads: CSV, or JSONL for *.jsonl"),
    Flag.optional
  ),
  patience: patienceFlag,
  store: storeFlag
}

/** Flags of what is measured and where it is shown. */
export const scoreReportFlags = {
  compare: Flag.String("compare").pipe(
    Flag.withMetavar("A B"),
    Flag.withDescription("Compare judge A with judge B (also A,B); repeatable (default: each with each earlier one)"),
    repeatable
  ),
  classes: Flag.String("classes").pipe(
    Flag.withDescription("Classes that the figures and the operating point are of, with commas (default: all)"),
    Flag.optional
  ),
  cap: Flag.Finite("cap").pipe(
    Flag.withDescription("Most false alarms at the operating point, as a share of the clean notes (default: 0.1)"),
    Flag.optional
  ),
  threshold: Flag.Finite("threshold").pipe(
    Flag.withDescription(
      "Flag below this score, for every judge; nothing is fitted (default: the best one under --cap)"
    ),
    Flag.optional
  ),
  thresholdFrom: Flag.String("threshold-from").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription(
      "Each judge's threshold from an earlier score --json of other notes, by the judge's name (default: the best one under --cap)"
    ),
    Flag.optional
  ),
  resamples: Flag.Int("resamples").pipe(
    Flag.withDescription("Of the bootstrap, at least 1,000 (default: 10,000)"),
    Flag.withDefault(usualResampling.resamples)
  ),
  seed: Flag.Int("seed").pipe(
    Flag.withDescription("Of bootstrap, permutation and imputation; not of the judges (default: 11)"),
    Flag.withDefault(usualResampling.seed)
  ),
  json: Flag.Boolean("json").pipe(
    Flag.withDescription("Print every figure unrounded, with its n and counts, as JSON"),
    Flag.withDefault(false)
  ),
  csv: Flag.String("csv").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription("Write every figure as CSV, one a row"),
    Flag.optional
  ),
  markdown: Flag.String("markdown").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription("Write the tables as Markdown"),
    Flag.optional
  ),
  force: Flag.Boolean("force").pipe(
    Flag.withDescription("Replace files that are there (default: refuse)"),
    Flag.withDefault(false)
  )
}

export type Given<Flags> = {
  readonly [Name in keyof Flags]: Flags[Name] extends Flag.Flag<infer A> ? A : never
}
