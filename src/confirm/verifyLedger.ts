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

/** Lines that a workspace wrote to the ledger and that are no longer in it. */
export const missingLines = (
  lines: ReadonlyArray<LedgerLine>,
  anchors: ReadonlyArray<{ readonly line: number; readonly hash: string }>
): ReadonlyArray<Problem> => {
  const present = new Set(lines.map(({ hash }) => hash))
  return anchors
    .filter(({ hash }) => !present.has(hash))
    .map(({ hash, line }) => ({
      line,
      what: "this line was written to the ledger and is no longer in it",
      expected: `a line with hash ${hash.slice(0, 12)}`,
      hint: "Restore the ledger from a copy, such as the one in version control"
    }))
}

/** The openings of a split's holdout, in order: for a confirmation, or outside of any. */
export const openings = (
  lines: ReadonlyArray<LedgerLine>,
  split: string
): ReadonlyArray<LineOf<"unsealing"> | LineOf<"spent">> =>
  lines.filter(
    (line): line is LineOf<"unsealing"> | LineOf<"spent"> =>
      (line.kind === "unsealing" || line.kind === "spent") && line.split === split
  )

/** What a manifest has that the lines of its ledger were not written about: sections that were changed since. */
export const manifestAgainstLedger = (
  manifest: SplitManifest,
  lines: ReadonlyArray<LedgerLine>
): ReadonlyArray<Problem> => {
  const now = digestOf(manifest)
  const last = linesOf(lines, "preregistration").at(-1)
  const hint = "Restore the manifest; a split made anew needs a name of its own, and so a ledger of its own"
  if (last === undefined) {
    // Its notes were judged before it had this hash, and how many of them nobody can tell.
    const other = lines.find((line) => (line.kind === "spent" || line.kind === "unsealing") && line.split !== now.hash)
    return other === undefined
      ? []
      : [
          {
            what: `the split is not the one that its ledger was written about: its holdout was opened as another one on ${other.time}`,
            found: now.hash.slice(0, 12),
            expected: other.split.slice(0, 12),
            hint
          }
        ]
  }
  const changed = [...new Set([...Object.keys(last.digest.sections), ...Object.keys(now.sections)])].filter(
    (section) => last.digest.sections[section] !== now.sections[section]
  )
  if (changed.length === 0 && last.digest.hash === now.hash) return []
  return [
    {
      what: `the split is not the one that its ledger was written about: ${changed.length === 0 ? "its hash" : changed.join(", ")} changed since ${last.time}`,
      found: now.hash.slice(0, 12),
      expected: last.digest.hash.slice(0, 12),
      hint
    }
  ]
}

const excerpt = 24

/** Both values as they are, or, of two texts, the words around the first place where they differ. */
const aroundDifference = (before: unknown, now: unknown): { readonly found: string; readonly expected: string } => {
  if (typeof before !== "string" || typeof now !== "string")
    return { found: showValue(now), expected: showValue(before) }
  let at = 0
  while (at < before.length && before[at] === now[at]) at++
  const around = (text: string) => {
    const from = Math.max(0, at - excerpt)
    const part = text.slice(from, at + excerpt)
    return showValue(`${from > 0 ? "…" : ""}${part}${at + excerpt < text.length ? "…" : ""}`)
  }
  return { found: around(now), expected: around(before) }
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
    ...aroundDifference(before, now),
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
