import type { StopReason } from "../domain/RunEvent.ts"
import { oneLine } from "./width.ts"

export interface NextStep {
  readonly command: string
  readonly does: string
}

/** An argument as a shell takes it, quoted only where it must be. */
const argument = (text: string): string => {
  const safe = oneLine(text)
  return /^[\w./:@%+=,~-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", "'\\''")}'`
}

const raise: Partial<Record<StopReason, string>> = {
  "budget-usd": "after raising budget.usd: goes on where it stopped",
  "budget-calls": "after raising budget.calls: goes on where it stopped",
  "budget-tokens": "after raising budget.tokens: goes on where it stopped",
  "budget-time": "after raising budget.wallClock: goes on where it stopped",
  "broken-reflection": "once models.reflection answers: goes on where it stopped",
  "broken-judge": "once models.judge answers: goes on where it stopped"
}

/** What to run while somebody runs it. */
export const stepsMeanwhile = (runId: string): ReadonlyArray<NextStep> => [
  { command: `assize runs watch ${argument(runId)}`, does: "shows it as it goes on; q leaves it running" }
]

/** What to run after a stop for this reason. Undefined: the run has no end yet. */
export const nextSteps = (
  reason: StopReason | undefined,
  extra: {
    readonly runId: string
    readonly campaignFile?: string
    /** Whether its winner is one of its seeds: there is nothing to confirm then. */
    readonly seedWins?: boolean
    /** Whether its holdout has been opened and read out. */
    readonly confirmed?: boolean
  }
): ReadonlyArray<NextStep> => {
  const run = `assize run ${argument(extra.campaignFile ?? "CAMPAIGN")}`
  const exported: NextStep = {
    command: `assize runs export ${argument(extra.runId)}`,
    does: "writes the winner's instruction, every proposal and every event as files"
  }
  const confirmed: NextStep = {
    command: `assize confirm ${argument(extra.runId)}`,
    does:
      extra.confirmed === true
        ? "says once more what its confirmation found, which is what counts; buys nothing"
        : "opens the sealed holdout, once, and says whether the gain is real"
  }
  if (reason === "iterations" || reason === "stall") return extra.seedWins === true ? [exported] : [confirmed, exported]
  return [
    { command: run, does: (reason && raise[reason]) ?? "goes on where it stopped; nothing is bought twice" },
    exported
  ]
}
