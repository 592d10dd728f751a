import * as Console from "effect/Console"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { ErrorClass } from "../domain/Dataset.ts"
import { inputError, type Problem, showValue } from "../domain/InputError.ts"
import type { ScoreInput, ScoreReport } from "../report/scoreReport.ts"
import { colourWanted, json, paint, plain, table, warn } from "./output.ts"
import { RunEnded } from "./RunEnded.ts"
import { scoreDataset, scoreDatasetFlags } from "./scoreDataset.ts"

const parseClasses = Effect.fnUntraced(function* (given: Option.Option<string>) {
  if (Option.isNone(given)) return undefined
  const names = given.value.split(",").map((name) => name.trim())
  const known: ReadonlyArray<string> = ErrorClass.literals
  const bad = names.filter((name) => !known.includes(name))
  if (bad.length > 0) {
    return yield* inputError({
      field: "--classes",
      what: "is no class",
      found: showValue(bad.join(",")),
      expected: known.join(", ")
    })
  }
  return names as ReadonlyArray<ErrorClass>
})

/** The comparisons asked for as names, each of which a judge must have. */
const comparisonsOf = (given: ReadonlyArray<string>, trailing: ReadonlyArray<string>) => {
  const names = given.flatMap((one) => one.split(",")).map((name) => name.trim())
  return given.length === 0 ? [] : [...names, ...trailing]
}

const text = (report: ScoreReport, view: typeof import("../report/scoreSections.ts")): string => {
  const { bold, dim } = paint(colourWanted())
  return [
    ...view.headLines(report).map(plain),
    ...view
      .scoreSections(report)
      .flatMap(({ remarks, rows, title }) => [
        "",
        bold(plain(title)),
        ...(rows.length === 0 ? [] : [table(rows)]),
        ...remarks.map((remark) => dim(plain(remark)))
      ])
  ].join("\n")
}

export const score = Command.make(
  "score",
  {
    arguments: Argument.String("dataset").pipe(
      Argument.withDescription("A dataset to judge; none with --scores"),
      Argument.atLeast(0)
    ),
    scores: Flag.String("scores").pipe(
      Flag.withMetavar("FILE"),
      Flag.withDescription(
        "A table of scores made elsewhere, CSV or JSONL: consultation, note, clean (id of the clean twin, empty for a clean note), class, trace, severity, stratum, judge, replicate, score; or omission-bench's JSON; repeatable"
      ),
      Flag.atLeast(0)
    ),
    ...scoreDatasetFlags,
    compare: Flag.String("compare").pipe(
      Flag.withMetavar("A B"),
      Flag.withDescription("Compare judge A with judge B (also A,B); each with each earlier one, if not given"),
      Flag.atLeast(0)
    ),
    classes: Flag.String("classes").pipe(
      Flag.withDescription("Classes that the figures and the operating point are of, with commas; all, if not given"),
      Flag.optional
    ),
    cap: Flag.Finite("cap").pipe(
      Flag.withDescription("Most false alarms at the operating point, as a share of the clean notes"),
      Flag.withDefault(0.1)
    ),
    resamples: Flag.Int("resamples").pipe(Flag.withDescription("Of the bootstrap"), Flag.withDefault(10_000)),
    seed: Flag.Int("seed").pipe(
      Flag.withDescription("Of bootstrap, permutation and imputation; not of the judges"),
      Flag.withDefault(11)
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
    force: Flag.Boolean("force").pipe(Flag.withDescription("Replace files that are there"), Flag.withDefault(false))
  },
  Effect.fn(function* (input) {
    const classes = yield* parseClasses(input.classes)
    const problems: Array<Problem> = []
    if (!(input.cap >= 0 && input.cap <= 1)) {
      problems.push({ field: "--cap", what: "is no share", found: String(input.cap), expected: "a number from 0 to 1" })
    }
    if (input.resamples < 1000) {
      problems.push({
        field: "--resamples",
        what: "is too few for the ends of a 95 % interval, of which 25 resamples lie beyond each at 1,000",
        found: String(input.resamples),
        expected: "at least 1000"
      })
    }
    const fromTables = input.scores.length > 0
    const [dataset] = fromTables ? [] : input.arguments
    const trailing = fromTables ? input.arguments : input.arguments.slice(1)
    if (fromTables && input.judge.length > 0) {
      problems.push({ field: "--judge", what: "has no meaning with --scores, which asks no model" })
    }
    if (!fromTables && dataset === undefined) {
      problems.push({
        what: "names neither a dataset nor a table of scores",
        expected: "a dataset and --judge FILE, or --scores FILE"
      })
    }
    if (input.compare.length === 0 && trailing.length > 0) {
      problems.push({
        what: fromTables ? "a dataset has no meaning with --scores" : "more than one dataset",
        found: showValue(trailing.join(" "))
      })
    }
    const names = comparisonsOf(input.compare, trailing)
    if (names.length % 2 === 1) {
      problems.push({
        field: "--compare",
        what: "names one judge without another",
        found: showValue(names.join(" ")),
        expected: "two judges: --compare A B, or --compare A,B"
      })
    }
    if (problems.length > 0) return yield* inputError(...problems)

    const { defaultComparisons, scoreReport } = yield* Effect.promise(() => import("../report/scoreReport.ts"))
    const scored: Omit<ScoreInput, "compare"> = fromTables
      ? yield* Effect.gen(function* () {
          const { readScoreTables } = yield* Effect.promise(() => import("../dataset/scoresTableRead.ts"))
          const { saveMemory } = yield* Effect.promise(() => import("./scoreMemory.ts"))
          yield* saveMemory(input.scores)
          const { runs, set, warnings } = yield* readScoreTables(input.scores)
          yield* warn(warnings)
          return { source: input.scores.join(", "), set, runs, origins: new Map() }
        })
      : yield* scoreDataset(dataset!, input)

    const judges = [...new Set(scored.runs.map(({ judge }) => judge))]
    const unknown = names.filter((name) => !judges.includes(name))
    if (unknown.length > 0) {
      return yield* inputError({
        field: "--compare",
        what: `there is no judge ${unknown.map((name) => showValue(name)).join(", ")}`,
        expected: judges.map((name) => showValue(name)).join(", ")
      })
    }
    const compare =
      names.length === 0
        ? defaultComparisons(judges)
        : Array.from({ length: names.length / 2 }, (_, at) => [names[2 * at]!, names[2 * at + 1]!] as const)
    const report = scoreReport(
      { ...scored, compare },
      { cap: input.cap, seed: input.seed, resamples: input.resamples, ...(classes === undefined ? {} : { classes }) }
    )
    if (report.counts.measured === 0) {
      return yield* inputError({
        field: "--classes",
        what: "there is no pair of these classes",
        found: classes?.join(", ") ?? "all"
      })
    }
    const { writeNewFile } = yield* Effect.promise(() => import("../dataset/write.ts"))
    if (Option.isSome(input.csv)) {
      const { scoreCsv } = yield* Effect.promise(() => import("../report/scoreCsv.ts"))
      yield* writeNewFile(input.csv.value, "the CSV file", scoreCsv(report), { force: input.force })
    }
    if (Option.isSome(input.markdown)) {
      const { scoreMarkdown } = yield* Effect.promise(() => import("../report/scoreMarkdown.ts"))
      yield* writeNewFile(input.markdown.value, "the Markdown file", scoreMarkdown(report), { force: input.force })
    }
    const view = yield* Effect.promise(() => import("../report/scoreSections.ts"))
    yield* Console.log(input.json ? json(report) : text(report, view))
    if (fromTables) return
    const mute = judges.filter((name) =>
      scored.runs.every(({ judge, scores }) => judge !== name || scores.every((score) => Number.isNaN(score)))
    )
    if (mute.length === 0) return
    yield* Console.error(
      plain(
        `broken: no reply of ${mute.map((name) => showValue(name)).join(", ")} could be read as a score. Look at the model's settings, such as maxOutputTokens`
      )
    )
    return yield* new RunEnded({ code: 1 })
  })
).pipe(
  Command.withDescription(
    "Measure judges on pairs: run them on a dataset, or read scores made elsewhere, and compare them"
  ),
  Command.withExamples([
    {
      command: "assize score --scores seed.csv --scores winner.csv --compare winner seed",
      description: "Two tables of scores; no model is asked"
    },
    {
      command:
        "assize score data.jsonl --split splits/mine.json --part acceptance --judge seeds/completeness.md --judge evolved.md --replicates 3",
      description: "Two instructions on the embedded model"
    },
    {
      command:
        "assize score data.jsonl --judge evolved.md --model mini=gpt-5.4-mini --samples 8 --budget-usd 5 --csv figures.csv",
      description: "On a model of OpenAI's, within a budget"
    }
  ])
)
