import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "vitest"
import { atEndpoint, eventsOf, quickstartCopy, simulate, start, temporaryFolder } from "./cli.ts"
import { assizeHere as assize } from "./inProcess.ts"

const short = (yaml: string) => yaml.replace("iterations: 30", "iterations: 2")

const statuses = async (cwd: string) => {
  const { stdout } = await assize(["runs", "list", "--json"], { cwd })
  return (JSON.parse(stdout) as ReadonlyArray<{ run: string; status: string }>).map(({ run, status }) => [run, status])
}

describe("a store with a damaged answer", () => {
  it("never gives it to a run, names it, and has it bought anew once it is removed", async () => {
    using folder = temporaryFolder()
    const cwd = folder.path
    const yaml = quickstartCopy(cwd, short)
    assert.strictEqual((await assize(["run", yaml, "--quiet"], { cwd })).code, 0)
    const sound = await eventsOf(cwd, join(cwd, "sound"))
    assert.strictEqual((await assize(["store", "verify"], { cwd })).code, 0)

    const database = new DatabaseSync(join(cwd, ".assize/store.sqlite"))
    const { key } = database.prepare("SELECT key FROM uses WHERE role = 'judge' LIMIT 1").get() as { key: string }
    database.prepare("UPDATE judgements SET text = ? WHERE key = ?").run('{"reason": "x", "score": 10}', key)
    database.close()

    const again = await assize(["run", yaml, "--new", "--quiet"], { cwd })
    assert.strictEqual(again.code, 1)
    assert.include(again.stderr, `judgement ${key} does not match its checksum`)
    assert.include(again.stderr, "assize store prune --corrupt")
    const exported = await assize(["runs", "export", "quickstart-1", "--out", "damaged"], { cwd })
    assert.strictEqual(exported.code, 1)

    const verified = await assize(["store", "verify", "--json"], { cwd })
    assert.strictEqual(verified.code, 3)
    assert.deepInclude(JSON.parse(verified.stdout), { ok: false })
    assert.deepStrictEqual(
      (JSON.parse(verified.stdout) as { damage: ReadonlyArray<{ row: string }> }).damage.map(({ row }) => row),
      [`judgement ${key}`]
    )

    const unasked = await assize(["store", "prune", "--corrupt"], { cwd })
    assert.strictEqual(unasked.code, 2)
    assert.include(unasked.stderr, "--yes")
    assert.strictEqual((await assize(["store", "prune", "--corrupt", "--yes"], { cwd })).code, 0)
    assert.strictEqual((await assize(["store", "verify"], { cwd })).code, 0)
    const whole = await assize(["run", yaml, "--quiet"], { cwd })
    assert.strictEqual(whole.code, 0, whole.stderr)
    assert.deepStrictEqual(await eventsOf(cwd, join(cwd, "again")), sound)
  })
})

describe("assize store prune", () => {
  it("says what would go, deletes it when told to, and gives the room back", async () => {
    using folder = temporaryFolder()
    const cwd = folder.path
    const yaml = quickstartCopy(cwd, short)
    assert.strictEqual((await assize(["run", yaml, "--quiet"], { cwd })).code, 0)
    const prune = ["store", "prune", "--run", "quickstart-1"]
    const would = await assize([...prune, "--dry-run"], { cwd })
    assert.strictEqual(would.code, 0, would.stderr)
    assert.match(would.stdout, /^would delete: run quickstart-1 with \d+ events and \d+ judgements \(\$0\.0000\)/)
    assert.deepStrictEqual(await statuses(cwd), [["quickstart-1", "finished"]])
    const done = await assize([...prune, "--yes", "--json"], { cwd })
    assert.strictEqual(done.code, 0, done.stderr)
    const { bytesFreed, deleted } = JSON.parse(done.stdout) as { bytesFreed: number; deleted: boolean }
    assert.isTrue(deleted)
    assert.isAbove(bytesFreed, 1_000_000)
    assert.deepStrictEqual(await statuses(cwd), [])
  })

  it.each([
    [[], "nothing is named to be pruned"],
    [["--corrupt", "--unused"], "more is named than goes together"],
    [["--older-than", "soon"], "is no duration"],
    [["--run", "nobody-1"], "there is no such run"]
  ])("refuses %j", async (flags, said) => {
    using folder = temporaryFolder()
    const cwd = folder.path
    new DatabaseSync(join(cwd, "store.sqlite")).close()
    const { code, stderr } = await assize(["store", "prune", ...flags, "--store", "store.sqlite"], { cwd })
    assert.strictEqual(code, 2)
    assert.include(stderr, said)
  })

  it("is refused while a run goes on, which it does not disturb", async () => {
    const server = await simulate(["--latency", "20"])
    try {
      using folder = temporaryFolder()
      const cwd = folder.path
      const yaml = quickstartCopy(cwd, (text) => short(atEndpoint(server.url)(text)))
      const running = start(["run", yaml, "--plain"], { cwd })
      await new Promise<void>((resolve) =>
        running.child.stderr.on("data", () => running.stderr().includes("started") && resolve())
      )
      assert.deepStrictEqual(await statuses(cwd), [["quickstart-1", "running"]])
      const { code, stderr } = await assize(["store", "prune", "--older-than", "1 ms", "--yes"], { cwd })
      assert.strictEqual(code, 2)
      assert.include(stderr, `the store is in use by process ${running.child.pid}`)
      assert.strictEqual((await running.finished).code, 0)
      assert.deepStrictEqual(await statuses(cwd), [["quickstart-1", "finished"]])
    } finally {
      await server.stop()
    }
  })
})

describe("runs list", () => {
  it("tells runs that were refused before they began from finished ones, and knows a campaign by any link to it", async () => {
    using folder = temporaryFolder()
    const cwd = folder.path
    const yaml = quickstartCopy(cwd, (text) => short(atEndpoint("http://127.0.0.1:1")(text)))
    assert.notStrictEqual((await assize(["run", yaml], { cwd })).code, 0)
    assert.deepStrictEqual(await statuses(cwd), [["quickstart-1", "never-begun"]])
    const shown = await assize(["runs", "list"], { cwd })
    assert.include(shown.stdout, "never begun")

    symlinkSync(join(cwd, "campaigns"), join(cwd, "linked"))
    assert.strictEqual((await assize(["run", quickstartCopy(cwd, short), "--new"], { cwd })).code, 0)
    const again = await assize(["run", join(cwd, "linked/quickstart/campaign.yaml")], { cwd })
    assert.strictEqual(again.code, 0, again.stderr)
    assert.deepStrictEqual(await statuses(cwd), [
      ["quickstart-2", "finished"],
      ["quickstart-1", "never-begun"]
    ])
  })
})
