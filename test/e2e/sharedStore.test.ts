import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { assize, atEndpoint, quickstartCopy, type Server, simulate, start, temporaryFolder } from "./cli.ts"
import { assizeHere } from "./inProcess.ts"

const verified = async (cwd: string) => {
  const { code, stdout } = await assizeHere(["store", "verify", "--json"], { cwd })
  assert.strictEqual(code, 0, stdout)
  return JSON.parse(stdout) as { readonly checked: { readonly judgements: number } }
}

interface Scored {
  readonly usage: { readonly roles: ReadonlyArray<{ readonly role: string; readonly sent: number }> }
}

describe("two processes on one store at the same time", () => {
  let server: Server
  beforeAll(async () => {
    server = await simulate(["--latency", "20"])
  })
  afterAll(() => server.stop())

  it("score with the same figures, and buy each answer once", async () => {
    using folder = temporaryFolder()
    const yaml = quickstartCopy(folder.path)
    const model = `m={ provider: openai, model: lexical-1, baseUrl: "${server.url}", concurrency: 8, price: { input: 0, output: 0 } }`
    const command = [
      "score",
      yaml.replace("campaign.yaml", "dataset.jsonl"),
      "--resamples",
      "1000",
      "--json",
      "--ignore-splits"
    ]
    const judge = ["--judge", join(folder.path, "seeds/completeness.md"), "--model", model]
    // Whichever process looks for the store first makes it.
    const both = await Promise.all(
      [1, 2, 3].map(() => assize([...command, ...judge, "--store", "shared.sqlite"], { cwd: folder.path }))
    )
    for (const { code, stderr } of both) {
      assert.strictEqual(code, 0, stderr)
      assert.notMatch(stderr, /locked|busy/i)
    }
    const [one, ...others] = both.map(({ stdout }) => JSON.parse(stdout) as Scored)
    const { usage, ...figures } = one!
    for (const { usage: _, ...other } of others) assert.deepStrictEqual(other, figures)
    const { distinct, requests } = await server.stats()
    const sent = (of: Scored["usage"]) => of.roles.find(({ role }) => role === "judge")?.sent ?? 0
    // What was bought is divided among them.
    assert.strictEqual(
      others.reduce((sum, other) => sum + sent(other.usage), sent(usage)),
      distinct - 1
    )
    assert.isAbove(distinct, 100)
    // Each process asks the one preflight question, whose answer is not kept.
    assert.isAtMost(requests, distinct + 2)
    const { code, stdout } = await assizeHere(["store", "verify", "--json", "--store", "shared.sqlite"], {
      cwd: folder.path
    })
    assert.strictEqual(code, 0, stdout)
    assert.strictEqual((JSON.parse(stdout) as { checked: { judgements: number } }).checked.judgements, distinct - 1)
  })

  it("run two campaigns with the same requests to the same events, and buy each answer once", async () => {
    using folder = temporaryFolder()
    const before = await server.stats()
    const yaml = quickstartCopy(folder.path, (text) =>
      atEndpoint(
        server.url,
        "concurrency: 6, timeout: 90 seconds, temperature: 0.5"
      )(text).replace("iterations: 30", "iterations: 3")
    )
    const other = yaml.replace("campaign.yaml", "other.yaml")
    cpSync(yaml, other)
    const both = await Promise.all([yaml, other].map((file) => assize(["run", file], { cwd: folder.path })))
    for (const { code, stderr } of both) {
      assert.strictEqual(code, 0, stderr)
      assert.notMatch(stderr, /locked|busy/i)
    }
    const events = await Promise.all(
      ["quickstart-1", "quickstart-2"].map(async (run) => {
        const exported = await assizeHere(["runs", "export", run, "--no-judgements", "--out", run], {
          cwd: folder.path
        })
        assert.strictEqual(exported.code, 0, exported.stderr)
        return readFileSync(join(folder.path, run, "events.jsonl"), "utf8").replace(/"time":"[^"]*"/g, "")
      })
    )
    assert.strictEqual(events[0], events[1])
    const after = await server.stats()
    const bought = after.distinct - before.distinct
    // Each process asks the one preflight question, whose answer is not kept.
    assert.isAtMost(after.requests - before.requests, bought + 1)
    assert.strictEqual((await verified(folder.path)).checked.judgements, bought - 1)
    const { stdout } = await assizeHere(["store", "stats", "--json"], { cwd: folder.path })
    const { reuse } = JSON.parse(stdout) as { reuse: { uses: number; used: number; saved: { calls: number } } }
    assert.strictEqual(reuse.uses, 2 * reuse.used)
    assert.strictEqual(reuse.saved.calls, reuse.used)
  })

  it("go on without waiting when the other one is killed in the middle of its calls", async () => {
    using folder = temporaryFolder()
    const slow = await simulate(["--latency", "400"])
    try {
      const yaml = quickstartCopy(folder.path, (text) =>
        atEndpoint(slow.url, "concurrency: 40, timeout: 50 seconds")(text).replace("iterations: 30", "iterations: 1")
      )
      const other = yaml.replace("campaign.yaml", "other.yaml")
      writeFileSync(other, readFileSync(yaml, "utf8"))
      const first = start(["run", yaml, "--plain"], { cwd: folder.path })
      await new Promise<void>((resolve) =>
        first.child.stderr.on("data", () => first.stderr().includes("started") && resolve())
      )
      await new Promise((resolve) => setTimeout(resolve, 200))
      const second = start(["run", other, "--json"], { cwd: folder.path })
      await new Promise((resolve) => setTimeout(resolve, 700))
      first.child.kill("SIGKILL")
      await first.finished
      const { code, stderr } = await second.finished
      assert.strictEqual(code, 0, stderr)
      const { stdout } = await assizeHere(["runs", "list", "--json"], { cwd: folder.path })
      assert.deepStrictEqual(
        (JSON.parse(stdout) as ReadonlyArray<{ status: string }>).map(({ status }) => status).sort(),
        ["finished", "interrupted"]
      )
    } finally {
      await slow.stop()
    }
  })
})
