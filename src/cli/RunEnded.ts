import { errorExitCode, errorReported } from "effect/Runtime"
import * as Schema from "effect/Schema"
import type { StopReason } from "../domain/RunEvent.ts"

const exitCodes: Readonly<Record<StopReason, number>> = {
  iterations: 0,
  stall: 0,
  asked: 0,
  "budget-usd": 4,
  "budget-calls": 4,
  "budget-tokens": 4,
  "budget-time": 4,
  interrupted: 130,
  "broken-reflection": 1,
  "broken-judge": 1
}

/** A run stopped before its end. Everything has been said by then; this only carries the exit code. */
export class RunEnded extends Schema.TaggedError<RunEnded>()("RunEnded", { code: Schema.Int }) {
  override readonly [errorExitCode] = this.code
  override readonly [errorReported] = false
}

export const exitCodeOf = (reason: StopReason | undefined): number => (reason === undefined ? 1 : exitCodes[reason])
