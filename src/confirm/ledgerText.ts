import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { hashOf } from "../domain/hash.ts"
import type { Problem } from "../domain/InputError.ts"
import { chained, type LedgerEntry, LedgerLine, lineText, noLine } from "../domain/Ledger.ts"

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(LedgerLine), { onExcessProperty: "error" })

/** A ledger as read. */
export interface ReadLedger {
  readonly lines: ReadonlyArray<LedgerLine>
  /** What does not hold, by line; empty for a sound ledger. */
  readonly problems: ReadonlyArray<Problem>
  /** Bytes of a last line that was being written when its process ended. Nothing was opened on the strength of it. */
  readonly torn: number
}

const hint = "Restore the ledger from a copy, such as the one in version control: it is the record of what was opened"

/**
 * Reads a ledger's text and checks its chain: each line is as it was written, byte for byte, hashes to its own `hash`,
 * names the `hash` of the line before and has its place's number. Lines behind the first bad one are still read.
 */
export const readLedgerText = (text: string): ReadLedger => {
  const ends = text.lastIndexOf("\n") + 1
  const rows = text.slice(0, ends).split("\n").slice(0, -1)
  const lines: Array<LedgerLine> = []
  const problems: Array<Problem> = []
  let previous = noLine
  rows.forEach((row, at) => {
    const line = at + 1
    const decoded = decode(row)
    if (Result.isFailure(decoded)) {
      problems.push({ line, what: "this line of the ledger is not one that assize writes: it was changed", hint })
      previous = ""
      return
    }
    const entry = decoded.success
    const { hash, ...rest } = entry
    const own = hashOf(rest)
    if (own !== hash || lineText(entry) !== row) {
      problems.push({
        line,
        field: "hash",
        what: `the ledger's ${entry.kind} of ${entry.time} was changed after it was written: the line does not match its own hash`,
        found: own.slice(0, 12),
        expected: hash.slice(0, 12),
        hint
      })
    } else if (previous !== "" && entry.previous !== previous) {
      problems.push({
        line,
        field: "previous",
        what: "the ledger's chain is broken: a line before this one was removed, added or replaced",
        found: entry.previous.slice(0, 12),
        expected: previous.slice(0, 12),
        hint
      })
    } else if (entry.line !== line) {
      problems.push({ line, field: "line", what: "this line has another place than it was given", hint })
    }
    previous = hash
    lines.push(entry)
  })
  return { lines, problems, torn: text.length - ends }
}

/** The text that a ledger gains by the entry. */
export const appended = (
  ledger: ReadLedger,
  entry: LedgerEntry
): { readonly line: LedgerLine; readonly text: string } => {
  const line = chained(entry, ledger.lines.at(-1))
  return { line, text: `${lineText(line)}\n` }
}
