import * as Console from "effect/Console"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { ErrorClass } from "../domain/Dataset.ts"
import { inputError, type Problem, showValue } from "../domain/InputError.ts"
import type { ItemSet } from "../domain/Item.ts"
import type { GridInput } from "../measure/designGrid.ts"
import type { ScoreInput } from "../measure/scoreReport.ts"
import type { RoleUsage } from "../store/roleUsage.ts"
import { json, plain, warn } from "./output.ts"
import { outputProblems } from "./outputs.ts"
import { RunEnded } from "./RunEnded.ts"
import { repeatable } from "./repeatable.ts"
import { isAboutAnswers, scoreAnswers, scoreAnswersFlags } from "./scoreAnswers.ts"
import { checkJudgeThresholds } from "./scoreChecks.ts"
import { comparedNames, comparedProblems } from "./scoreCompared.ts"
import { scoreDataset } from "./scoreDataset.ts"
import { type Given, scoreDatasetFlags, scoreReportFlags } from "./scoreFlags.ts"
import { sectionsText } from "./sections.ts"
import { computing } from "./signals.ts"
import { storeFile } from "./store.ts"
import { meaningless, onlyOne } from "./together.ts"

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

/** Flags that mean nothing without a dataset, and those that mean nothing of answers. */
const datasetOnly = Object.keys(scoreDatasetFlags) as ReadonlyArray<keyof typeof scoreDatasetFlags>
const scoresOnly = ["classes", "cap", "threshold", "thresholdFrom"] as const

const filesRead = (
  input: Given<typeof scoreDatasetFlags & typeof scoreAnswersFlags & typeof scoreReportFlags> & {
    readonly arguments: ReadonlyArray<string>
    readonly scores: ReadonlyArray<string>
  }
): ReadonlyArray<readonly [what: string, file: string]> => [
  ...input.arguments.slice(0, 1).map((file) => ["the dataset", file] as const),
  ...(
    [
      ["judge", input.judge],
      ["scores", input.scores],
      ["answers", input.answers],
      ["verdicts", input.verdicts],
      ...(["questions", "labels", "campaign", "split", "thresholdFrom"] as const).map(
        (name) => [name === "thresholdFrom" ? "threshold-from" : name, Option.toArray(input[name])] as const
      )
    ] as const
  ).flatMap(([name, files]) => files.map((file) => [`--${name}`, file] as const))
]

/** The threshold given for every judge, or for each by name. */
const givenThresholds = Effect.fnUntraced(function* (
  input: Pick<Given<typeof scoreReportFlags>, "threshold" | "thresholdFrom">
) {
  if (Option.isSome(input.threshold)) return input.threshold.value
  if (Option.isNone(input.thresholdFrom)) return undefined
  const { readThresholds } = yield* Effect.promise(() => import("../report/scoreThresholds.ts"))
  return yield* readThresholds(input.thresholdFrom.value)
})

export const score = Command.make(
  "score",
  {
    arguments: Argument.String("dataset").pipe(
      Argument.withDescription("A dataset to judge; none with --scores, --answers or --verdicts"),
      Argument.atLeast(0)
    ),
    scores: Flag.String("scores").pipe(
      Flag.withMetavar("FILE"),
      Flag.withDescription(
        "A table of scores made elsewhere, CSV or JSONL: consultation, note, clean (id of the clean twin, empty for a clean note), class, trace, severity, stratum, judge, replicate, score; or omission-bench's JSON; repeatable. A score is higher for a better note; a judge is called by the column judge, else by the file's name"
      ),
      repeatable
    ),
    ...scoreDatasetFlags,
    ...scoreAnswersFlags,
    ...scoreReportFlags
  },
  Effect.fn(function* (input) {
    const classes = yield* parseClasses(input.classes)
    const problems: Array<Problem> = []
    const cap = Option.getOrElse(input.cap, () => 0.1)
    if (!(cap >= 0 && cap <= 1)) {
      problems.push({ field: "--cap", what: "is no share", found: String(cap), expected: "a number from 0 to 1" })
    }
    if (input.resamples < 1000) {
      problems.push({
        field: "--resamples",
        what: "is too few to find the ends of a 95 % interval by",
        found: String(input.resamples),
        expected: "at least 1000"
      })
    }
    const fromTables = input.scores.length > 0
    const answering = isAboutAnswers(input)
    const instead = answering ? "--answers or --verdicts" : fromTables ? "--scores" : undefined
    const [dataset] = instead === undefined ? input.arguments : []
    const trailing = instead === undefined ? input.arguments.slice(1) : input.arguments
    if (instead !== undefined)
      problems.push(...meaningless(input, datasetOnly, `has no meaning with ${instead}, where no model is asked`))
    if (answering)
      problems.push(...meaningless(input, scoresOnly, `has no meaning with ${instead}, which are no scores`))
    if (input.verdicts.length > 0)
      problems.push(...meaningless(input, ["compare"], "has no meaning with --verdicts, which are held against labels"))
    if (answering && fromTables) {
      problems.push({ field: "--scores", what: `and ${instead} are two measurements`, expected: "one of the two" })
    }
    problems.push(...onlyOne(input, ["cap", "threshold", "thresholdFrom"]))
    if (instead === undefined && dataset === undefined) {
      problems.push({
        what: "names neither a dataset nor a table of scores",
        expected:
          "a dataset and --judge FILE or --designs all, or --scores FILE; for answers --questions FILE and --answers FILE"
      })
    }
    if (input.compare.length === 0 && trailing.length > 0) {
      problems.push({
        what: instead === undefined ? "more than one dataset" : `a dataset has no meaning with ${instead}`,
        found: showValue(trailing.join(" "))
      })
    }
    problems.push(
      ...outputProblems({ csv: input.csv, markdown: input.markdown, "write-scores": input.writeScores }, [
        ...filesRead(input),
        ["the store", yield* storeFile(input.store)]
      ])
    )
    const compared = { given: input.compare, trailing: input.compare.length === 0 ? [] : trailing }
    problems.push(...comparedProblems(compared))
    if (problems.length > 0) return yield* inputError(...problems)
    if (answering) return yield* scoreAnswers(input, compared)
    const threshold = yield* givenThresholds(input)
    /** The comparisons asked for, by the judges that there are; refused where a judge or its threshold is not known. */
    const namesOf = Effect.fnUntraced(function* (judges: ReadonlyArray<string>) {
      const asked = comparedNames(compared, judges)
      if ("what" in asked) return yield* inputError(asked)
      yield* checkJudgeThresholds(judges, threshold)
      return asked
    })

    const { defaultComparisons, scoreReport } = yield* Effect.promise(() => import("../measure/scoreReport.ts"))
    const scored: Omit<ScoreInput, "compare"> & {
      readonly usage?: ReadonlyArray<RoleUsage>
      readonly items?: ItemSet
      readonly grid?: ReadonlyMap<string, GridInput>
    } = fromTables
      ? yield* Effect.gen(function* () {
          const { readScoreTables } = yield* Effect.promise(() => import("../dataset/scoresTableRead.ts"))
          const { saveMemory } = yield* Effect.promise(() => import("./scoreMemory.ts"))
          yield* saveMemory(input.scores)
          const { runs, set, warnings } = yield* readScoreTables(input.scores)
          yield* warn(warnings)
          return { source: input.scores.join(", "), set, runs, origins: new Map() }
        })
      : yield* scoreDataset(dataset!, input, (judges) => Effect.asVoid(namesOf(judges)))

    const judges = [...new Set(scored.runs.map(({ judge }) => judge))]
    const asked = yield* namesOf(judges)
    const compare = asked.length === 0 ? defaultComparisons(judges) : asked
    const report = yield* computing(() =>
      scoreReport(
        { ...scored, compare },
        {
          cap,
          seed: input.seed,
          resamples: input.resamples,
          ...(classes === undefined ? {} : { classes }),
          ...(threshold === undefined ? {} : { threshold })
        }
      )
    )
    if (report.counts.measured === 0) {
      return yield* inputError({
        field: "--classes",
        what: "there is no pair of these classes",
        found: classes?.join(", ") ?? "all"
      })
    }
    const { designGrid } = yield* Effect.promise(() => import("../measure/designGrid.ts"))
    const { designGridRows, designGridSection } = yield* Effect.promise(() => import("../report/designGridSection.ts"))
    const grid =
      scored.items === undefined || scored.grid === undefined || scored.grid.size === 0
        ? undefined
        : designGrid(scored.items, report.judges, scored.grid, report.settings)
    const { writeNewFile } = yield* Effect.promise(() => import("../dataset/write.ts"))
    if (Option.isSome(input.csv)) {
      const { scoreCsv } = yield* Effect.promise(() => import("../report/scoreCsv.ts"))
      yield* writeNewFile(input.csv.value, "the CSV file", scoreCsv(report, designGridRows(grid ?? [])), {
        force: input.force
      })
    }
    if (Option.isSome(input.markdown)) {
      const { scoreMarkdown } = yield* Effect.promise(() => import("../report/scoreMarkdown.ts"))
      yield* writeNewFile(input.markdown.value, "the Markdown file", scoreMarkdown(report), { force: input.force })
    }
    const view = yield* Effect.promise(() => import("../report/scoreSections.ts"))
    const { usageTotals } = yield* Effect.promise(() => import("../store/roleUsage.ts"))
    // What was bought for it, by role: null where no model was asked. Judgements out of the store cost nothing anew.
    const usage = scored.usage === undefined ? null : { ...usageTotals(scored.usage), roles: scored.usage }
    yield* Console.log(
      input.json
        ? json({ ...report, ...(grid === undefined ? {} : { designs: grid }), usage })
        : sectionsText(view.headLines(report), [
            ...(grid === undefined ? [] : [designGridSection(grid, cap)]),
            ...view.scoreSections(report)
          ])
    )
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
    "Measure judges on pairs: run them on a dataset, or read scores made elsewhere, and compare them; or measure answers to questions, and verdicts on criteria.\n\nA judge's score is higher for a better note; a note is flagged when its score is below the threshold."
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
    },
    {
      command: "assize score campaigns/quickstart/dataset.jsonl --split splits/quickstart.json --designs all",
      description: "All designs of judges against omissions and commissions, with calls and cost a note"
    },
    {
      command: "assize score --questions radqa.jsonl --answers note.jsonl --answers transcript.jsonl",
      description: "Who answers what has no answer, and who declines what has one"
    }
  ])
)
