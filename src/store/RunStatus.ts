import { isFinished, type StopReason } from "../domain/RunEvent.ts"

/**
 * How it stands with a run. `running` is known by the lock; `interrupted` covers a run that was killed; `never-begun` was
 * created and refused before its first call, as by a wrong key; `damaged` has a log that cannot be read.
 */
export type RunStatus =
  | "running"
  | "finished"
  | "stopped-by-budget"
  | "stopped"
  | "interrupted"
  | "never-begun"
  | "damaged"

/** From the newest event's reason to stop: null where the newest event is no stop, undefined where nothing has happened. */
export const runStatus = (stopped: StopReason | null | undefined, running: boolean): RunStatus => {
  if (running) return "running"
  if (stopped === undefined) return "never-begun"
  if (stopped === null || stopped === "interrupted") return "interrupted"
  if (isFinished(stopped)) return "finished"
  return stopped.startsWith("budget-") ? "stopped-by-budget" : "stopped"
}

const words: Readonly<Record<RunStatus, string>> = {
  running: "running now",
  finished: "finished",
  "stopped-by-budget": "stopped by its budget",
  stopped: "stopped",
  interrupted: "interrupted",
  "never-begun": "never begun",
  damaged: "damaged log"
}

export const statusWords = (status: RunStatus): string => words[status]
