import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { assize, root, temporaryFolder } from "../e2e/cli.ts"

interface Proportion {
  readonly count: number
  readonly n: number
}
interface Figures {
  readonly paired: {
    readonly pairs: number
    readonly wins: number
    readonly ties: number
    readonly losses: number
    readonly value: number
  }
  readonly operating: { readonly threshold: number; readonly detection: Proportion; readonly falseAlarms: Proportion }
}
interface Report {
  readonly judges: ReadonlyArray<{
    readonly judge: string
    readonly figures: Figures
    readonly breakdown: ReadonlyArray<{
      readonly by: string
      readonly value: string
      readonly paired: { readonly value: number }
    }>
  }>
  readonly comparisons: ReadonlyArray<{
    readonly paired: {
      readonly difference: number
      readonly interval: readonly [number, number]
      readonly better: number
      readonly worse: number
      readonly signTest: { readonly p: number }
    }
    readonly detection: { readonly mcnemar: { readonly onlyA: number; readonly onlyB: number; readonly p: number } }
  }>
}

const published = join(root, "test/reference/omissionbench-mono")
const score = (...args: ReadonlyArray<string>) => assize(["score", ...args], { cwd: root })
const report = async (...args: ReadonlyArray<string>): Promise<Report> => {
  const { code, stderr, stdout } = await score(...args, "--json")
  assert.strictEqual(code, 0, stderr)
  return JSON.parse(stdout) as Report
}

describe("the published campaign, from its scores", () => {
  it("gives the winner's holdout figures", async () => {
    const { judges } = await report("--scores", join(published, "test-mono.json"), "--classes", "omission")
    const { breakdown, figures } = judges[0]!
    assert.deepStrictEqual(
      [figures.paired.pairs, figures.paired.wins, figures.paired.ties, figures.paired.losses],
      [131, 61, 42, 28]
    )
    assert.approximately(figures.paired.value, 0.625954, 5e-7)
    assert.strictEqual(figures.operating.threshold, 8)
    assert.deepStrictEqual([figures.operating.detection.count, figures.operating.detection.n], [11, 131])
    assert.deepStrictEqual([figures.operating.falseAlarms.count, figures.operating.falseAlarms.n], [3, 47])
    assert.approximately(breakdown.find(({ value }) => value === "commission")!.paired.value, 0.95, 1e-9)
  })

  it("gives the acceptance gain's own tests, winner against seed", async () => {
    const { comparisons, judges } = await report(
      "--scores",
      join(published, "valid-mono.json"),
      "--classes",
      "omission",
      "--compare",
      "winner,seed"
    )
    const values = Object.fromEntries(judges.map(({ figures, judge }) => [judge, figures]))
    assert.strictEqual(values["winner"]!.paired.value, 0.6875)
    assert.approximately(values["seed"]!.paired.value, 0.6146, 5e-5)
    assert.deepStrictEqual(values["winner"]!.operating.detection.count, 12)
    assert.deepStrictEqual(values["seed"]!.operating.detection.count, 1)
    const { detection, paired } = comparisons[0]!
    assert.deepStrictEqual([paired.better, paired.worse], [13, 10])
    assert.approximately(paired.signTest.p, 0.67764, 5e-6)
    assert.deepStrictEqual([detection.mcnemar.onlyA, detection.mcnemar.onlyB], [11, 0])
    assert.approximately(detection.mcnemar.p, 0.00098, 5e-6)
    assert.approximately(paired.interval[0], -0.07, 0.02)
    assert.approximately(paired.interval[1], 0.25, 0.02)
  })
})

describe("the command", () => {
  it("exits with 2 for a table that it cannot use, and names the row", async () => {
    using folder = temporaryFolder()
    const file = join(folder.path, "scores.csv")
    writeFileSync(file, "consultation,note,clean,class,score\nc1,n0,,,8\nc1,n1,n0,omission,x\n")
    const { code, stderr, stdout } = await score("--scores", file)
    assert.deepStrictEqual([code, stdout], [2, ""])
    assert.include(stderr, "scores.csv:3")
  })
})
