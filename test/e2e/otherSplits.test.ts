import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import type { TestLimit } from "../../src/confirm/leastP.ts"
import { readLedgerText } from "../../src/confirm/ledgerText.ts"
import type { ReadOut } from "../../src/confirm/readOut.ts"
import type { SeenBefore } from "../../src/confirm/seenBefore.ts"
import type { SplitManifest } from "../../src/domain/Split.ts"
import { quickstartCopy, temporaryFolder } from "./cli.ts"
import { assizeHere } from "./inProcess.ts"

type Shown = ReadOut & { readonly confirmatory: boolean }

const commandsIn = (cwd: string) => {
  const run = (...args: ReadonlyArray<string>) => assizeHere(args, { cwd })
  return {
    run,
    /** For commands that must succeed. */
    done: async (...args: ReadonlyArray<string>) => {
      const ran = await run(...args)
      assert.strictEqual(ran.code, 0, ran.stderr)
      return ran
    }
  }
}

const dataset = "campaigns/quickstart/dataset.jsonl"

/** A run of two iterations over fifteen consultations, five of them the holdout. Gives the campaign's file. */
const smallRun = async (cwd: string): Promise<string> => {
  const { done } = commandsIn(cwd)
  const yaml = quickstartCopy(cwd, (text) => text.replace("iterations: 30", "iterations: 2"))
  const file = join(cwd, dataset)
  writeFileSync(file, readFileSync(file, "utf8").split("\n").slice(0, 15).join("\n").concat("\n"))
  await done("split", "create", dataset, "--out", "splits/quickstart.json", "--force")
  await done("run", yaml, "--quiet")
  return yaml
}

const kindsOf = (cwd: string, split: string) =>
  readLedgerText(readFileSync(join(cwd, `splits/${split}.ledger.jsonl`), "utf8")).lines.map(({ kind }) => kind)

const manifestOf = (cwd: string, split: string) =>
  JSON.parse(readFileSync(join(cwd, `splits/${split}.json`), "utf8")) as SplitManifest

describe("confirming on a small holdout, and on one of notes that another split has", () => {
  it("warns of a test that cannot come below alpha; a second split's opening is exploratory, for what was opened or searched before", {
    timeout: 60_000
  }, async () => {
    using folder = temporaryFolder()
    const cwd = folder.path
    const { done, run } = commandsIn(cwd)
    const yaml = await smallRun(cwd)

    const promised = await done("confirm", "latest", "--preregister", "--json")
    const tooSmall = /the smallest two-sided p that its test can give on 5 consultations is 0\.0625/
    assert.match(promised.stderr, tooSmall)
    const { holdout } = JSON.parse(promised.stdout) as { readonly holdout: TestLimit }
    assert.deepStrictEqual([holdout.consultations, holdout.leastP, holdout.reachable], [5, 0.0625, false])
    const opened = await run("confirm", "latest", "--json")
    assert.strictEqual(opened.code, 3)
    assert.match(opened.stderr, tooSmall)
    const first = JSON.parse(opened.stdout) as Shown
    assert.deepStrictEqual([first.confirmatory, first.opening.seen], [true, undefined])

    // Another split of the notes, and a seed on it that the first search made.
    const created = await done("split", "create", dataset, "--out", "splits/two.json", "--seed", "5")
    const [one, two] = [manifestOf(cwd, "quickstart"), manifestOf(cwd, "two")]
    const both = two.holdout.filter((id) => one.holdout.includes(id)).length
    assert.isTrue(both > 0 && both < 5)
    assert.include(created.stderr, `${both} of its 5 consultations were opened before, under split quickstart (`)
    assert.include(
      created.stderr,
      `${5 - both} of the holdout's 5 consultations are in the train or acceptance part of`
    )
    const winner = JSON.parse((await done("runs", "show", "latest", "--candidate", "winner", "--json")).stdout) as {
      readonly instructions: { readonly judge: string }
    }
    writeFileSync(join(cwd, "seeds/found.md"), `---\nname: found\n---\n${winner.instructions.judge}\n`)
    const second = yaml.replace("campaign.yaml", "two.yaml")
    writeFileSync(
      second,
      readFileSync(yaml, "utf8")
        .replace(/^name: .*/m, "name: two")
        .replace("quickstart.json", "two.json")
        .replace(/seeds:\n(?: {2}- .*\n)+/, "seeds: [../../seeds/completeness.md, ../../seeds/found.md]\n")
        .replace("iterations: 2", "iterations: 1")
    )
    await done("run", second, "--quiet")
    const question = ["--candidate", "found", "--baseline", "completeness", "--gate", "0"]
    const told = await done("confirm", "latest", "--preregister", ...question)
    assert.include(told.stdout, `of its 5 consultations were opened before, under split quickstart`)
    assert.include(told.stdout, "So what follows is exploratory")
    const refused = await run("confirm", "latest", "--json")
    assert.strictEqual(refused.code, 3, refused.stderr)
    const no = JSON.parse(refused.stdout) as { readonly decision: string; readonly seen: ReadonlyArray<SeenBefore> }
    assert.strictEqual(no.decision, "opened before")
    assert.deepStrictEqual(
      no.seen.map(({ consultations, how, of, run: by, split }) => [how, consultations, of, split.name, by]),
      [
        ["opened", both, 5, "quickstart", undefined],
        ["searched", 5 - both, 5, "quickstart", "quickstart-1"]
      ]
    )
    assert.include(refused.stderr, 'say why with --again "reason"')
    assert.deepStrictEqual(kindsOf(cwd, "two"), ["preregistration"])

    const again = await run("confirm", "latest", "--again", "no other notes", "--markdown", "two.md", "--json")
    assert.include([0, 3], again.code, again.stderr)
    const shown = JSON.parse(again.stdout) as Shown
    assert.deepStrictEqual(
      [shown.confirmatory, shown.opening.seen, shown.opening.again],
      [false, no.seen, "no other notes"]
    )
    assert.include(shown.verdict[0]!, "some of which an earlier search saw")
    if (again.code === 0) assert.include(shown.verdict[2]!, "exploratory and confirms nothing")
    const markdown = readFileSync(join(cwd, "two.md"), "utf8")
    const text = (await run("confirm", "latest")).stdout
    for (const said of [markdown, text]) {
      assert.include(said, "EXPLORATORY: the holdout of split two was no news when it was opened")
      assert.match(said, /of the holdout, \d of its 5 consultations were opened before, under split quickstart \(2/)
      assert.include(said, "made because: no other notes")
    }
    const compared = await done("runs", "compare", "--json")
    assert.deepStrictEqual(
      (JSON.parse(compared.stdout) as ReadonlyArray<{ run: string; status: string }>).map(({ run: of, status }) => [
        of,
        status
      ]),
      [
        ["two-1", "exploratory"],
        ["quickstart-1", "confirmatory"]
      ]
    )
    assert.include(
      (await done("runs", "compare")).stdout,
      `these are of 2 splits, whose holdouts share ${both} of ${10 - both} consultations: figures of one row`
    )
    const standing = async (split: string) => {
      const verified = await done("split", "verify", `splits/${split}.json`, "--json")
      return (JSON.parse(verified.stdout) as { ledger: { confirmatory: boolean } }).ledger.confirmatory
    }
    assert.deepStrictEqual([await standing("quickstart"), await standing("two")], [true, false])
    await done("report", "latest", "--out", "two.html")
    assert.include(readFileSync(join(cwd, "two.html"), "utf8"), "no news when it was opened")
  })

  it("finds out before the opening that what comes out has no place, and takes the place of nothing that it rests on", {
    timeout: 60_000
  }, async () => {
    using folder = temporaryFolder()
    const cwd = folder.path
    const { run } = commandsIn(cwd)
    await smallRun(cwd)
    mkdirSync(join(cwd, "taken"))
    symlinkSync(join(cwd, dataset), join(cwd, "link.md"))
    const ledger = "splits/quickstart.ledger.jsonl"
    for (const [args, told] of [
      [["--out", "taken"], "a folder of this name"],
      [["--out", "/dev/full"], "is a device"],
      [["--out", join(dataset, "prompt.md")], "is no folder"],
      [["--out", "same.md", "--markdown", "./taken/../same.md"], "is the same file as --out"],
      [["--out", "link.md"], "is the same file as the dataset"],
      [["--out", ledger], "is the same file as the split's ledger"],
      [["--markdown", ".assize/store.sqlite"], "is the same file as the store"]
    ] as const) {
      const refused = await run("confirm", "latest", "--force", ...args)
      assert.strictEqual(refused.code, 2, `${args.join(" ")}: ${refused.stderr}`)
      assert.include(refused.stderr, told)
    }
    assert.isFalse(existsSync(join(cwd, ledger)))
    assert.isTrue(readFileSync(join(cwd, dataset), "utf8").startsWith("{"))

    // Alpha that five consultations can reach: the prompt is written, and the read-out does not take its place later.
    const passed = await run("confirm", "latest", "--alpha", "0.5", "--json")
    assert.strictEqual(passed.code, 0, passed.stderr)
    const [artefact] = (JSON.parse(passed.stdout) as { readonly artefacts: ReadonlyArray<string> }).artefacts
    const prompt = readFileSync(artefact!, "utf8")
    for (const more of [[], ["--force"]]) {
      const over = await run("confirm", "latest", "--markdown", artefact!, ...more)
      assert.strictEqual(over.code, 2, over.stderr)
      assert.match(over.stderr, /--markdown: is the same file as (the confirmed prompt|--out)/)
    }
    assert.strictEqual(readFileSync(artefact!, "utf8"), prompt)

    // A last line without its line feed counts; converted line ends are told as that.
    const text = readFileSync(join(cwd, ledger), "utf8")
    writeFileSync(join(cwd, ledger), text.trimEnd())
    assert.strictEqual((await run("confirm", "latest")).code, 0)
    writeFileSync(join(cwd, ledger), text.replaceAll("\n", "\r\n"))
    const converted = await run("confirm", "latest")
    assert.strictEqual(converted.code, 2)
    assert.include(converted.stderr, "line ends were changed")
    writeFileSync(join(cwd, ledger), text.slice(0, -9))
    const cut = await run("confirm", "latest")
    assert.strictEqual(cut.code, 2)
    assert.include(cut.stderr, "the last line breaks off")
    assert.include(cut.stderr, "is no longer in it")
  })
})
