/**
 * A campaign of some 9,000 calls, 64 at once, at a server of whose answers three in ten are faults of all kinds, beside
 * the same at a faultless one: what became of the calls, what was bought twice, and the client's memory over time.
 */
import { quarterMb, type Soaked, soak } from "../e2e/soaking.ts"

const shape = { samples: 16, iterations: 8, concurrency: 64, timeout: "2 seconds" }
const quarters = [0, 1, 2, 3] as const

const report = (name: string, { calls, ended, memory, ms, outcomes, stats, stored }: Soaked) => {
  const kinds = Object.values(stats.faults).reduce((sum, n) => sum + n, 0)
  const of = (tag: string) => outcomes.filter(({ _tag }) => _tag === tag).length
  console.log(
    `${name}: exit code ${ended.code} after ${(ms / 1000).toFixed(0)} s, at most ${stats.maxInFlight} at once`
  )
  console.log(
    `  ${stats.requests} requests, ${stats.distinct} different, ${kinds} faults of ${Object.keys(stats.faults).length} kinds; ${stored} answers kept, ${stats.duplicates} bought twice`
  )
  console.log(`  calls: ${JSON.stringify(calls)}`)
  console.log(
    `  judgements: ${of("scored")} scored, ${of("unparsed")} unreadable, ${of("failed")} failed; warnings: ${ended.stderr.trim() || "none"}`
  )
  if (memory.length >= 8)
    console.log(
      `  resident memory, MB, mean of each quarter: ${quarters.map((quarter) => quarterMb(memory, quarter).toFixed(0)).join(", ")}; most ${Math.max(...memory).toFixed(0)}`
    )
}

const server = ["--latency", "50"]
const faultless = await soak({ ...shape, server })
report("no faults", faultless)
const passing = await soak({
  ...shape,
  server: [...server, "--drip", "1", "--faults", "passing=30%,empty-content=0%,tool-calls=0%"]
})
report("faults that pass", passing)
console.log(
  `  the events ${JSON.stringify(passing.events) === JSON.stringify(faultless.events) ? "are" : "ARE NOT"} those of the faultless server`
)
report("all faults", await soak({ ...shape, server: [...server, "--drip", "1", "--faults", "30%"] }))
