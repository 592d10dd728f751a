/**
 * Timings of the statistics: `node test/bench/statistics.ts`. Each figure is the median and the greatest of several runs
 * after a warm-up, beside what it may take; the exit code is 1 when a median is above.
 */
import { mulberry32 } from "../../src/domain/Random.ts"
import { operatingPoints } from "../../src/measure/operatingPoint.ts"
import { boschloo } from "../../src/statistics/boschloo.ts"
import { clusterBootstrap } from "../../src/statistics/clusterBootstrap.ts"
import { clusterSignFlip } from "../../src/statistics/clusterPermutation.ts"
import { kendallTauB } from "../../src/statistics/correlation.ts"

const measure = (name: string, limitMs: number, run: () => void) => {
  const start = performance.now()
  run()
  const first = performance.now() - start
  const times = Array.from({ length: 15 }, () => {
    const from = performance.now()
    run()
    return performance.now() - from
  }).sort((a, b) => a - b)
  const median = times[7]!
  const line = [`first ${first.toFixed(1)}`, `median ${median.toFixed(1)}`, `max ${times[14]!.toFixed(1)}`].join("  ")
  console.log(`${name.padEnd(64)} ${line} ms, at most ${limitMs}`)
  if (median > limitMs) process.exitCode = 1
}

const next = mulberry32(1)
const whole = (below: number) => Math.floor(next() * below)

const denominators = new Array<number>(120).fill(0)
const numerators = new Array<number>(120).fill(0)
for (let pair = 0; pair < 500; pair++) {
  const cluster = pair < 120 ? pair : whole(120)
  denominators[cluster]!++
  numerators[cluster]! += [0, 0.5, 1][whole(3)]!
}
measure("cluster bootstrap, 10,000 resamples, 500 pairs, 120 clusters", 60, () => {
  clusterBootstrap({ numerators, denominators }, { seed: 11 })
})

measure("Boschloo, 41 of 60 against 28 of 60, three p-values", 50, () => {
  boschloo({ x1: 41, n1: 60, x2: 28, n2: 60 })
})

const flawed = Array.from({ length: 50_000 }, () => next() * 10)
const clean = Array.from({ length: 50_000 }, () => 1 + next() * 10)
measure("sweep over 100,000 distinct scores, caps 0, 5 % and 10 %", 50, () => {
  operatingPoints(flawed, clean, [0, 0.05, 0.1])
})

const coarse = (scores: ReadonlyArray<number>) => scores.map((score) => Math.round(score * 8) / 8)
const [coarseFlawed, coarseClean] = [coarse(flawed), coarse(clean)]
measure("sweep over 100,000 scores in eighths, caps 0, 5 % and 10 %", 50, () => {
  operatingPoints(coarseFlawed, coarseClean, [0, 0.05, 0.1])
})

const clusters = Array.from({ length: 40 }, () => [next() - 0.4, next() - 0.4])
measure("sign-flip test, 40 clusters, exact (2^40 arrangements)", 200, () => {
  clusterSignFlip(clusters, { seed: 11 })
})
measure("sign-flip test, 40 clusters, 100,000 draws", 200, () => {
  clusterSignFlip(clusters, { seed: 11, exactUpTo: 0 })
})
measure("Kendall's tau-b, 50,000 points", 200, () => {
  kendallTauB(coarseFlawed, coarseClean)
})
