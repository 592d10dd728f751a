import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import type { Outcome } from "../../src/domain/Judgement.ts"
import type { Rescues } from "../../src/measure/rescues.ts"
import { assize, eventsOf, quickstartCopy, root, temporaryFolder } from "./cli.ts"

const lines = (file: string): ReadonlyArray<string> => readFileSync(file, "utf8").trim().split("\n")

/** The quickstart's first consultations, as a dataset of its own. */
const someConsultations = (folder: string, number: number): string => {
  const file = join(folder, "some.jsonl")
  const all = lines(join(root, "campaigns/quickstart/dataset.jsonl"))
  writeFileSync(file, `${all.slice(0, number).join("\n")}\n`)
  return file
}

interface Grid {
  readonly designs: ReadonlyArray<{
    readonly judge: string
    readonly omissions: { readonly pairs: number; readonly value: number } | null
    readonly commissions: { readonly pairs: number } | null
    readonly operating: { readonly detection: { readonly n: number }; readonly falseAlarms: { readonly rate: number } }
    readonly own: { readonly detection: { readonly n: number } } | null
    readonly rescues: Rescues | null
    readonly calls: { readonly mean: number; readonly notes: number; readonly consultations: number }
    readonly usd: { readonly mean: number } | null
  }>
}

describe("score --designs all", () => {
  it("prints the grid of designs and classes in one command, with calls and cost a note", {
    timeout: 60_000
  }, async () => {
    using folder = temporaryFolder()
    const dataset = someConsultations(folder.path, 4)
    const args = ["score", dataset, "--designs", "all", "--resamples", "1000"]
    const scored = await assize([...args, "--json"], { cwd: folder.path })
    assert.strictEqual(scored.code, 0, scored.stderr)
    const { designs } = JSON.parse(scored.stdout) as Grid
    const names = designs.map(({ judge }) => judge)
    for (const name of ["whole-note-score", "whole-note-yes-no"])
      for (const wording of ["faithfulness", "faithful-and-complete"])
        for (const k of [1, 8]) assert.include(names, `${name}, ${wording}, k = ${k}`)
    for (const name of ["checklist", "two-stage", "three-stage", "coverage", "rubric", "consensus"])
      assert.include(names, name)
    const [{ calls: first }] = designs as [Grid["designs"][number]]
    for (const { calls, commissions, omissions, operating, usd } of designs) {
      assert.isAbove(omissions!.pairs, 0)
      assert.isAbove(commissions!.pairs, 0)
      assert.isAbove(operating.detection.n, 0)
      assert.isAtMost(operating.falseAlarms.rate, 0.1)
      assert.strictEqual(calls.notes, first.notes)
      assert.strictEqual(calls.consultations, 4)
      assert.strictEqual(usd?.mean, 0)
    }
    const of = (name: string) => designs.find(({ judge }) => judge === name)!
    // Facts are listed once a consultation, not once a note.
    const perConsultation = 4 / first.notes
    assert.isAtLeast(of("two-stage").calls.mean, 1 + perConsultation - 1e-9)
    assert.isBelow(of("two-stage").calls.mean, 2)
    assert.isAtLeast(of("whole-note-score, faithfulness, k = 8").calls.mean, 8)
    assert.isAbove(of("three-stage").own!.detection.n, 0)
    assert.isAtMost(of("three-stage").rescues!.refused, of("three-stage").rescues!.tried)
    assert.isNull(of("two-stage").rescues)
    assert.isNull(of("checklist").own)

    // Everything is in the store by now.
    const again = await assize(args, { cwd: folder.path })
    assert.strictEqual(again.code, 0, again.stderr)
    assert.match(again.stderr, /0 calls to send/)
    assert.match(again.stdout, /^Designs\ndesign +omissions \[95 %\] +commissions \[95 %\] +detection at 10 %/m)
    assert.match(again.stdout, /^three-stage +0\.\d+/m)
  })

  it("refuses a design that is none", async () => {
    using folder = temporaryFolder()
    const { code, stderr } = await assize(["score", someConsultations(folder.path, 2), "--designs", "ranking"], {
      cwd: folder.path
    })
    assert.strictEqual(code, 2)
    assert.match(
      stderr,
      /--designs: is no design of a judge \(found "ranking"; expected all, or some of whole-note-score/
    )
  })
})

const pipeline =
  (more: string) =>
  (yaml: string): string =>
    yaml
      .replace("{ design: whole-note-score, samples: 1 }", "{ design: three-stage, samples: 1 }")
      .replace(/seeds:\n(?: {2}- .*\n)+/, `target: { module: check }\nseeds:\n  - ../../seeds/three-stage-check.md\n`)
      .replace("iterations: 30", "iterations: 2")
      .replace("budget: { usd: 20, calls: 5000, wallClock: 2 hours }", more)

describe("a campaign on the check of a pipeline", () => {
  it("stops at its budget, goes on to the same run as an unbroken one, and shows what its scores are made of", {
    timeout: 90_000
  }, async () => {
    using folder = temporaryFolder()
    using other = temporaryFolder()
    const enough = "budget: { calls: 5000 }"
    const unbroken = quickstartCopy(other.path, pipeline(enough))
    const yaml = quickstartCopy(folder.path, pipeline("budget: { calls: 175 }"))
    const [stopped, whole] = await Promise.all([
      assize(["run", yaml, "--quiet"], { cwd: folder.path }),
      assize(["run", unbroken, "--quiet"], { cwd: other.path })
    ])
    assert.strictEqual(whole.code, 0, whole.stderr)
    assert.strictEqual(stopped.code, 4, stopped.stderr)
    writeFileSync(yaml, readFileSync(yaml, "utf8").replace("budget: { calls: 175 }", enough))
    const resumed = await assize(["run", yaml, "--quiet"], { cwd: folder.path })
    assert.strictEqual(resumed.code, 0, resumed.stderr)
    const out = join(folder.path, "exported")
    const steps = (events: Awaited<ReturnType<typeof eventsOf>>) => events.filter(({ _tag }) => _tag !== "stopped")
    const events = steps(await eventsOf(folder.path, out))
    assert.deepStrictEqual(events, steps(await eventsOf(other.path, join(other.path, "exported"))))
    const [started] = events
    assert.deepStrictEqual(started?._tag === "started" ? started.settings.modules : undefined, ["check"])
    for (const event of events) {
      if (event._tag === "iteration") assert.strictEqual(event.module, "check")
      // The log holds scores; what they are made of is kept beside it, except for the few notes of a minibatch.
      if (event._tag === "evaluated") assert.notInclude(JSON.stringify(event.outcomes), "findings")
      if (event._tag === "parentJudged") assert.include(JSON.stringify(event.outcomes), "findings")
    }

    const kept = join(folder.path, "with-judgements")
    const exported = await assize(["runs", "export", "latest", "--out", kept], { cwd: folder.path })
    assert.strictEqual(exported.code, 0, exported.stderr)
    const rows = lines(join(kept, "judgements.jsonl")).map(
      (text) => JSON.parse(text) as { role: string; stage?: string; key: string; item: string; outcome?: Outcome }
    )
    const stages = new Set(rows.filter(({ role }) => role === "judge").map(({ stage }) => stage))
    assert.deepStrictEqual([...stages].sort(), ["audit", "check", "extract", "second-look"])
    const withOutcome = rows.find(({ outcome }) => outcome?._tag === "scored")
    assert.isAbove(withOutcome?.outcome?._tag === "scored" ? withOutcome.outcome.findings!.length : 0, 0)
    // Facts are listed once a consultation, whatever the note and the candidate.
    const extracts = rows.filter(({ stage }) => stage === "extract")
    const consultations = new Set(extracts.map(({ item }) => item.split("/")[0]))
    assert.strictEqual(new Set(extracts.map(({ key }) => key)).size, consultations.size)

    // Refused rescues in all, with what they are out of: of the candidate, and in the export.
    const all = await assize(["runs", "show", "--candidate", "winner", "--json"], { cwd: folder.path })
    const { id, rescues } = JSON.parse(all.stdout) as { id: string; rescues: Rescues }
    assert.isAbove(rescues.judgements, 0)
    assert.isAtMost(rescues.refused, rescues.tried)
    const lineage = lines(join(kept, "lineage.jsonl")).map(
      (text) => JSON.parse(text) as { id: string; rescues?: Rescues }
    )
    assert.deepStrictEqual(lineage.find((line) => line.id === id)?.rescues, rescues)

    const item = withOutcome!.item
    const shown = await assize(["runs", "show", "--note", item, "--json"], { cwd: folder.path })
    assert.strictEqual(shown.code, 0, shown.stderr)
    assert.strictEqual((JSON.parse(shown.stdout) as { outcome: Outcome }).outcome._tag, "scored")
    const text = await assize(["runs", "show", "--note", item], { cwd: folder.path })
    assert.match(text.stdout, /score 0?\.?\d+.*flagged/)
    assert.match(text.stdout, /^id +verdict +severity +what/m)
    const dataset = join(folder.path, "campaigns/quickstart/dataset.jsonl")
    const pair = await assize(
      ["data", "show", dataset, "--consultation", item.split("/")[0]!, "--run", "latest", "--width", "100"],
      { cwd: folder.path }
    )
    assert.strictEqual(pair.code, 0, pair.stderr)
    assert.match(pair.stdout, /judged by .* of run/)
    assert.match(pair.stdout, /^ +id +clean note +flawed note +severity +what/m)
  })
})

describe("a note in a transcript", () => {
  it("stops campaign and scoring before any call, naming consultation and note", { timeout: 30_000 }, async () => {
    using folder = temporaryFolder()
    const yaml = quickstartCopy(folder.path, pipeline("budget: { calls: 5000 }"))
    const file = join(folder.path, "campaigns/quickstart/dataset.jsonl")
    const consultations = lines(file).map(
      (text) =>
        JSON.parse(text) as { id: string; transcript: string; notes: ReadonlyArray<{ id: string; text: string }> }
    )
    // Of every consultation, so that the split does not matter.
    const leaky = consultations.map((one) => ({ ...one, transcript: `${one.transcript}\n${one.notes[0]!.text}` }))
    writeFileSync(file, `${leaky.map((one) => JSON.stringify(one)).join("\n")}\n`)
    const split = join(folder.path, "splits/quickstart.json")
    const created = await assize(["split", "create", file, "--out", split, "--force"], { cwd: folder.path })
    assert.strictEqual(created.code, 0, created.stderr)
    const run = await assize(["run", yaml, "--quiet"], { cwd: folder.path })
    assert.strictEqual(run.code, 2, run.stderr)
    assert.match(
      run.stderr,
      /consultation "[\w-]+": its transcript holds a stretch of its note "[\w-]+", which the stage extract of the design three-stage must not see; nothing was sent/
    )
    const score = await assize(["score", file, "--split", split, "--designs", "two-stage"], { cwd: folder.path })
    assert.strictEqual(score.code, 2, score.stderr)
    assert.match(score.stderr, /its transcript holds a stretch of its note/)
    assert.isFalse(existsSync(join(folder.path, ".assize/store.sqlite")))
  })
})
