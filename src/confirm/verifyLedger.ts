import { differences } from "../domain/differences.ts"
import { sha256 } from "../domain/hash.ts"
import type { Problem } from "../domain/InputError.ts"
import { showValue } from "../domain/InputError.ts"
import type { LedgerLine } from "../domain/Ledger.ts"
import type { SplitManifest } from "../domain/Split.ts"
import { digestOf } from "./preregistration.ts"

/** The lines of one kind. */
export type LineOf<K extends LedgerLine["kind"]> = Extract<LedgerLine, { readonly kind: K }>

export const linesOf = <K extends LedgerLine["kind"]>(
  lines: ReadonlyArray<LedgerLine>,
  kind: K
): ReadonlyArray<LineOf<K>> => lines.filter((line): line is LineOf<K> => line.kind === kind)

/** The openings of a split's holdout, in order. */
export const openings = (lines: ReadonlyArray<LedgerLine>, split: string): ReadonlyArray<LineOf<"unsealing">> =>
  linesOf(lines, "unsealing").filter((line) => line.split === split)

/** What a manifest has that the lines of its ledger were not written about: sections that were changed since. */
export const manifestAgainstLedger = (
  manifest: SplitManifest,
  lines: ReadonlyArray<LedgerLine>
): ReadonlyArray<Problem> => {
  const now = digestOf(manifest)
  const last = linesOf(lines, "preregistration").at(-1)
  if (last === undefined || last.digest.hash === now.hash) return []
  const changed = [...new Set([...Object.keys(last.digest.sections), ...Object.keys(now.sections)])].filter(
    (section) => last.digest.sections[section] !== now.sections[section]
  )
  return [
    {
      what: `the split is not the one that its ledger was written about: ${changed.length === 0 ? "its hash" : changed.join(", ")} changed since ${last.time}`,
      found: now.hash.slice(0, 12),
      expected: last.digest.hash.slice(0, 12),
      hint: "Restore the manifest; a split made anew needs a name of its own, and so a ledger of its own"
    }
  ]
}

/** What a pre-registration's file says that it did not say when it was entered. `undefined` text: the file is gone. */
export const documentAgainstLedger = (
  line: LineOf<"preregistration">,
  text: string | undefined,
  parsed: unknown
): ReadonlyArray<Problem> => {
  const hint = "assize split verify --restore writes the pre-registration again as the ledger holds it"
  if (text === undefined) return [{ what: `the pre-registration of ${line.time} is gone`, hint }]
  if (sha256(text) === line.preregistration) return []
  const changed = differences(line.document, parsed)
  if (changed.length === 0) {
    return [{ what: `the pre-registration of ${line.time} was changed in its layout: its fields are the same`, hint }]
  }
  return changed.map(({ before, field, now }) => ({
    ...(field === "" ? {} : { field }),
    what: `the pre-registration was changed after ${line.time}`,
    found: showValue(now),
    expected: showValue(before),
    hint
  }))
}

/** Whether what is said of a split's holdout may still be called confirmatory: it was opened once at most. */
export const isConfirmatory = (lines: ReadonlyArray<LedgerLine>, split: string): boolean =>
  openings(lines, split).length <= 1

/** The newest pre-registration of a run, unless it has come to a read-out: it stands in the place of any before it. */
export const openPreregistration = (
  lines: ReadonlyArray<LedgerLine>,
  split: string,
  run: string
): LineOf<"preregistration"> | undefined => {
  const newest = linesOf(lines, "preregistration").findLast((line) => line.split === split && line.document.run === run)
  if (newest === undefined) return undefined
  const done = linesOf(lines, "read-out").some((line) => line.preregistration === newest.preregistration)
  return done ? undefined : newest
}

/** An opening that has not come to its read-out. */
export const unfinishedOpening = (
  lines: ReadonlyArray<LedgerLine>,
  preregistration: string
): LineOf<"unsealing"> | undefined => {
  const done = new Set(linesOf(lines, "read-out").map((line) => line.unsealing))
  return linesOf(lines, "unsealing").findLast(
    (line) => line.preregistration === preregistration && !done.has(line.hash)
  )
}
