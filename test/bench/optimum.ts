/**
 * Judge calls until a search has 95 % of a planted optimum, over 20 seeds; the landscape's rules are in optimumTask.ts.
 * Medians with the distribution-free 95 % interval of order statistics; a search that does not get there within the limit
 * counts as dearer than all that do. The sign test holds each search against the defaults, seed by seed. Names of terrains
 * as arguments leave the others out.
 */
import { signTest } from "../../src/statistics/signTest.ts"
import { type Reached, randomOptimum, searchOptimum } from "./optimumRunTask.ts"
import { type OptimumOptions, terrains } from "./optimumTask.ts"

const seeds = Array.from({ length: 20 }, (_, at) => at + 1)
const most = 6000
/** Of 20 in order, the 6th and the 15th are the limits of a 95.9 % interval for the median. */
const limits = [5, 14] as const

const noMerge = { merge: { after: 6, atMost: 0 } }
const searches: ReadonlyArray<readonly [string, (options: OptimumOptions) => Reached]> = [
  ["defaults", (options) => searchOptimum(options, most)],
  ["greedy best", (options) => searchOptimum({ ...options, search: { selector: "best" } }, most)],
  ["greedy, no merge", (options) => searchOptimum({ ...options, search: { selector: "best", ...noMerge } }, most)],
  ["without merge", (options) => searchOptimum({ ...options, search: noMerge }, most)],
  ["blind changes", (options) => searchOptimum({ ...options, blind: true }, most)],
  ["random instructions", (options) => randomOptimum(options, most)]
]

const text = (calls: number): string => (calls === Number.POSITIVE_INFINITY ? `> ${most}` : String(calls))
const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[9]! + sorted[10]!) / 2
}

const wanted = process.argv.slice(2)
for (const [id, terrain] of Object.entries(terrains)) {
  if (wanted.length > 0 && !wanted.includes(id)) continue
  console.log(`\n${terrain.name}`)
  console.log(
    "search                n  reached  median calls  95 % interval     median share at the end  against the defaults: fewer, more calls, p"
  )
  let defaults: ReadonlyArray<number> = []
  for (const [name, search] of searches) {
    const runs = seeds.map((seed) => search({ seed, terrain }))
    const calls = runs.map((run) => run.calls ?? Number.POSITIVE_INFINITY)
    if (name === "defaults") defaults = calls
    const sorted = calls.toSorted((a, b) => a - b)
    const fewer = calls.filter((one, at) => one < defaults[at]!).length
    const more = calls.filter((one, at) => one > defaults[at]!).length
    const interval = `[${text(sorted[limits[0]]!)}, ${text(sorted[limits[1]]!)}]`
    console.log(
      [
        name.padEnd(20),
        String(seeds.length).padStart(2),
        String(runs.filter((run) => run.calls !== null).length).padStart(7),
        text(median(calls)).padStart(12),
        interval.padEnd(16),
        median(runs.map(({ share }) => share))
          .toFixed(3)
          .padStart(23),
        name === "defaults" ? "" : `${fewer}, ${more}, p = ${signTest(fewer, more).toFixed(4)}`
      ].join("  ")
    )
  }
}
