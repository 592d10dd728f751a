import { readdirSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { quickstartCopy, root, temporaryFolder } from "../e2e/cli.ts"
import { finishedQuickstart } from "../e2e/finished.ts"
import { assizeHere as assize } from "../e2e/inProcess.ts"

interface MeasurePlanned {
  readonly parts: ReadonlyArray<{
    readonly part: "acceptance" | "holdout"
    readonly consultations: number
    readonly cases: number
    readonly gain: number | null
    readonly curve: ReadonlyArray<{ readonly gain: number; readonly power: number }>
  }>
  readonly needed: ReadonlyArray<{ readonly gain: number; readonly consultations: number | null }>
}

interface Planned {
  readonly power: {
    readonly acceptance: ReadonlyArray<string>
    readonly holdout: ReadonlyArray<string>
    readonly advice: ReadonlyArray<string>
    readonly paired: MeasurePlanned
    readonly detection: MeasurePlanned
    readonly assumed: {
      readonly values: Readonly<Record<string, number>>
      readonly from: Readonly<Record<string, string>>
    }
  }
}

const scores = join(root, "test/reference/omissionbench-mono/valid-mono.json")

describe("assize plan", () => {
  it("says in a sentence for each part and measure which gain would look like noise, and what to do about it", async () => {
    using folder = temporaryFolder()
    const yaml = quickstartCopy(folder.path)
    const { code, stderr, stdout } = await assize(["plan", yaml], { cwd: folder.path })
    assert.strictEqual(code, 0, stderr)
    for (const part of ["acceptance", "holdout"]) {
      for (const measure of ["paired discrimination", "detection"]) {
        assert.match(
          stdout,
          new RegExp(
            `^With \\d+ ${part} consultations and \\d+ omissions a gain in ${measure} below \\d+ points will look like noise\\.`,
            "m"
          )
        )
      }
    }
    assert.match(
      stdout,
      /^To tell a gain in paired discrimination of 5 points about [\d,]+, of 10 points about [\d,]+/m
    )
    assert.match(stdout, /^pairs that the baseline wins +0\.375 +the published OmissionBench campaign$/m)
    assert.isFalse(readdirSync(folder.path).includes(".assize"))
  })

  it("takes the scores that are named, what is stated before them, and after a run what the run knows", async () => {
    using folder = temporaryFolder()
    const { yaml } = await finishedQuickstart(folder.path)
    const plan = async (...more: ReadonlyArray<string>) => {
      const { code, stderr, stdout } = await assize(["plan", yaml, "--json", ...more], { cwd: folder.path })
      assert.strictEqual(code, 0, stderr)
      return (JSON.parse(stdout) as Planned).power
    }
    const given = await plan("--baseline-scores", scores, "--assume-icc", "0")
    assert.strictEqual(given.assumed.from["discordance"], `${scores} (baseline seed)`)
    assert.closeTo(given.assumed.values["wins"]!, 18 / 48, 1e-12)
    assert.strictEqual(given.assumed.values["icc"], 0)
    assert.strictEqual(given.assumed.from["icc"], "--assume-icc")

    const after = await plan()
    for (const source of Object.values(after.assumed.from)) assert.match(source, /^run quickstart-1 on the acceptance/)
    const [acceptance, holdout] = after.paired.parts
    assert.deepStrictEqual([acceptance!.part, holdout!.part], ["acceptance", "holdout"])
    assert.deepStrictEqual([acceptance!.consultations, acceptance!.cases], [10, 33])
    assert.deepStrictEqual([holdout!.consultations, holdout!.cases], [10, 32])
    // A part as small as these may tell no gain that the baseline leaves room for; then the sentence says what it takes.
    for (const [measure, { needed, parts }] of [
      ["paired discrimination", after.paired],
      ["detection", after.detection]
    ] as const) {
      const known = needed.findLast(({ consultations }) => consultations !== null)
      for (const { cases, consultations, gain, part } of parts) {
        assert.include(
          after[part],
          `With ${consultations} ${part} consultations and ${cases} omissions ${
            gain === null
              ? `no gain in ${measure} can be told on this part; it takes about ${known!.consultations} consultations for one of ${100 * known!.gain} points.`
              : `a gain in ${measure} below ${Math.ceil(100 * gain - 1e-9)} points will look like noise.`
          }`
        )
      }
    }
    assert.deepStrictEqual(
      after.paired.needed.map(({ gain }) => gain),
      [0.05, 0.1]
    )
    assert.isAbove(after.paired.needed[0]!.consultations!, after.paired.needed[1]!.consultations!)
  })

  it("refuses shares that are none, a discordance that cannot be, and scores without such pairs", async () => {
    using folder = temporaryFolder()
    const yaml = quickstartCopy(folder.path)
    const refused = async (...more: ReadonlyArray<string>) => {
      const { code, stderr } = await assize(["plan", yaml, ...more], { cwd: folder.path })
      assert.strictEqual(code, 2, stderr)
      return stderr
    }
    assert.include(await refused("--assume-baseline", "1.2"), "--assume-baseline: is no share (found 1.2")
    assert.include(
      await refused("--assume-discordance", "0.9"),
      "--assume-discordance: is more than two judges differ by that decide independently of each other (found 0.9"
    )
    assert.include(await refused("--baseline-scores", join(folder.path, "none.csv")), "none.csv")
  })
})
