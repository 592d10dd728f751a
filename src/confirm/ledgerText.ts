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
  /** Length of a last line that breaks off. It counts for nothing, and the next line takes its place. */
  readonly torn: number
  /** Whether only the line feed of the last line is missing, which counts as any other. */
  readonly unended: boolean
}

const hint = "Restore the ledger from a copy, such as the one in version control: it is the record of what was opened"

/** The ledger's rows; a last one without its line feed is a row where it is whole. */
const rowsOf = (text: string) => {
  const ends = text.lastIndexOf("\n") + 1
  const rows = text.slice(0, ends).split("\n").slice(0, -1)
  const tail = text.slice(ends)
  const whole = decode(tail)
  const unended = Result.isSuccess(whole) && lineText(whole.success) === tail.replace(/\r$/, "")
  return { rows: unended ? [...rows, tail] : rows, torn: unended ? 0 : tail.length, unended }
}

/** Line ends that something else than assize wrote, told once. */
const lineEndProblems = (rows: ReadonlyArray<string>): ReadonlyArray<Problem> => {
  const first = rows.findIndex((row) => row.endsWith("\r"))
  return first === -1
    ? []
    : [
        {
          line: first + 1,
          what: "the ledger's line ends were changed after it was written",
          found: "a carriage return before the line feed (CRLF)",
          expected: "a line feed alone",
          hint: `${hint}. Where version control or an editor converts line ends, keep it from that: *.ledger.jsonl -text in .gitattributes`
        }
      ]
}

/**
 * Reads a ledger's text and checks its chain: each line is as it was written, byte for byte, hashes to its own `hash`,
 * names the `hash` of the line before and has its place's number. Lines behind the first bad one are still read.
 */
export const readLedgerText = (text: string): ReadLedger => {
  const { rows, torn, unended } = rowsOf(text)
  const lines: Array<LedgerLine> = []
  const problems: Array<Problem> = [...lineEndProblems(rows)]
  let previous = noLine
  rows.forEach((ended, at) => {
    const line = at + 1
    const row = ended.replace(/\r$/, "")
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
  return { lines, problems, torn, unended }
}

/** What is said of a last line that breaks off. */
export const tornWarnings = ({ torn }: ReadLedger, file: string): ReadonlyArray<Problem> =>
  torn === 0
    ? []
    : [
        {
          file,
          what: "the last line breaks off: it was being written when its process ended, or was cut since. It counts for nothing, and the next line takes its place"
        }
      ]

/** The text that a ledger gains by the entry. */
export const appended = (
  ledger: ReadLedger,
  entry: LedgerEntry
): { readonly line: LedgerLine; readonly text: string } => {
  const line = chained(entry, ledger.lines.at(-1))
  return { line, text: `${ledger.unended ? "\n" : ""}${lineText(line)}\n` }
}
