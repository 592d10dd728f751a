import * as Argument from "effect/cli/Argument"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Option from "effect/Option"
import type { Problem } from "../domain/InputError.ts"
import { repeatable } from "./repeatable.ts"
import { storeFlag } from "./store.ts"
import { meaningless } from "./together.ts"
import { patienceFlag } from "./trouble.ts"

export const confirmFlags = {
  run: Argument.String("run").pipe(Argument.withDescription("A run by its id, by the start of it, or latest")),
  campaign: Flag.String("campaign").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription("The run's campaign, where it was moved; it must be what the run was made with"),
    Flag.optional
  ),
  preregister: Flag.Boolean("preregister").pipe(
    Flag.withDescription("Write down what will be tested, enter it in the split's ledger, and stop there"),
    Flag.withDefault(false)
  ),
  candidate: Flag.String("candidate").pipe(
    Flag.withDescription("A candidate by name or id (default: the winner)"),
    Flag.optional
  ),
  baseline: Flag.String("baseline").pipe(
    Flag.withDescription(
      "What the candidate is held against, by name or id; repeatable, the first is the one that decides (default: the best seed)"
    ),
    repeatable
  ),
  replicates: Flag.Int("replicates").pipe(
    Flag.withDescription("How often each holdout note is judged, at run seeds 11, 22, 33, … (default: 3)"),
    Flag.optional
  ),
  gate: Flag.Finite("gate").pipe(
    Flag.withDescription(
      "Points by which the candidate must be ahead on the acceptance part, on each measure, before the holdout is opened (default: 2)"
    ),
    Flag.optional
  ),
  alpha: Flag.Finite("alpha").pipe(
    Flag.withDescription("Greatest two-sided p at which a gain on the holdout counts (default: 0.05)"),
    Flag.optional
  ),
  again: Flag.String("again").pipe(
    Flag.withMetavar("REASON"),
    Flag.withDescription(
      "Open a holdout that was opened before, or of which another split of the notes gave something away, and why; reports on it are exploratory then"
    ),
    Flag.optional
  ),
  acceptFailed: Flag.Boolean("accept-failed").pipe(
    Flag.withDescription("Read out although calls failed; their notes are left out, and counted"),
    Flag.withDefault(false)
  ),
  out: Flag.String("out").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription(
      "Where the prompt is written if the gate is passed (default: confirmed/CANDIDATE-ID.md beside the campaign)"
    ),
    Flag.optional
  ),
  budgetCalls: Flag.Int("budget-calls").pipe(Flag.withDescription("Most calls that may be sent"), Flag.optional),
  budgetUsd: Flag.Finite("budget-usd").pipe(Flag.withDescription("Most US dollars that may be spent"), Flag.optional),
  patience: patienceFlag,
  json: Flag.Boolean("json").pipe(
    Flag.withDescription("Print the whole read-out, unrounded, as JSON"),
    Flag.withDefault(false)
  ),
  markdown: Flag.String("markdown").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription("Write the read-out as Markdown"),
    Flag.optional
  ),
  force: Flag.Boolean("force").pipe(Flag.withDescription("Replace files that are there"), Flag.withDefault(false)),
  store: storeFlag
}

export type ConfirmInput = Command.Command.Config.Infer<typeof confirmFlags>

const share = (
  name: string,
  value: Option.Option<number>,
  test: (value: number) => boolean,
  expected: string
): ReadonlyArray<Problem> =>
  Option.isSome(value) && !test(value.value)
    ? [{ field: `--${name}`, what: "is out of range", found: String(value.value), expected }]
    : []

/** Values out of range, and flags that would change nothing. */
export const confirmProblems = (input: ConfirmInput): ReadonlyArray<Problem> => [
  ...share("replicates", input.replicates, (n) => n >= 1 && n <= 50, "1 to 50"),
  ...share("gate", input.gate, (n) => n >= 0 && n < 100, "points, from 0 to 100"),
  ...share("alpha", input.alpha, (n) => n > 0 && n < 1, "a number between 0 and 1"),
  ...share("budget-calls", input.budgetCalls, (n) => n >= 1, "at least 1"),
  ...share("budget-usd", input.budgetUsd, (n) => n > 0, "above 0"),
  ...(Option.exists(input.again, (reason) => reason.trim() === "")
    ? [{ field: "--again", what: "gives no reason", expected: "why the holdout is opened once more" }]
    : []),
  ...(input.preregister
    ? meaningless(
        input,
        ["again", "acceptFailed", "out", "markdown", "force", "budgetCalls", "budgetUsd", "patience"],
        "has no meaning with --preregister, which opens, judges and reads out nothing; give it to the confirmation"
      )
    : [])
]

/** What is asked for, as far as the command line says it; `asked` is whether it names another question than the usual one. */
export const confirmAsked = (input: ConfirmInput) => {
  const asking = {
    candidate: Option.getOrUndefined(input.candidate),
    baselines: input.baseline,
    choices: {
      ...(Option.isSome(input.replicates) ? { replicates: input.replicates.value } : {}),
      ...(Option.isSome(input.alpha) ? { alpha: input.alpha.value } : {}),
      ...(Option.isSome(input.gate) ? { gate: input.gate.value / 100 } : {})
    },
    again: Option.getOrUndefined(input.again),
    acceptFailed: input.acceptFailed,
    budget: {
      ...(Option.isSome(input.budgetCalls) ? { calls: input.budgetCalls.value } : {}),
      ...(Option.isSome(input.budgetUsd) ? { usd: input.budgetUsd.value } : {})
    }
  }
  const asked = asking.candidate !== undefined || asking.baselines.length > 0 || Object.keys(asking.choices).length > 0
  return { asking, asked }
}
