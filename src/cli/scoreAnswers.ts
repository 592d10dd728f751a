import * as Console from "effect/Console"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { inputError, type Problem } from "../domain/InputError.ts"
import type { Section } from "../report/scoreFormat.ts"
import { json, warn } from "./output.ts"
import { repeatable } from "./repeatable.ts"
import { type Compared, comparedNames } from "./scoreCompared.ts"
import type { Given, scoreReportFlags } from "./scoreFlags.ts"
import { sectionsText } from "./sections.ts"
import { computing } from "./signals.ts"

/** Flags of what is measured on questions and criteria, where nothing is paired. */
export const scoreAnswersFlags = {
  questions: Flag.String("questions").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription("Questions as data import squad2 or radqa writes them, to measure --answers by"),
    Flag.optional
  ),
  answers: Flag.String("answers").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription(
      "What models answered, JSONL or CSV: question, answer (a text, or several in JSONL; empty for a declined question), and model (default: the file's name), condition, context, answered, confidence; or SQuAD's predictions (*.json); repeatable"
    ),
    repeatable
  ),
  labels: Flag.String("labels").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription("Physicians' labels as data import healthbench-meta writes them, to measure --verdicts by"),
    Flag.optional
  ),
  verdicts: Flag.String("verdicts").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription(
      "Verdicts of judges on criteria, JSONL or CSV: consultation, note, fact, met (true or false, empty where it could not be read), and judge (default: the file's name); repeatable"
    ),
    repeatable
  )
}

type Flags = Given<typeof scoreAnswersFlags> &
  Pick<Given<typeof scoreReportFlags>, "csv" | "force" | "json" | "markdown" | "resamples" | "seed">

/** Whether the command is about answers or labels and not about pairs. */
export const isAboutAnswers = (flags: Given<typeof scoreAnswersFlags>): boolean =>
  Option.isSome(flags.questions) || Option.isSome(flags.labels) || flags.answers.length + flags.verdicts.length > 0

const flagProblems = (flags: Flags): ReadonlyArray<Problem> => {
  const pair = (one: string, other: string, has: readonly [boolean, boolean]): ReadonlyArray<Problem> =>
    has[0] === has[1]
      ? []
      : [{ field: `--${has[0] ? one : other}`, what: "means nothing alone", expected: `--${one} and --${other}` }]
  const about = [
    Option.isSome(flags.questions),
    flags.answers.length > 0,
    Option.isSome(flags.labels),
    flags.verdicts.length > 0
  ] as const
  return [
    ...pair("questions", "answers", [about[0], about[1]]),
    ...pair("labels", "verdicts", [about[2], about[3]]),
    ...((about[0] || about[1]) && (about[2] || about[3])
      ? [{ field: "--labels", what: "and --questions are two measurements", expected: "one of the two" }]
      : [])
  ]
}

interface Shown {
  readonly title: string
  readonly report: unknown
  readonly head: ReadonlyArray<string>
  readonly sections: ReadonlyArray<Section>
  readonly csv: string
}

const answersShown = Effect.fnUntraced(function* (file: string, flags: Flags, compared: Compared) {
  const { readAnswers, readQuestions } = yield* Effect.promise(() => import("../dataset/answers.ts"))
  const { answersReport, defaultAnswerComparisons } = yield* Effect.promise(() => import("../report/answersReport.ts"))
  const view = yield* Effect.promise(() => import("../report/answersSections.ts"))
  const questions = yield* readQuestions(file)
  const { systems, warnings } = yield* readAnswers(flags.answers, questions)
  yield* warn(warnings)
  const asked = comparedNames(
    compared,
    systems.map(({ name }) => name),
    "system"
  )
  if ("what" in asked) return yield* inputError(asked)
  const compare = asked.length === 0 ? defaultAnswerComparisons(systems) : asked
  const report = yield* computing(() =>
    answersReport(
      { source: flags.answers.join(", "), questions, systems, compare },
      { seed: flags.seed, resamples: flags.resamples }
    )
  )
  return {
    title: "Answers",
    report,
    head: view.answersHead(report),
    sections: view.answersSections(report),
    csv: view.answersCsv(report)
  } satisfies Shown
})

const labelsShown = Effect.fnUntraced(function* (file: string, flags: Flags) {
  const { readVerdicts } = yield* Effect.promise(() => import("../dataset/verdicts.ts"))
  const view = yield* Effect.promise(() => import("../report/labelsReport.ts"))
  const { judges, labelled, warnings } = yield* readVerdicts(file, flags.verdicts)
  yield* warn(warnings)
  const report = yield* computing(() =>
    view.labelsReport(
      { source: flags.verdicts.join(", "), labelled, judges },
      { seed: flags.seed, resamples: flags.resamples }
    )
  )
  return {
    title: "Agreement with labels",
    report,
    head: view.labelsHead(report),
    sections: view.labelsSections(report),
    csv: view.labelsCsv(report)
  } satisfies Shown
})

/** Measures answers to questions, or verdicts on criteria, against what is known of them. */
export const scoreAnswers = Effect.fn("scoreAnswers")(function* (flags: Flags, compared: Compared) {
  const problems = flagProblems(flags)
  if (problems.length > 0) return yield* inputError(...problems)
  const shown: Shown = yield* Option.isSome(flags.questions)
    ? answersShown(flags.questions.value, flags, compared)
    : labelsShown(Option.getOrThrow(flags.labels), flags)
  const { writeNewFile } = yield* Effect.promise(() => import("../dataset/write.ts"))
  if (Option.isSome(flags.csv)) yield* writeNewFile(flags.csv.value, "the CSV file", shown.csv, { force: flags.force })
  if (Option.isSome(flags.markdown)) {
    const { markdownText } = yield* Effect.promise(() => import("../report/scoreMarkdown.ts"))
    const text = markdownText(shown.title, shown.head, shown.sections)
    yield* writeNewFile(flags.markdown.value, "the Markdown file", text, { force: flags.force })
  }
  yield* Console.log(flags.json ? json(shown.report) : sectionsText(shown.head, shown.sections))
})
