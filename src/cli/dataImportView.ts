import type { ImportReport, LeftOut } from "../dataset/import/Importer.ts"
import type { Problem } from "../domain/InputError.ts"
import { count, plain } from "./output.ts"
import { table } from "./table.ts"

const shown = 5
const shownReasons = 20

/** What was left out: a row, or else a whole consultation or file, which was no row. */
const kindOf = (one: LeftOut): "row" | "consultation" | "file" =>
  one.row !== undefined ? "row" : one.id !== undefined ? "consultation" : "file"

const first = (values: ReadonlyArray<string | number>): string =>
  values.length <= shown
    ? values.join(", ")
    : `${values.slice(0, shown).join(", ")} and ${values.length - shown} more (--json has all)`

const places = (some: ReadonlyArray<LeftOut>): ReadonlyArray<string> =>
  kindOf(some[0]!) === "row"
    ? [...Map.groupBy(some, (one) => one.file)].map(
        ([file, entries]) => `${file}: ${first(entries.map((one) => one.row!))}`
      )
    : [first(some.map((one) => one.id ?? one.file))]

/** By reason, and rows apart from consultations and files; in the order in which they come first. */
const reasonsOf = (leftOut: ReadonlyArray<LeftOut>) =>
  [...Map.groupBy(leftOut, (one) => `${kindOf(one)} ${one.reason}`).values()].map((some) => ({
    reason: some[0]!.reason,
    what: count(some.length, kindOf(some[0]!)),
    places: places(some)
  }))

const rowsOf = (report: ImportReport): number => report.read.reduce((sum, one) => sum + one.rows, 0)

/** The report for a terminal: of every reason how many were left out for it, and the first five. */
export const reportText = (report: ImportReport, written: ReadonlyArray<string>): string => {
  const reasons = reasonsOf(report.leftOut)
  const different = report.expected.filter((one) => one.expected !== one.found)
  return [
    table([
      ["read", "rows", report.rowsBecome ?? "in pairs", "left out"],
      ...report.read.map((one) => [one.file, one.rows, one.paired, one.rows - one.paired])
    ]),
    "",
    ...reasons
      .slice(0, shownReasons)
      .flatMap(({ places, reason, what }) => [
        plain(`left out, ${what}: ${reason}`),
        ...places.map((place) => plain(`  ${place}`))
      ]),
    ...(reasons.length > shownReasons ? [`… and ${reasons.length - shownReasons} more reasons (--json has all)`] : []),
    ...report.remarks.map((remark) => plain(`rule: ${remark}`)),
    ...(report.warnings ?? []).map((warning) => plain(`warning: ${warning}`)),
    ...(report.expected.length === 0
      ? []
      : [
          different.length === 0
            ? `all ${report.expected.length} counts are those of the published data`
            : `not the counts of the published data: fine for a part, a sample or another release of it; figures are then not comparable with published ones\n${table(different.map((one) => ["", one.what, `expected ${one.expected}`, `found ${one.found}`]))}`
        ]),
    "",
    ...written.map(plain)
  ].join("\n")
}

/** Why there is nothing to write, with each reason and its first rows; empty where something was made. */
export const nothingMade = (source: string, report: ImportReport): ReadonlyArray<Problem> => {
  if (report.read.some((one) => one.paired > 0)) return []
  const rows = rowsOf(report)
  const became = report.rowsBecome ?? "a pair"
  return [
    {
      file: source,
      what:
        rows === 0
          ? "holds no rows: nothing is written"
          : `none of ${count(rows, "row")} became ${became}: nothing is written`
    },
    ...reasonsOf(report.leftOut).map(
      ({ places, reason, what }): Problem => ({
        what: `left out, ${what} (${places.join("; ")}): ${reason}`
      })
    )
  ]
}
