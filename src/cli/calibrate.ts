import * as Console from "effect/Console"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { CalibrationNotes } from "../campaign/calibrateNotes.ts"
import { inputError, type Problem, showValue } from "../domain/InputError.ts"
import { judging } from "./judging.ts"
import { count, json, warn } from "./output.ts"
import { repeatable } from "./repeatable.ts"
import { storeFlag } from "./store.ts"
import { meaningless } from "./together.ts"
import { patienceFlag } from "./trouble.ts"

const load = Effect.promise(async () => ({
  ...(await import("../campaign/calibrateNotes.ts")),
  ...(await import("../confirm/calibration.ts")),
  ...(await import("../report/calibrationSections.ts")),
  ...(await import("./sections.ts"))
}))

/** `3/47`, or undefined. */
const promiseOf = (text: string): { readonly count: number; readonly n: number } | undefined => {
  const [, k, n] = /^\s*(\d{1,9})\s*\/\s*(\d{1,9})\s*$/.exec(text) ?? []
  const [count_, total] = [Number(k), Number(n)]
  return k === undefined || total === 0 || count_ > total ? undefined : { count: count_, n: total }
}

export const calibrate = Command.make(
  "calibrate",
  {
    dataset: Argument.String("dataset").pipe(
      Argument.withDescription("Your consultations with clean notes, one a line; none with --scores"),
      Argument.optional
    ),
    scores: Flag.String("scores").pipe(
      Flag.withMetavar("FILE"),
      Flag.withDescription("Scores of clean notes made elsewhere, as for assize score; no model is asked"),
      Flag.optional
    ),
    of: Flag.String("of").pipe(
      Flag.withMetavar("JUDGE"),
      Flag.withDescription("The judge of --scores that is meant, where it holds several"),
      Flag.optional
    ),
    judge: Flag.String("judge").pipe(
      Flag.withMetavar("FILE"),
      Flag.withDescription(
        "The instruction: a seed, an exported candidate or a confirmed prompt; repeatable, for a judge of several modules with a file for each"
      ),
      repeatable
    ),
    model: Flag.String("model").pipe(
      Flag.withMetavar("NAME=MODEL"),
      Flag.withDescription("The model, as for assize score (default: the embedded one)"),
      Flag.optional
    ),
    campaign: Flag.String("campaign").pipe(
      Flag.withMetavar("FILE"),
      Flag.withDescription("A campaign whose judge model and samples are taken"),
      Flag.optional
    ),
    samples: Flag.Int("samples").pipe(
      Flag.withDescription("k: judgements behind one score (default: the campaign's, or 1)"),
      Flag.optional
    ),
    falseAlarms: Flag.Finite("false-alarms").pipe(
      Flag.withDescription("The share of clean notes that may be flagged (default: 0.1)"),
      Flag.withDefault(0.1)
    ),
    precision: Flag.Finite("precision").pipe(
      Flag.withDescription("How exactly the rate is to be known, as a share to either side (default: 0.05)"),
      Flag.withDefault(0.05)
    ),
    threshold: Flag.Finite("threshold").pipe(
      Flag.withDescription(
        "A benchmark's threshold, to be held against these notes (default: a confirmed prompt's own)"
      ),
      Flag.optional
    ),
    promised: Flag.String("promised").pipe(
      Flag.withMetavar("K/N"),
      Flag.withDescription("The false alarms of that threshold where it was calibrated, such as 3/47"),
      Flag.optional
    ),
    ignoreSplits: Flag.Boolean("ignore-splits").pipe(
      Flag.withDescription(
        "Judge notes too that a known split seals as its holdout, which is then spent (default: refuse)"
      ),
      Flag.withDefault(false)
    ),
    budgetCalls: Flag.Int("budget-calls").pipe(Flag.withDescription("Most calls that may be sent"), Flag.optional),
    budgetUsd: Flag.Finite("budget-usd").pipe(Flag.withDescription("Most US dollars that may be spent"), Flag.optional),
    patience: patienceFlag,
    json: Flag.Boolean("json").pipe(
      Flag.withDescription("Print every figure, unrounded, as JSON"),
      Flag.withDefault(false)
    ),
    store: storeFlag
  },
  Effect.fn(function* (input) {
    const promised = Option.map(input.promised, promiseOf)
    const isShare = (value: number) => value > 0 && value < 1
    const problems: ReadonlyArray<Problem> = [
      ...(isShare(input.falseAlarms)
        ? []
        : [
            {
              field: "--false-alarms",
              what: "is no share",
              found: String(input.falseAlarms),
              expected: "between 0 and 1"
            }
          ]),
      ...(isShare(input.precision)
        ? []
        : [{ field: "--precision", what: "is no share", found: String(input.precision), expected: "between 0 and 1" }]),
      ...(Option.isSome(promised) && promised.value === undefined
        ? [
            {
              field: "--promised",
              what: "is no count of a number",
              found: showValue(Option.getOrThrow(input.promised)),
              expected: "such as 3/47"
            }
          ]
        : []),
      ...(Option.isSome(input.promised) && Option.isNone(input.threshold)
        ? [{ field: "--promised", what: "says what a threshold gave, and none is named", expected: "--threshold" }]
        : []),
      ...(Option.isSome(input.dataset) === Option.isSome(input.scores)
        ? [{ what: "clean notes are wanted from one place", expected: "a dataset and --judge FILE, or --scores FILE" }]
        : []),
      ...(Option.isSome(input.dataset) && input.judge.length === 0
        ? [{ field: "--judge", what: "no instruction to judge by", expected: "--judge FILE" }]
        : []),
      ...(Option.isSome(input.scores)
        ? meaningless(
            input,
            ["judge", "model", "campaign", "samples", "ignoreSplits", "budgetCalls", "budgetUsd", "patience", "store"],
            "has no meaning with --scores, which asks no model"
          )
        : meaningless(input, ["of"], "names a judge of --scores, and there are none")),
      ...(Option.isSome(input.model) && Option.isSome(input.campaign)
        ? [{ field: "--model", what: "and --campaign both name the model", expected: "one of the two" }]
        : []),
      ...(Option.exists(input.samples, (k) => k < 1 || k > 32)
        ? [{ field: "--samples", what: "is out of range", expected: "1 to 32" }]
        : [])
    ]
    if (problems.length > 0) return yield* inputError(...problems)
    const tools = yield* load

    const { failed, known, notes, source, spent, warning }: CalibrationNotes = yield* Option.isSome(input.scores)
      ? tools.notesOfTable(input.scores.value, Option.getOrUndefined(input.of))
      : judging(
          input,
          Effect.fnUntraced(function* ({ begin, patienceMs }) {
            yield* begin
            return yield* tools.judgedNotes(Option.getOrThrow(input.dataset), {
              judge: input.judge,
              model: Option.getOrUndefined(input.model),
              campaign: Option.getOrUndefined(input.campaign),
              samples: Option.getOrUndefined(input.samples),
              budget: {
                ...(Option.isSome(input.budgetCalls) ? { calls: input.budgetCalls.value } : {}),
                ...(Option.isSome(input.budgetUsd) ? { usd: input.budgetUsd.value } : {})
              },
              patienceMs,
              ignoreSplits: input.ignoreSplits
            })
          })
        )
    yield* warn([
      ...(spent === undefined ? [] : [spent]),
      ...(warning === undefined ? [] : [{ what: warning, hint: "The same command asks for them again" }])
    ])
    const result = tools.calibrate(notes, { target: input.falseAlarms, precision: input.precision })
    if (result === null) {
      return yield* inputError({ what: "no note has a score, so there is nothing to calibrate on", found: source })
    }
    const threshold = Option.getOrElse(input.threshold, () => known?.threshold)
    const drift =
      threshold === undefined
        ? null
        : tools.driftCheck(
            notes,
            threshold,
            Option.getOrUndefined(promised) ?? (Option.isNone(input.threshold) ? (known?.promised ?? null) : null)
          )
    yield* Console.log(
      input.json
        ? json({ format: "assize-calibration/1", source, failed, ...result, drift })
        : tools.sectionsText(
            [`${source}: ${count(result.notes, "clean note")}, ${count(result.consultations, "consultation")}`],
            tools.calibrationSections(result, drift)
          )
    )
  })
).pipe(
  Command.withDescription(
    "Find a threshold for your own clean notes, and hold a benchmark's threshold against them; needs no errors"
  ),
  Command.withExamples([
    {
      command: "assize calibrate mine.jsonl --judge confirmed/c8-6c48f095f635.md --campaign campaign.yaml",
      description: "A confirmed prompt on your own notes; its own threshold is checked for drift"
    },
    {
      command: "assize calibrate --scores clean.csv --false-alarms 0.05 --threshold 8 --promised 3/47",
      description: "From scores made elsewhere"
    }
  ])
)
