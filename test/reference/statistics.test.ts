import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { resampleClusters } from "../../src/statistics/clusterBootstrap.ts"
import { percentileInterval } from "../../src/statistics/quantile.ts"
import { type Json, type KindTolerance, outputDifferences } from "./compare.ts"
import { clusterSums, kinds } from "./kinds.ts"

type Bracket = readonly [number, number]

interface MonteCarlo {
  readonly mean?: number
  readonly se?: number
  readonly brackets: Readonly<Record<string, Readonly<Record<string, Bracket>>>>
  readonly mean_tolerance: Readonly<Record<string, number>>
  readonly se_relative_tolerance: Readonly<Record<string, number>>
}

interface Case {
  readonly id: string
  readonly note: string
  readonly input: never
  readonly output: Readonly<Record<string, Json>>
  readonly monte_carlo?: MonteCarlo
}

interface Reference {
  readonly kinds: Readonly<Record<string, { readonly tolerance: KindTolerance; readonly cases: ReadonlyArray<Case> }>>
}

const reference = JSON.parse(readFileSync(new URL("stats.json", import.meta.url), "utf8")) as Reference

describe("reference values of independent implementations", () => {
  it("has every kind of the file, and of each as many cases as were there", () => {
    const count = (entries: ReadonlyArray<readonly [string, number]>) => Object.fromEntries(entries.toSorted())
    assert.deepStrictEqual(
      count(Object.entries(kinds).map(([name, kind]) => [name, kind.cases])),
      count(Object.entries(reference.kinds).map(([name, kind]) => [name, kind.cases.length]))
    )
  })

  for (const [name, { tolerance, cases }] of Object.entries(reference.kinds)) {
    describe(name, () => {
      let ran = 0
      for (const { id, note, input, output } of cases) {
        it(`${id}: ${note}`, () => {
          const kind = kinds[name]!
          assert.deepStrictEqual(outputDifferences(kind.run(input), output, tolerance, kind.notOffered ?? []), [])
          ran++
        })
      }
      it("ran every case", () => assert.strictEqual(ran, kinds[name]?.cases))
    })
  }
})

describe("cluster bootstrap within the brackets of its exact or large-sample distribution", () => {
  const cases = ["cluster_bootstrap_exact", "cluster_bootstrap_mc"].flatMap((name) => reference.kinds[name]!.cases)
  const withBrackets = cases.filter((one) => one.monte_carlo !== undefined)
  it("has brackets for every case but the one without a cluster", () =>
    assert.strictEqual(withBrackets.length, cases.length - 1))
  for (const { id, note, input, output, monte_carlo: monteCarlo } of withBrackets) {
    for (const resamples of [2000, 10_000]) {
      it(`${id}, ${resamples} resamples: ${note}`, () => {
        const { clusters } = input as { readonly clusters: ReadonlyArray<ReadonlyArray<number>> }
        const result = resampleClusters(clusterSums(clusters), { seed: 11, resamples })!
        const key = `B${resamples}`
        const { brackets, mean_tolerance: meanTolerance, se_relative_tolerance: seTolerance } = monteCarlo!
        for (const [level, confidence] of [
          ["ci95", 0.95],
          ["ci90", 0.9]
        ] as const) {
          const [low, high] = percentileInterval(result.resampled, confidence)!
          const inside = (value: number, [from, to]: Bracket) => value >= from - 1e-9 && value <= to + 1e-9
          assert.isTrue(inside(low, brackets[key]![`${level}_low`]!), `${level} low ${low}`)
          assert.isTrue(inside(high, brackets[key]![`${level}_high`]!), `${level} high ${high}`)
        }
        const [mean, se] = [monteCarlo!.mean ?? (output.mean as number), monteCarlo!.se ?? (output.se as number)]
        assert.isAtMost(Math.abs(result.mean - mean), meanTolerance[key]!)
        assert.isAtMost(Math.abs(result.standardError - se), seTolerance[key]! * se + 1e-12)
      })
    }
  }
})
