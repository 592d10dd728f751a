import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { atEndpoint, quickstartCopy, simulate, temporaryFolder } from "./cli.ts"
import { assizeHere as assize } from "./inProcess.ts"

interface Report {
  readonly ok: boolean
  readonly sections: ReadonlyArray<{
    readonly name: string
    readonly checks: ReadonlyArray<{ readonly level: string; readonly what: string }>
    readonly facts?: Readonly<Record<string, unknown>>
  }>
}

describe("assize doctor", () => {
  it("finds a campaign on the embedded model in order, and makes no store", async () => {
    using folder = temporaryFolder()
    const yaml = quickstartCopy(folder.path)
    const { code, stdout } = await assize(["doctor", yaml, "--json"], { cwd: folder.path })
    assert.strictEqual(code, 0)
    const report = JSON.parse(stdout) as Report
    assert.isTrue(report.ok)
    assert.deepStrictEqual(
      report.sections.map(({ name }) => name),
      ["this machine", "the store", "the embedded model lexical-1 (models.judge, models.reflection)"]
    )
    assert.include(report.sections[1]!.checks[0]!.what, "none yet")
    assert.strictEqual((await assize(["runs", "list"], { cwd: folder.path })).code, 2)
  })

  it("asks an endpoint once, with a key that it does not show, and looks at the store", async () => {
    const key = "canary-key-0123456789"
    const server = await simulate(["--require-key", key])
    try {
      using folder = temporaryFolder()
      const cwd = folder.path
      const endpoint = atEndpoint(server.url, "maxOutputTokens: 512, apiKeyEnv: CANARY")
      const yaml = quickstartCopy(cwd, (text) => endpoint(text).replace("iterations: 30", "iterations: 1"))
      const env = { CANARY: key }
      assert.strictEqual((await assize(["run", yaml, "--quiet"], { cwd, env })).code, 0)
      const before = await server.stats()
      const good = await assize(["doctor", yaml, "--json"], { cwd, env })
      assert.strictEqual(good.code, 0, good.stdout)
      assert.strictEqual((await server.stats()).requests - before.requests, 1)
      const report = JSON.parse(good.stdout) as Report
      assert.isTrue(report.sections[1]!.checks.every(({ level }) => level === "ok"))
      assert.deepInclude(report.sections[2]!.facts, { reached: true, requests: 1, finish: "length" })
      assert.isNumber(report.sections[2]!.facts?.["connectMs"])
      const wrong = await assize(["doctor", yaml], { cwd, env: { CANARY: `${key}-wrong` } })
      assert.strictEqual(wrong.code, 3)
      assert.match(wrong.stdout, /NO .*refuses the key in CANARY/)
      for (const { stderr, stdout } of [good, wrong]) assert.notInclude(stdout + stderr, key)
    } finally {
      await server.stop()
    }
  })

  it("says no with exit code 3, and refuses what it cannot read with 2", async () => {
    using folder = temporaryFolder()
    const cwd = folder.path
    const gone = await assize(
      ["doctor", "--model", 'x={ provider: openai, model: m, baseUrl: "http://127.0.0.1:1" }'],
      { cwd }
    )
    assert.strictEqual(gone.code, 3)
    assert.include(gone.stdout, "connection refused")
    assert.strictEqual((await assize(["doctor", "nowhere.yaml"], { cwd })).code, 2)
    assert.strictEqual((await assize(["doctor", "--model", "x"], { cwd })).code, 2)
    writeFileSync(join(cwd, "text.sqlite"), "no store ".repeat(500))
    const bad = await assize(["doctor", "--store", "text.sqlite"], { cwd })
    assert.strictEqual(bad.code, 3)
    assert.include(bad.stdout, "no SQLite database")
  })
})

describe("a named pipe in place of a file", () => {
  it("is refused instead of waited for", async () => {
    using folder = temporaryFolder()
    const cwd = folder.path
    assert.strictEqual(spawnSync("mkfifo", [join(cwd, "pipe")]).status, 0)
    const commands = [
      ["data", "check", "pipe"],
      ["run", "pipe"],
      ["score", "--scores", "pipe"],
      ["store", "stats", "--store", "pipe"]
    ]
    const refused = await Promise.all(commands.map((command) => assize(command, { cwd })))
    for (const { code, stderr } of refused) {
      assert.strictEqual(code, 2)
      assert.include(stderr, "pipe")
    }
  })
})
