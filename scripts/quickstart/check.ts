/** `node scripts/quickstart/check.ts [FILE…]`: says what is wrong with the quickstart sources; exit 1 when anything is. */
import { readFileSync } from "node:fs"
import { parse } from "yaml"
import { problems, readSources, type Source } from "./source.ts"

const files = process.argv.slice(2)
const sources =
  files.length > 0
    ? files.map((file) => parse(readFileSync(file, "utf8")) as Source)
    : readSources("campaigns/quickstart/source")
const found = sources.flatMap(problems)
for (const line of found) console.log(line)
const edits = sources.flatMap((source) => source.edits)
const tally = (of: (edit: (typeof edits)[number]) => string | undefined) => {
  const counts: Record<string, number> = {}
  for (const edit of edits) {
    const key = of(edit)
    if (key !== undefined) counts[key] = (counts[key] ?? 0) + 1
  }
  return JSON.stringify(counts)
}
console.log(
  `${sources.length} consultations, ${edits.length} pairs; class ${tally((e) => e.class)}; trace ${tally((e) => e.trace)}; severity ${tally((e) => e.severity)}; omission severity ${tally((e) => (e.class === "omission" ? e.severity : undefined))}`
)
process.exitCode = found.length === 0 ? 0 : 1
