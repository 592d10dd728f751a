import { count } from "../domain/count.ts"
import type { RunState } from "../optimise/RunState.ts"
import { type Columns, wrapLine } from "./fitted.ts"
import { duration, integer, interval, record, share, spent, type Usage } from "./format.ts"
import { nextSteps, stepsMeanwhile } from "./nextSteps.ts"
import { fit, oneLine } from "./width.ts"
import { embeddedLabel, stopWords, usesEmbedded } from "./words.ts"

export interface BriefExtra {
  readonly runId: string
  readonly usage: Usage
  readonly iterations?: number
  readonly campaignFile?: string
  /** Whether a process is running it. */
  readonly alive: boolean
}

/** What stays in the scrollback when somebody stops watching: where the run stands, and the commands that say more. */
export const brief = (state: RunState, extra: BriefExtra, columns?: Columns): string => {
  const { iterations, usage } = extra
  const id = oneLine(extra.runId)
  const accepted = state.decisions.filter(({ accepted }) => accepted).length
  const { stopped, winner } = state
  const standing =
    stopped !== undefined && !extra.alive
      ? `${stopWords[stopped.reason]}; ${fit(oneLine(stopped.detail), 120)}`
      : extra.alive
        ? "still running"
        : "interrupted: no process runs it"
  const [next] = extra.alive
    ? stepsMeanwhile(extra.runId)
    : nextSteps(stopped?.reason, { ...extra, seedWins: winner?.candidate.origin === "seed" })
  return `${[
    `Run ${id}: ${standing}`,
    ...(usesEmbedded(state.settings) ? [`[${embeddedLabel}]`] : []),
    `Iterations ${state.iteration}${iterations === undefined ? "" : ` of ${iterations}`}: ${accepted} accepted, ${state.decisions.length - accepted} rejected. Pool: ${count(state.members.length, "candidate")}.`,
    ...(winner === undefined
      ? []
      : [
          `Best so far: ${fit(oneLine(winner.candidate.name), 40)}, paired discrimination ${share(winner.figures.discrimination.value)} ${interval(winner.figures.discrimination.interval)}, n ${winner.figures.discrimination.pairs}, wins/ties/losses ${record(winner.figures.discrimination)}.`
        ]),
    `Bought: ${count(usage.calls, "call", "calls", integer)}, ${count(usage.tokens, "token", "tokens", integer)}, cost ${spent(usage)}, in ${duration(usage.seconds)}.`,
    ...[...(next === undefined ? [] : [next]), { command: `assize runs show ${id}`, does: "shows all figures" }].map(
      ({ command, does }) => `  ${command}    ${does}`
    )
  ]
    .flatMap((line) => wrapLine(line, columns))
    .join("\n")}\n`
}
