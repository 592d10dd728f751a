import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { acceptanceGates, holdoutGate, type JudgedPart } from "../../src/confirm/gates.ts"
import { contender, defaultChoices, preregistration } from "../../src/confirm/preregistration.ts"
import { figureOptions } from "../../src/confirm/readOut.ts"
import { readScoreTables } from "../../src/dataset/scoresTableRead.ts"
import { candidateId } from "../../src/domain/Candidate.ts"
import type { SplitManifest } from "../../src/domain/Split.ts"
import { compareJudges } from "../../src/measure/judgeComparison.ts"
import { judgeFigures } from "../../src/measure/judgeFigures.ts"
import { scoreReport } from "../../src/measure/scoreReport.ts"
import { taskOf } from "../optimise/support.ts"

const folder = "test/reference/omissionbench-mono"

const partOf = Effect.fnUntraced(function* (file: string) {
  const { runs, set } = yield* readScoreTables([`${folder}/${file}`])
  const part: JudgedPart = { set, runs, failed: new Map() }
  return part
})

const named = (name: string) => {
  const instructions = { judge: name }
  return contender({ id: candidateId(instructions), name, instructions })
}

const omissions = ["omission"] as const
const settings = {
  ...taskOf({}).settings,
  objective: {
    primary: { measure: "paired-discrimination", classes: omissions },
    secondary: { measure: "detection", classes: omissions, maxFalseAlarms: 0.1 }
  }
} as const

/** The gate of the published campaign: ahead by more than two points on both measures [OB §B.4]. */
const document = preregistration({
  run: "published",
  settings,
  manifest: { name: "v3", hash: "0".repeat(64) } as SplitManifest,
  candidate: named("winner"),
  baselines: [named("seed")],
  choices: defaultChoices
})

describe("the published campaign, through the code of a confirmation", () => {
  it.effect("passes the acceptance gate by 7.3 and 22.9 points, winner against seed", () =>
    Effect.gen(function* () {
      const [primary, secondary] = acceptanceGates(yield* partOf("valid-mono.json"), document)
      const figures = [primary!, secondary!].map(({ measured: { a, b, consultations, n }, met }) => {
        return { a, b, n, consultations, met }
      })
      assert.deepStrictEqual(figures, [
        { a: 0.6875, b: 29.5 / 48, n: 48, consultations: 20, met: true },
        { a: 12 / 48, b: 1 / 48, n: 48, consultations: 20, met: true }
      ])
      assert.closeTo(primary!.measured.difference!, 3.5 / 48, 1e-12)
      assert.closeTo(secondary!.measured.difference!, 11 / 48, 1e-12)
      const [low, high] = primary!.measured.interval!
      assert.closeTo(low, -0.07, 0.02)
      assert.closeTo(high, 0.25, 0.02)
      // McNemar's test, with both thresholds fitted on the 20 clean notes, gives 0.00098 (below).
      assert.closeTo(secondary!.measured.p!, 0.15, 0.02)
      assert.isBelow(secondary!.measured.interval![0], 0)
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect(
    "has the acceptance gain's own tests on record: no evidence by pairs, and one false alarm on each side",
    () =>
      Effect.gen(function* () {
        const { runs, set } = yield* partOf("valid-mono.json")
        const [seed, winner] = ["seed", "winner"].map((judge) => runs.find((run) => run.judge === judge)!)
        const { a, b, detection, paired } = compareJudges(set, [winner!], [seed!], figureOptions(document))
        assert.deepStrictEqual([paired.better, paired.worse], [13, 10])
        assert.closeTo(paired.signTest!.p, 0.67763948, 5e-9)
        assert.deepStrictEqual(
          [a, b].map(({ operating }) => [
            operating!.detection.count,
            operating!.falseAlarms.count,
            operating!.falseAlarms.n
          ]),
          [
            [12, 1, 20],
            [1, 1, 20]
          ]
        )
        assert.deepStrictEqual([detection!.mcnemar.onlyA, detection!.mcnemar.onlyB], [11, 0])
        assert.closeTo(detection!.mcnemar.p, 0.00098, 5e-6)
      }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("would not have been confirmed by the same notes, had they been a holdout", () =>
    Effect.gen(function* () {
      const gate = holdoutGate(yield* partOf("valid-mono.json"), document)
      assert.isFalse(gate.met)
      assert.isAbove(gate.measured.p!, 0.3)
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("reads out the winner on the holdout, whose baseline's scores are not published", () =>
    Effect.gen(function* () {
      const { runs, set } = yield* partOf("test-mono.json")
      assert.deepStrictEqual(
        runs.map(({ judge }) => judge),
        ["v3m-08"]
      )
      const report = scoreReport(
        { source: "holdout", set, runs, origins: new Map(), compare: [] },
        figureOptions(document)
      )
      const { operating, paired } = report.judges[0]!.figures
      assert.deepStrictEqual([report.counts.clean, report.counts.pairs], [47, 151])
      assert.closeTo(paired.value!, 0.625954, 5e-7)
      assert.deepStrictEqual([paired.wins, paired.ties, paired.losses], [61, 42, 28])
      assert.strictEqual(operating!.threshold, 8)
      assert.deepStrictEqual([operating!.detection.count, operating!.detection.n], [11, 131])
      assert.deepStrictEqual([operating!.falseAlarms.count, operating!.falseAlarms.n], [3, 47])
      const commissions = judgeFigures(set, runs[0]!, {
        ...figureOptions(document),
        classes: ["addition", "alteration"]
      })
      assert.closeTo(commissions.paired.value!, 0.95, 1e-12)
    }).pipe(Effect.provide(NodeServices.layer))
  )
})
