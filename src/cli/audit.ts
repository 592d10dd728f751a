import * as Console from "effect/Console"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type { AuditInput } from "../audit/AuditInput.ts"
import { inputError, type Problem, showValue } from "../domain/InputError.ts"
import { judging } from "./judging.ts"
import { count, json, plain, warn } from "./output.ts"
import { RunEnded } from "./RunEnded.ts"
import { computing } from "./signals.ts"
import { existingStore, storeFile, storeFlag } from "./store.ts"
import { meaningless } from "./together.ts"
import { patienceFlag } from "./trouble.ts"

const load = Effect.promise(async () => ({
  ...(await import("../audit/auditOf.ts")),
  ...(await import("../report/auditSections.ts")),
  ...(await import("../store/Runs.ts")),
  ...(await import("./sections.ts")),
  storeLayer: (await import("../store/store.ts")).layer
}))

const loadRun = Effect.promise(() => import("../campaign/auditRun.ts"))
const loadFiles = Effect.promise(() => import("../campaign/auditFiles.ts"))
/** What asks models is heavy, and most audits ask none. */
const loadAblation = Effect.promise(() => import("../campaign/auditAblate.ts"))

const flags = {
  candidate: Flag.String("candidate").pipe(
    Flag.withMetavar("NAME"),
    Flag.withDescription("The candidate to audit, by name or id (default: the winner)"),
    Flag.optional
  ),
  campaign: Flag.String("campaign").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription("The run's campaign, where it was moved"),
    Flag.optional
  ),
  dataset: Flag.String("dataset").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription("The dataset whose words a prompt file or a lineage must not have"),
    Flag.optional
  ),
  split: Flag.String("split").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription("The dataset's split, whose sealed holdout is then left alone"),
    Flag.optional
  ),
  seedPrompt: Flag.String("seed-prompt").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription("The prompt that a prompt file was made from: for the difference, and for what is no leak"),
    Flag.optional
  ),
  lineage: Flag.String("lineage").pipe(
    Flag.withMetavar("PATH"),
    Flag.withDescription(
      "Another tool's search instead of a run: JSON Lines with instruction, parent and scores (as OmissionBench's), or a run folder of gepa"
    ),
    Flag.optional
  ),
  leg: Flag.String("leg").pipe(Flag.withDescription("The leg of a lineage file that has several"), Flag.optional),
  ablate: Flag.Boolean("ablate").pipe(
    Flag.withDescription(
      "Judge the acceptance part without each added paragraph, and rank the paragraphs by what they carry; asks the judge's model for what the store does not have"
    ),
    Flag.withDefault(false)
  ),
  budgetCalls: Flag.Int("budget-calls").pipe(Flag.withDescription("Most calls that --ablate may send"), Flag.optional),
  budgetUsd: Flag.Finite("budget-usd").pipe(
    Flag.withDescription("Most US dollars that --ablate may spend"),
    Flag.optional
  ),
  patience: patienceFlag,
  resamples: Flag.Int("resamples").pipe(
    Flag.withDescription("Resamples of each bootstrap, from 1000 to 100000 (default: 2000)"),
    Flag.optional
  ),
  seed: Flag.Int("seed").pipe(Flag.withDescription("The seed of the bootstraps (default: 11)"), Flag.optional),
  json: Flag.Boolean("json").pipe(
    Flag.withDescription("Print the whole audit, unrounded, as JSON"),
    Flag.withDefault(false)
  ),
  store: storeFlag
}

type Input = { readonly target: Option.Option<string> } & {
  readonly [K in keyof typeof flags]: (typeof flags)[K] extends Flag.Flag<infer A> ? A : never
}

type Kind = "run" | "prompt" | "lineage"

/** Which audits heed a flag that not all do. */
const heededBy: ReadonlyArray<readonly [key: keyof typeof flags, kinds: ReadonlyArray<Kind>, of: string]> = [
  ["candidate", ["run", "lineage"], "a run or a lineage"],
  ["campaign", ["run"], "a run"],
  ["ablate", ["run"], "a run"],
  ["dataset", ["prompt", "lineage"], "a prompt file or a lineage"],
  ["seedPrompt", ["prompt"], "a prompt file"],
  ["leg", ["lineage"], "a lineage"],
  ["resamples", ["run", "lineage"], "a run or a lineage, whose figures have intervals"],
  ["seed", ["run", "lineage"], "a run or a lineage, whose figures have intervals"]
]

/** Flags that mean nothing together, and numbers out of range. */
const problemsOf = (input: Input, kind: Kind): ReadonlyArray<Problem> => [
  ...(Option.exists(input.resamples, (number) => number < 1000 || number > 100_000)
    ? [
        {
          field: "--resamples",
          what: "is out of range",
          found: String(Option.getOrThrow(input.resamples)),
          expected: "1000 to 100000"
        }
      ]
    : []),
  ...(Option.exists(input.budgetCalls, (calls) => calls < 1)
    ? [{ field: "--budget-calls", what: "is no budget", expected: "at least 1" }]
    : []),
  ...(Option.exists(input.budgetUsd, (usd) => !(usd > 0))
    ? [{ field: "--budget-usd", what: "is no budget", expected: "above 0" }]
    : []),
  ...(input.ablate
    ? []
    : meaningless(
        input,
        ["budgetCalls", "budgetUsd", "patience"],
        "has no meaning without --ablate, since nothing else asks a model"
      )),
  ...(Option.isSome(input.lineage) && Option.isSome(input.target)
    ? [
        {
          field: "--lineage",
          what: `and ${showValue(input.target.value)} are two things to audit`,
          expected: "one of the two"
        }
      ]
    : []),
  ...(Option.isSome(input.split) && Option.isNone(input.dataset)
    ? [{ field: "--split", what: "needs the dataset that it splits", expected: "--dataset FILE" }]
    : []),
  ...heededBy.flatMap(([key, kinds, of]) =>
    kinds.includes(kind) ? [] : meaningless(input, [key], `is for the audit of ${of}`)
  )
]

const choicesOf = (input: Input): { readonly seed: number; readonly resamples: number } => ({
  seed: Option.getOrElse(input.seed, () => 11),
  resamples: Option.getOrElse(input.resamples, () => 2000)
})

/** Campaign files of the runs in the store, whose splits are known to seal holdouts; none without a store. */
const knownCampaigns = Effect.fnUntraced(function* (asked: Option.Option<string>) {
  const fs = yield* FileSystem.FileSystem
  const file = yield* storeFile(asked)
  const { Runs, storeLayer } = yield* load
  if (!(yield* Effect.orElseSucceed(fs.exists(file), () => false))) return []
  return yield* Runs.use((runs) => runs.list()).pipe(
    Effect.map((runs) => [...new Set(runs.map(({ campaignFile }) => campaignFile))]),
    Effect.provide(storeLayer(file)),
    Effect.orElseSucceed((): ReadonlyArray<string> => [])
  )
})

const show = Effect.fnUntraced(function* (input: AuditInput, asJson: boolean) {
  const { auditHead, auditOf, auditSections, sectionsText } = yield* load
  const audit = yield* computing(() => auditOf(input))
  yield* Console.log(asJson ? json(audit) : sectionsText(auditHead(audit), auditSections(audit)))
  if (audit.leakage.count > 0) return yield* new RunEnded({ code: 3 })
})

const auditRun = Effect.fnUntraced(function* (input: Input) {
  const { storeLayer } = yield* load
  const { loadAuditedRun } = yield* loadRun
  const loaded = loadAuditedRun(
    Option.getOrElse(input.target, () => "latest"),
    {
      ...choicesOf(input),
      candidate: Option.getOrElse(input.candidate, () => "winner"),
      campaign: Option.getOrUndefined(input.campaign)
    }
  )
  if (!input.ablate) {
    const file = yield* existingStore(input.store)
    const { audited, warnings } = yield* loaded.pipe(Effect.provide(storeLayer(file)))
    yield* warn(warnings)
    return yield* show(audited.input, input.json)
  }
  yield* existingStore(input.store)
  const { planAblation, runAblation } = yield* loadAblation
  const budget = {
    ...(Option.isSome(input.budgetCalls) ? { calls: input.budgetCalls.value } : {}),
    ...(Option.isSome(input.budgetUsd) ? { usd: input.budgetUsd.value } : {})
  }
  yield* judging(
    input,
    Effect.fnUntraced(function* ({ begin, patienceMs }) {
      const { audited, warnings } = yield* loaded
      yield* warn(warnings)
      const asked = { budget, patienceMs }
      const work = yield* planAblation(audited, asked)
      const { plan } = work
      yield* Console.error(
        plain(
          `plan: ${audited.member.candidate.name} without each of ${count(work.paragraphs.length, "added paragraph")} × ${count(work.items.items.length, "note")} × ${count(audited.run.settings.judge.samples, "sample")}: ${count(plan.judgements, "judgement")}, ${plan.stored} of them in the store; ${count(plan.calls, "call")} to send to ${work.model}, and one more for each answer that cannot be read`
        )
      )
      if (budget.calls !== undefined && plan.calls > budget.calls) {
        yield* Console.error(
          `the budget of ${count(budget.calls, "call")} does not buy them; nothing was sent. Raise --budget-calls`
        )
        return yield* new RunEnded({ code: 4 })
      }
      yield* begin
      const ablated = yield* runAblation(audited, work, asked, ({ judge }) =>
        Console.error(plain(`judging: ${audited.member.candidate.name} ${judge}`))
      )
      yield* show(ablated, input.json)
    })
  )
})

export const audit = Command.make(
  "audit",
  {
    target: Argument.String("target").pipe(
      Argument.withDescription(
        "A run by its id, the beginning of one, or latest (also if nothing is named); with --dataset, a prompt file"
      ),
      Argument.optional
    ),
    ...flags
  },
  Effect.fn(function* (input) {
    const kind = Option.isSome(input.lineage) ? "lineage" : Option.isSome(input.dataset) ? "prompt" : "run"
    const problems = problemsOf(input, kind)
    if (problems.length > 0) return yield* inputError(...problems)
    if (kind === "run") return yield* auditRun(input)

    const tools = yield* loadFiles
    const choices = choicesOf(input)
    const data = Option.map(input.dataset, (dataset) => ({ dataset, split: Option.getOrUndefined(input.split) }))
    const campaigns = yield* knownCampaigns(input.store)
    if (kind === "prompt") {
      if (Option.isNone(input.target))
        return yield* inputError({ what: "no prompt file is named to hold against the dataset" })
      const { input: prompt, warnings } = yield* tools.loadAuditedPrompt(input.target.value, {
        ...choices,
        data: Option.getOrThrow(data),
        seedPrompt: Option.getOrUndefined(input.seedPrompt),
        campaigns
      })
      yield* warn(warnings)
      return yield* show(prompt, input.json)
    }
    const { input: lineage, warnings } = yield* tools.loadAuditedLineage(Option.getOrThrow(input.lineage), {
      ...choices,
      candidate: Option.getOrUndefined(input.candidate),
      leg: Option.getOrUndefined(input.leg),
      data: Option.getOrUndefined(data),
      campaigns
    })
    yield* warn(warnings)
    yield* show(lineage, input.json)
  })
).pipe(
  Command.withDescription(
    "Say what an evolved prompt really learned: leaks from the data, separation or relocation, selection optimism, lineage with differences, flips, cost.\n\nExits with 3 when the instruction shares words, numbers or names with the data that would tell of one consultation. The holdout is searched only after a confirmation has opened it."
  ),
  Command.withExamples([
    { command: "assize audit latest", description: "The newest run's winner" },
    { command: "assize audit latest --ablate --budget-usd 5", description: "And what each of its paragraphs carries" },
    {
      command: "assize audit prompt.md --dataset data.jsonl --split splits/mine.json --seed-prompt seed.md",
      description: "A prompt file from anywhere"
    },
    {
      command: "assize audit --lineage v3_lineage.jsonl --leg mono",
      description: "Another tool's search: what can be known from its file"
    }
  ])
)
