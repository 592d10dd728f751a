import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, describe, it } from "vitest"
import { assize, eventsOf, quickstartCopy, root, temporaryFolder } from "./cli.ts"
import { finishedQuickstart } from "./finished.ts"
import { assizeHere } from "./inProcess.ts"

interface Result {
  readonly label: string | null
  readonly accepted: number
  readonly iterations: { readonly done: number }
  readonly stopped: { readonly reason: string }
  readonly members: ReadonlyArray<{
    readonly name: string
    readonly from: string
    readonly winner: boolean
    readonly primary: number
    readonly discrimination: { readonly pairs: number }
    readonly detection: { readonly falseAlarms: number; readonly clean: number }
  }>
}

describe("the quickstart campaign", () => {
  it("ends with a winner that beats every seed, says what it is worth, and is labelled as the embedded model's", async () => {
    using folder = temporaryFolder()
    const { said, yaml } = await finishedQuickstart(folder.path)
    for (const part of [
      "wins/ties/losses",
      "detection",
      "false alarms (≤ 10 %)",
      "embedded stand-in",
      "completeness",
      "faithfulness",
      "Next:"
    ]) {
      assert.include(said, part)
    }
    // Asked again, the finished run buys nothing and says the same.
    const again = await assizeHere(["run", yaml, "--json"], { cwd: folder.path })
    assert.strictEqual(again.code, 0, again.stderr)
    const result = JSON.parse(again.stdout) as Result
    const winner = result.members.find((member) => member.winner)!
    assert.isAtLeast(result.accepted, 6)
    assert.strictEqual(result.iterations.done, 30)
    assert.strictEqual(result.stopped.reason, "iterations")
    assert.isNotNull(result.label)
    assert.isTrue(result.members.filter(({ from }) => from === "seed").every(({ primary }) => primary < winner.primary))
    assert.isAtMost(winner.detection.falseAlarms / winner.detection.clean, 0.1)

    const out = join(folder.path, "exported")
    const events = await eventsOf(folder.path, out)
    assert.strictEqual(events.filter(({ _tag }) => _tag === "stopped").length, 1)
    assert.includeMembers(readdirSync(out), ["manifest.json", "events.jsonl", "lineage.jsonl", "candidates"])
    const lineage = readFileSync(join(out, "lineage.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map(
        (text) =>
          JSON.parse(text) as { accepted: boolean; reply: string | null; prompt: string | null; reason: string | null }
      )
    assert.strictEqual(lineage.length, 3 + 30)
    // Every proposal is kept whole, whatever became of it. Nobody is asked to merge two that agree.
    for (const proposal of lineage.slice(3)) {
      const asked = proposal.reason !== "nothing-to-merge"
      assert.deepStrictEqual([proposal.reply !== null, proposal.prompt !== null], [asked, asked])
      assert.isTrue(proposal.accepted || proposal.reason !== null)
    }

    const shown = await assizeHere(["runs", "show", "--candidate", "winner"], { cwd: folder.path })
    assert.include(shown.stdout, `${winner.discrimination.pairs} pairs`)
    const iteration = await assizeHere(["runs", "show", "--iteration", "1"], { cwd: folder.path })
    assert.include(iteration.stdout, "Raw reply")
    assert.include((await assizeHere(["runs", "list"], { cwd: folder.path })).stdout, "quickstart-1")
  })

  it("is planned without a call, and its plan names what the budget buys", async () => {
    using folder = temporaryFolder()
    const yaml = quickstartCopy(folder.path)
    const plan = await assizeHere(["plan", yaml], { cwd: folder.path })
    assert.strictEqual(plan.code, 0, plan.stderr)
    assert.include(plan.stdout, "the budget buys")
    assert.isFalse(readdirSync(folder.path).includes(".assize"))
    assert.include(plan.stdout, "a judge's call to take 5 ms")
    const poor = join(dirname(yaml), "poor.yaml")
    writeFileSync(poor, readFileSync(yaml, "utf8").replace(/^budget:.*$/m, "budget: { calls: 1 }"))
    const refused = await assizeHere(["plan", poor], { cwd: folder.path })
    assert.strictEqual(refused.code, 2)
    assert.include(refused.stderr, "the budget buys no proposal")
    assert.strictEqual(refused.stdout, "")
    const { expected, atMost } = JSON.parse(
      (await assizeHere(["plan", yaml, "--json"], { cwd: folder.path })).stdout
    ) as Record<"expected" | "atMost", { calls: number }>
    using other = temporaryFolder()
    const finished = await finishedQuickstart(other.path)
    const run = JSON.parse((await assizeHere(["run", finished.yaml, "--json"], { cwd: other.path })).stdout) as {
      usage: { calls: number }
    }
    assert.isAtMost(run.usage.calls, atMost.calls)
    assert.approximately(run.usage.calls, expected.calls, expected.calls / 2)
  })
})

// The README's test runs it as it is.
it("init makes a campaign that can be planned, and overwrites nothing", async () => {
  using folder = temporaryFolder()
  const made = await assizeHere(["init", "mine"], { cwd: folder.path })
  assert.strictEqual(made.code, 0, made.stderr)
  const cwd = join(folder.path, "mine")
  // Ten consultations are the fewest that have intervals.
  const { acceptance, holdout, train } = JSON.parse(readFileSync(join(cwd, "split.json"), "utf8"))
  assert.deepStrictEqual([train.length, acceptance.length, holdout.length], [10, 10, 10])
  assert.strictEqual((await assizeHere(["plan", "campaign.yaml"], { cwd })).code, 0)
  const again = await assizeHere(["init", "mine"], { cwd: folder.path })
  assert.strictEqual(again.code, 2)
  assert.include(again.stderr, "already: nothing is overwritten")
})

it("the version is the package's", async () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }
  const { stdout } = await assize(["--version"], { cwd: root })
  assert.include(stdout, version)
})

it("a mistyped command or flag is the user's error", async () => {
  for (const args of [["rnu"], ["run"], ["run", "x.yaml", "--nonsense"]]) {
    assert.strictEqual((await assize(args, { cwd: root })).code, 2, args.join(" "))
  }
  assert.strictEqual((await assize(["--help"], { cwd: root })).code, 0)
})
