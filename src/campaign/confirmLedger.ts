import { userInfo } from "node:os"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { LedgerLine } from "../domain/Ledger.ts"
import type { Preregistration } from "../domain/Preregistration.ts"
import { Confirmations } from "../store/Confirmations.ts"

export const who = (): string => {
  try {
    return process.env["USER"] ?? userInfo().username
  } catch {
    return "unknown"
  }
}

export const now = Effect.map(Clock.currentTimeMillis, (time) => new Date(time).toISOString())

/** Lines that were written are known to the store too, so that a ledger with its end cut off is found out. */
export const remember = (line: LedgerLine) => Confirmations.use((confirmations) => confirmations.anchor(line))

export const purposeOf = ({ baselines, candidate }: Preregistration): string =>
  `is ${candidate.name} a better judge than ${baselines[0].name}?`
