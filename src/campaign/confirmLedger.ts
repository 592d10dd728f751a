import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { appendToLedger, ledgerPath, soundLedger } from "../confirm/ledgerFile.ts"
import { missingLines } from "../confirm/verifyLedger.ts"
import { InputError } from "../domain/InputError.ts"
import type { LedgerLine } from "../domain/Ledger.ts"
import type { Preregistration } from "../domain/Preregistration.ts"
import { readManifest } from "../split/manifestFile.ts"
import { Confirmations } from "../store/Confirmations.ts"
import { acquire } from "../store/RunLock.ts"
import type { SealedSplit } from "./sealedSplits.ts"

export const who = (): string => {
  try {
    return process.env["USER"] ?? userInfo().username
  } catch {
    return "unknown"
  }
}

export const now = Effect.map(Clock.currentTimeMillis, (time) => new Date(time).toISOString())

/** The split's ledger, which must be sound and hold every line that this workspace wrote about the split. */
export const knownLedger = Effect.fn("knownLedger")(function* (file: string, split: string) {
  const ledger = yield* soundLedger(file)
  const missing = missingLines(ledger.lines, yield* Confirmations.use((known) => known.anchors(split)))
  if (missing.length === 0) return ledger
  return yield* new InputError({ problems: missing.map((problem) => ({ ...problem, file })) })
})

/** Lines that were written are known to the store too, so that a ledger with its end cut off is found out. */
export const remember = (line: LedgerLine) => Confirmations.use((confirmations) => confirmations.anchor(line))

export const purposeOf = ({ baselines, candidate }: Preregistration): string =>
  `is ${candidate.name} a better judge than ${baselines[0].name}?`

/** Where the locks of ledgers are: of this machine, since several stores may know one split. */
const lockFolder = (): string => join(tmpdir(), `assize-ledgers-${process.getuid?.() ?? 0}`)

/** Holds a split's ledger for this process until the scope closes: nobody else may append to it or open the holdout. */
export const holdLedger = (ledger: string, splitName: string) =>
  acquire({ folder: lockFolder(), campaign: `on the holdout of split ${splitName}`, campaignFile: ledger })

/** Writes to the ledgers of the splits that their holdouts are judged outside of any confirmation, before they are. */
export const spendHoldouts = Effect.fn("spendHoldouts")(function* (
  sealed: ReadonlyArray<SealedSplit>,
  purpose: string
) {
  yield* Effect.forEach(
    sealed,
    Effect.fnUntraced(function* ({ file }) {
      const manifest = yield* readManifest(file)
      const ledger = ledgerPath(file)
      yield* holdLedger(ledger, manifest.name).pipe(
        // Another process that spends the same holdout is done with the ledger in a moment.
        Effect.retry({ while: ({ _tag }) => _tag === "LockHeld", schedule: Schedule.spaced("100 millis"), times: 50 })
      )
      const { lines } = yield* soundLedger(ledger)
      // Said once: the same command again says nothing new.
      if (lines.at(-1)?.kind === "spent" && lines.at(-1)?.purpose === purpose) return
      const line = yield* appendToLedger(ledger, {
        kind: "spent",
        time: yield* now,
        user: who(),
        split: manifest.hash,
        purpose
      })
      yield* remember(line)
    }, Effect.scoped),
    { discard: true }
  )
})
