import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeSync
} from "node:fs"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import { InputError, inputError } from "../domain/InputError.ts"
import type { LedgerEntry, LedgerLine } from "../domain/Ledger.ts"
import { appended, type ReadLedger, readLedgerText } from "./ledgerText.ts"

/** Where a split's ledger is: `splits/NAME.json` has `splits/NAME.ledger.jsonl`. */
export const ledgerPath = (manifestFile: string): string => manifestFile.replace(/(\.json)?$/i, ".ledger.jsonl")

const fault = (file: string, what: string, cause: unknown) =>
  inputError({
    file,
    what: `the split's ledger cannot be ${what}`,
    found: cause instanceof Error ? cause.message : String(cause),
    hint: "The ledger lies beside the split's manifest: check that the folder may be read and written"
  })

/** Reads a ledger, its problems with their file. One that is not there yet has no lines. */
export const readLedger = (file: string): Effect.Effect<ReadLedger, InputError> =>
  Effect.try({
    try: () => {
      // A pipe would be waited for without end.
      if (existsSync(file) && !statSync(file).isFile()) throw new Error("it is not a regular file")
      const ledger = readLedgerText(existsSync(file) ? readFileSync(file, "utf8") : "")
      return { ...ledger, problems: ledger.problems.map((problem) => ({ ...problem, file })) }
    },
    catch: (cause) => fault(file, "read", cause)
  })

/** A ledger that may be built upon: refused when its chain does not hold. */
export const soundLedger = (file: string): Effect.Effect<ReadLedger, InputError> =>
  readLedger(file).pipe(
    Effect.filterOrFail(
      ({ problems }) => problems.length === 0,
      ({ problems }) => new InputError({ problems })
    )
  )

const lineFeed = 0x0a

/**
 * Appends an entry and gives it back as it stands, once it is on the disk. Fails on a ledger that does not hold. To be
 * called under the split's lock: two writers at once would break the chain.
 */
export const appendToLedger = Effect.fn("appendToLedger")(function* (
  file: string,
  entry: LedgerEntry
): Effect.fn.Return<LedgerLine, InputError> {
  const ledger = yield* soundLedger(file)
  const { line, text } = appended(ledger, entry)
  yield* Effect.try({
    try: () => {
      mkdirSync(dirname(file), { recursive: true })
      const isNew = !existsSync(file)
      const handle = openSync(file, isNew ? "wx" : "r+")
      try {
        const written = isNew ? new Uint8Array() : readFileSync(file)
        const kept = ledger.unended ? written.length : written.lastIndexOf(lineFeed) + 1
        if (!isNew) ftruncateSync(handle, kept)
        writeSync(handle, text, kept)
        fsyncSync(handle)
      } finally {
        closeSync(handle)
      }
      syncFolder(dirname(file))
    },
    catch: (cause) => fault(file, "written", cause)
  })
  return line
})

/** So that a new file's name outlives a power cut. Not every system lets a folder be opened. */
const syncFolder = (folder: string): void => {
  try {
    const handle = openSync(folder, "r")
    try {
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
  } catch {}
}
