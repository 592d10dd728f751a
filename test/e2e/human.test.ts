import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { atEndpoint, eventsOf, quickstartCopy, simulate, start, temporaryFolder } from "./cli.ts"
import { finishedQuickstart } from "./finished.ts"
import { assizeHere } from "./inProcess.ts"

const short = (yaml: string) => yaml.replace("iterations: 30", "iterations: 4")

describe("the human in the loop", () => {
  it("pins, vetoes, adds, edits and branches; runs replay it, exports and confirm say so", {
    timeout: 120_000
  }, async () => {
    using folder = temporaryFolder()
    const cwd = folder.path
    const { yaml } = await finishedQuickstart(cwd)
    const cli = async (...args: ReadonlyArray<string>) => {
      const finished = await assizeHere(args, { cwd, env: { USER: "dr-a", VISUAL: undefined, EDITOR: undefined } })
      return { ...finished, json: () => JSON.parse(finished.stdout) }
    }
    const ok = async (...args: ReadonlyArray<string>) => {
      const finished = await cli(...args)
      assert.strictEqual(finished.code, 0, finished.stderr)
      return finished
    }
    const before = (await ok("runs", "show", "latest", "--json")).json()

    const unsaid = await cli("runs", "veto", "latest", "winner", "--reason", " ")
    assert.strictEqual(unsaid.code, 2)
    assert.include(unsaid.stderr, "--reason")
    await ok("runs", "veto", "latest", "winner", "--reason", "guesses\u001b[31m doses")
    const again = await cli("runs", "veto", "latest", before.winner, "--reason", "once more")
    assert.strictEqual(again.code, 2)
    assert.include(again.stderr, "vetoed already, by dr-a: guesses")
    assert.notInclude(again.stderr, "\u001b")
    const confirm = await cli("confirm", "latest", "--candidate", before.winner)
    assert.strictEqual(confirm.code, 3, confirm.stderr)
    assert.include(confirm.stderr, "vetoed by dr-a")
    assert.isFalse(readdirSync(join(cwd, "splits")).some((name) => name.endsWith(".yaml")))

    const mine = join(cwd, "mine.md")
    const rule = "List every fact of the talk first, then look for each in the note."
    writeFileSync(
      mine,
      `Score how complete the note is.\n<!-- freeze -->\n${rule}\n<!-- /freeze -->\nDoses, numbers, sides and negatives count most.\n`
    )
    const added = (
      await ok("runs", "add", "latest", mine, "--reason", "ward checklist", "--author", "Sr. B", "--json")
    ).json()
    assert.strictEqual(added.event.candidate.origin, "human")
    const { id, name } = added.event.candidate
    await ok("runs", "pin", "latest", name, "--reason", "to be tried more")
    const waiting = await cli("confirm", "latest")
    assert.include(waiting.stderr, "not over")

    // The run goes on with it, and what is frozen binds edits and the reflector.
    writeFileSync(yaml, readFileSync(yaml, "utf8").replace("iterations: 30", "iterations: 32"))
    const gone = await ok("run", yaml, "--plain")
    assert.include(gone.stderr, `${name} (from a person)`)
    const edited = join(cwd, "edited.md")
    writeFileSync(edited, "List the facts first.\n")
    const refused = await cli("runs", "edit", "latest", name, "--file", edited, "--reason", "shorter")
    assert.strictEqual(refused.code, 2)
    assert.include(refused.stderr, "(frozen)")
    const noEditor = await cli("runs", "edit", "latest", name, "--reason", "shorter")
    assert.include(noEditor.stderr, "neither VISUAL nor EDITOR")
    writeFileSync(edited, `${rule}\nMedicines too.\n`)
    const child = (await ok("runs", "edit", "latest", name, "--file", edited, "--reason", "shorter", "--json")).json()
    assert.deepStrictEqual(child.event.candidate.parents, [id])
    assert.deepStrictEqual(child.event.candidate.frozen, { judge: [rule] })
    await ok("run", yaml, "--quiet")

    const out = join(cwd, "out")
    const events = await eventsOf(cwd, out)
    const parents = events.flatMap((event) =>
      event._tag === "iteration" && event.iteration > 30 ? [event.parent] : []
    )
    assert.notInclude(parents, before.winner)
    const lineage = readFileSync(join(out, "lineage.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    const lineOf = (wanted: string) => lineage.find((line) => line.id === wanted && line.accepted)
    assert.strictEqual(lineOf(before.winner).vetoed.author, "dr-a")
    assert.deepInclude(lineOf(id), { origin: "human", author: "Sr. B", detail: "ward checklist" })
    assert.isNotNull(lineOf(id).figures)
    const seedFile = readFileSync(join(out, "candidates", `${id}.md`), "utf8").replace(/\s+/g, " ")
    assert.include(seedFile, `<!-- freeze -->${rule}<!-- /freeze -->`)
    assert.include(seedFile, "written by a person (Sr. B: ward checklist)")
    const shown = (await ok("runs", "show", "latest", "--json")).json()
    assert.strictEqual(shown.human.length, 4)
    assert.isAtLeast(shown.hypervolume.now, shown.hypervolume.seeds)

    // A contender that a person wrote says so where the question is written down.
    const promise = (
      await ok("confirm", "latest", "--preregister", "--candidate", name, "--gate", "0", "--json")
    ).json()
    assert.deepStrictEqual(promise.candidate.human, { author: "Sr. B", reason: "ward checklist" })
    assert.include(promise.summary, `${name} was written by a person, not by the search`)

    const branch = join(cwd, "campaigns/branch")
    await ok("runs", "branch", "latest", name, "--also", "completeness", "--out", branch, "--reason", "another way")
    const begun = join(branch, "campaign.yaml")
    writeFileSync(begun, readFileSync(begun, "utf8").replace("iterations: 32", "iterations: 1"))
    await ok("run", begun, "--quiet")
    const branched = (await ok("runs", "show", "latest", "--json")).json()
    assert.deepInclude(branched.branch, { run: before.run, author: "dr-a", reason: "another way" })
    assert.include(branched.branch.candidates, id)
    // The first run is as finished as before, and goes on as itself.
    const rows = (await ok("runs", "list", "--json")).json()
    assert.strictEqual(rows.find((row: { run: string }) => row.run === before.run).status, "finished")
    assert.isTrue(existsSync(join(branch, "seeds", `${id}.md`)))
  })

  it("branches a run whose campaign says under search what evolves, and ablates a judge that has options", {
    timeout: 60_000
  }, async () => {
    using folder = temporaryFolder()
    const cwd = folder.path
    const yaml = quickstartCopy(cwd, (text) =>
      short(text)
        .replace(
          /^judge:.*$/m,
          "judge: { design: consensus, samples: 1, members: [{ name: whole, design: whole-note-score }, { name: flag, design: whole-note-yes-no }] }"
        )
        .replace(/^seeds:[\s\S]*?\n(?=\S)/m, "seeds: [../../seeds/of-two.md]\n\n")
        .replace("iterations: 4", "iterations: 2\n  target: { modules: [whole.judge] }")
    )
    writeFileSync(
      join(cwd, "seeds/of-two.md"),
      "---\nname: of-two\ndesign: consensus\nmodule: whole.judge\n---\nGive a high score to a complete note.\n"
    )
    const ok = async (...args: ReadonlyArray<string>) => {
      const finished = await assizeHere(args, { cwd })
      assert.strictEqual(finished.code, 0, finished.stderr)
      return finished
    }
    await ok("run", yaml, "--quiet")
    const branch = join(cwd, "campaigns/branch")
    await ok("runs", "branch", "latest", "winner", "--out", branch, "--reason", "another way")
    assert.isTrue(existsSync(join(branch, "campaign.yaml")))
    const audit = JSON.parse((await ok("audit", "latest", "--ablate", "--json")).stdout)
    assert.isArray(audit.ablation.paragraphs)
  })

  it("is refused while the run is under way, with what to do", { timeout: 60_000 }, async () => {
    using folder = temporaryFolder()
    const cwd = folder.path
    const server = await simulate(["--latency", "40"])
    try {
      const yaml = quickstartCopy(cwd, (text) => short(atEndpoint(server.url)(text)))
      const running = start(["run", yaml, "--plain"], { cwd })
      await new Promise<void>((resolve) =>
        running.child.stderr.on("data", () => running.stderr().includes("started:") && resolve())
      )
      const refused = await assizeHere(["runs", "pin", "latest", "winner", "--reason", "x"], { cwd })
      assert.strictEqual(refused.code, 2)
      assert.include(refused.stderr, "is under way in process")
      assert.include(refused.stderr, "assize run")
      running.child.kill("SIGINT")
      assert.strictEqual((await running.finished).code, 130)
      // Free again, though it has not come far enough to be spoken to.
      const now = await assizeHere(["runs", "pin", "latest", "winner", "--reason", "x"], { cwd })
      assert.notInclude(now.stderr, "under way")
    } finally {
      await server.stop()
    }
  })
})
