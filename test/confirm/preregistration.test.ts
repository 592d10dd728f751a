import { assert, describe, it } from "@effect/vitest"
import { parse } from "yaml"
import {
  digestOf,
  preregistration,
  preregistrationHash,
  preregistrationPath,
  preregistrationText
} from "../../src/confirm/preregistration.ts"
import { documentAgainstLedger, linesOf, manifestAgainstLedger } from "../../src/confirm/verifyLedger.ts"
import type { Measure } from "../../src/domain/Campaign.ts"
import { chained } from "../../src/domain/Ledger.ts"
import type { RunSettings } from "../../src/domain/RunEvent.ts"
import type { SplitManifest } from "../../src/domain/Split.ts"
import { document, entry } from "./support.ts"

const settings = {
  campaign: "test",
  models: { judge: document.model, reflection: document.model },
  judge: document.judge,
  objective: { primary: document.primary, secondary: document.secondary! },
  search: { minibatch: { notes: 12, consultations: 4 }, maxInstructionLength: 6000, seed: 11 },
  split: document.split.hash,
  prompt: document.prompt,
  seeds: [document.baselines[0].id]
} satisfies RunSettings

const manifest = { name: "test", hash: document.split.hash, seed: 3, train: ["a"] } as unknown as SplitManifest

const made = (gate: number, primary: Measure = document.primary) =>
  preregistration({
    run: "test-1",
    settings: { ...settings, objective: { ...settings.objective, primary } },
    manifest,
    candidate: document.candidate,
    baselines: [document.baselines[0]],
    choices: { replicates: 3, alpha: 0.05, gate }
  })

const [line] = linesOf([chained(entry(), undefined)], "preregistration")

describe("a pre-registration", () => {
  it("is of its choices alone: the same bytes, and others for another choice", () => {
    assert.strictEqual(preregistrationText(made(0.02)), preregistrationText(made(0.02)))
    assert.notStrictEqual(preregistrationHash(made(0.02)), preregistrationHash(made(0.03)))
  })

  it("says in its summary what is asked, of what, and by which test", () => {
    const { replicates, summary } = made(0.02)
    for (const part of ["evolved", "seed", "2 points", "omissions", "10 % false alarms", "0.05", "11, 22, 33"])
      assert.include(summary, part)
    assert.deepStrictEqual(replicates, [11, 22, 33])
  })

  it("promises a test that swaps whole consultations, whatever the measure", () => {
    const promised = (primary: Measure) => made(0.02, primary)
    assert.strictEqual(promised(document.primary).tests.primary, "cluster-swap")
    assert.strictEqual(promised({ measure: "auc" }).tests.primary, "auc-swap")
    const { summary, tests } = promised({ measure: "detection", maxFalseAlarms: 0.1 })
    assert.strictEqual(tests.primary, "detection-swap")
    assert.include(summary, "with both thresholds chosen anew each time, gives p of at most 0.05, two-sided")
  })

  it("reads back from its YAML as it was", () => {
    assert.deepStrictEqual(parse(preregistrationText(document)), JSON.parse(JSON.stringify(document)))
  })

  it("is held against the ledger field by field", () => {
    const text = preregistrationText(document)
    assert.deepStrictEqual(documentAgainstLedger(line!, text, parse(text)), [])
    const changed = text.replace("alpha: 0.05", "alpha: 0.50")
    const problems = documentAgainstLedger(line!, changed, parse(changed))
    assert.deepStrictEqual(
      problems.map(({ expected, field, found }) => [field, found, expected]),
      [["tests.alpha", "0.5", "0.05"]]
    )
    assert.include(documentAgainstLedger(line!, text.replace("# What", "#  What"), parse(text))[0]!.what, "layout")
    assert.include(documentAgainstLedger(line!, undefined, undefined)[0]!.what, "is gone")
  })

  it("shows where a long instruction was changed", () => {
    const instruction = `${"A long text that comes first. ".repeat(20)}Then the doses.`
    const long = { ...document, candidate: { ...document.candidate, instructions: { judge: instruction } } }
    const [longLine] = linesOf(
      [chained({ ...entry(), document: long, preregistration: preregistrationHash(long) } as never, undefined)],
      "preregistration"
    )
    const text = preregistrationText(long).replace("the doses", "the noses")
    const [problem] = documentAgainstLedger(longLine!, text, parse(text))
    assert.strictEqual(problem!.field, "candidate.instructions.judge")
    assert.include(problem!.found, "noses")
    assert.include(problem!.expected, "doses")
  })

  it("has a file beside the manifest, named by its hash", () => {
    assert.strictEqual(
      preregistrationPath("splits/mine.json", "abcdef0123456789"),
      "splits/mine.preregistration-abcdef012345.yaml"
    )
  })
})

describe("a manifest against its ledger", () => {
  const digested = chained({ ...entry(), digest: digestOf(manifest) } as never, undefined)

  it("holds while nothing changes, and is told by the section that did", () => {
    assert.deepStrictEqual(manifestAgainstLedger(manifest, [digested]), [])
    const [problem] = manifestAgainstLedger({ ...manifest, train: ["b"] }, [digested])
    assert.include(problem!.what, "train changed")
  })

  it("is told of where the holdout was spent, or opened, before the split was made anew", () => {
    for (const kind of ["spent", "unsealing"] as const) {
      const line = chained({ ...entry(), kind } as never, undefined)
      assert.deepStrictEqual(manifestAgainstLedger({ ...manifest, hash: line.split }, [line]), [])
      const [problem] = manifestAgainstLedger({ ...manifest, hash: "f".repeat(64) }, [line])
      assert.include(problem!.what, `opened as another one on ${line.time}`)
    }
  })
})
