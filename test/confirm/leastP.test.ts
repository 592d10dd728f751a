import { assert, describe, it } from "@effect/vitest"
import { fewestConsultations, holdoutLimit, leastP, limitWarnings } from "../../src/confirm/leastP.ts"
import type { SplitManifest } from "../../src/domain/Split.ts"
import { detectionSwap } from "../../src/measure/detectionSwap.ts"
import { clusterSwap } from "../../src/statistics/clusterPermutation.ts"
import { document } from "./support.ts"

const countsOf = (consultations: number, omissions: number) =>
  ({
    counts: { holdout: { consultations, pairs: omissions + 9, class: { omission: omissions, addition: 9 } } }
  }) as unknown as Pick<SplitManifest, "counts">

describe("the smallest p of a part", () => {
  it("is what the tests themselves give where one judge is better on every consultation", () => {
    for (const n of [1, 2, 5, 6, 9]) {
      const each = <A>(value: A) => Array.from({ length: n }, () => value)
      const names = each("").map((_, at) => `c${at}`)
      assert.strictEqual(clusterSwap(each(1), each(0), names, { seed: 11 })!.p, leastP("cluster-swap", n))
      // A flawed and a clean note each; one judge tells them apart, the other has them the wrong way round.
      const notes = names.flatMap((_, at) => [at, at])
      const scores = (flawed: number, clean: number) => names.flatMap(() => [flawed, clean])
      const test = detectionSwap(
        [{ cluster: notes, flawed: names.flatMap(() => [1, 0]), a: scores(1, 9), b: scores(9, 1) }],
        { cap: 0, seed: 11 }
      )!
      assert.isAtLeast(test.p, leastP("detection-swap", n))
    }
    assert.deepStrictEqual([leastP("cluster-swap", 0), leastP("cluster-swap", 5)], [1, 0.0625])
    assert.strictEqual(leastP("auc-swap", 40), 1 / 10_001)
  })

  it("names the fewest consultations for an alpha, and says so where there are none", () => {
    assert.deepStrictEqual(
      [0.05, 0.0625, 0.01].map((alpha) => fewestConsultations("cluster-swap", alpha)),
      [6, 5, 8]
    )
    assert.isNull(fewestConsultations("detection-swap", 1e-6))
  })

  it("of tests that swap scores counts consultations with a clean note alone, too", () => {
    const swaps = { ...document, tests: { ...document.tests, primary: "detection-swap" } } as typeof document
    assert.strictEqual(holdoutLimit(countsOf(20, 5), swaps).consultations, 20)
    assert.strictEqual(holdoutLimit(countsOf(20, 5), document).consultations, 5)
  })

  it("is of the consultations that can have a pair of the measure, and is warned of where the gate cannot be passed", () => {
    const small = holdoutLimit(countsOf(5, 20), document)
    assert.deepStrictEqual(small, { consultations: 5, leastP: 0.0625, alpha: 0.05, reachable: false, fewest: 6 })
    const [warning] = limitWarnings(small, "split.json")
    assert.include(warning!.what, "on 5 consultations is 0.0625, and at most 0.05 is asked for")
    assert.include(warning!.hint, "6 consultations at least")
    assert.include(warning!.hint, "assize plan")
    assert.strictEqual(holdoutLimit(countsOf(12, 4), document).consultations, 4)
    const enough = holdoutLimit(countsOf(6, 20), document)
    assert.isTrue(enough.reachable)
    assert.deepStrictEqual(limitWarnings(enough, "split.json"), [])
  })
})
