import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "vitest"
import { atEndpoint, type Finished, quickstartCopy, simulate, temporaryFolder } from "./cli.ts"
import { answer, faultyProxy } from "./faultyProxy.ts"
import { assizeHere as assize } from "./inProcess.ts"

const key = "canary-key-0123456789"

describe("a scoring", () => {
  it("refuses what can be known beforehand, keeps to its budget, and needs nobody for what is stored", async () => {
    using folder = temporaryFolder()
    const cwd = folder.path
    quickstartCopy(cwd)
    const server = await simulate(["--require-key", key])
    const model = `m={ provider: openai, model: lexical-1, baseUrl: "${server.url}", apiKeyEnv: CANARY, concurrency: 16, price: { input: 0, output: 0 } }`
    const score = (more: ReadonlyArray<string>, env: Readonly<Record<string, string>> = { CANARY: key }) =>
      assize(
        [
          ...["score", "campaigns/quickstart/dataset.jsonl", "--split", "splits/quickstart.json"],
          ...["--judge", "seeds/faithful-and-complete.md", "--model", model, "--resamples", "1000", ...more]
        ],
        { cwd, env: { CANARY: undefined, ...env } }
      )
    const refused = async (more: ReadonlyArray<string>, said: RegExp, code = 2) => {
      const ended = await score(more)
      assert.strictEqual(ended.code, code, ended.stderr)
      assert.match(ended.stderr, said)
    }
    try {
      const without = await score([], {})
      assert.strictEqual(without.code, 2)
      assert.include(without.stderr, "CANARY")
      assert.isFalse(existsSync(join(cwd, ".assize")))
      writeFileSync(join(cwd, "there.csv"), "kept\n")
      await refused(["--compare", "faithful-and-complete,other"], /there is no judge "other"/)
      await refused(["--csv", "there.csv"], /there\.csv: --csv: exists already/)
      await refused(["--write-scores", "there.csv"], /--write-scores: exists already/)
      await refused(["--csv", "x", "--markdown", "./x"], /--markdown: is the same file as --csv/)
      await refused(["--csv", "seeds/faithful-and-complete.md", "--force"], /--csv: is the same file as --judge/)
      await refused(["--markdown", "campaigns/../campaigns/quickstart/dataset.jsonl", "--force"], /as the dataset/)
      await refused(["--budget-calls", "64"], /65 calls to send[\s\S]*nothing was sent/, 4)
      assert.strictEqual((await server.stats()).requests, 0)

      const bought = await score(["--budget-calls", "65", "--csv", "new.csv", "--json"])
      assert.strictEqual(bought.code, 0, bought.stderr)
      assert.strictEqual((await server.stats()).requests, 65)
    } finally {
      await server.stop()
    }
    // Neither server nor key: all of it is in the store, and the file is the one that is there.
    const stored = await score(["--budget-calls", "1", "--csv", "new.csv", "--json"], {})
    assert.strictEqual(stored.code, 0, stored.stderr)
    assert.include(stored.stderr, "0 calls to send")
    assert.include(stored.stderr, "0 calls sent")
  })

  it("says how many calls failed, and why, though there are figures", async () => {
    using folder = temporaryFolder()
    const cwd = folder.path
    quickstartCopy(cwd)
    const server = await simulate()
    const proxy = await faultyProxy(server.url)
    proxy.set((n, ...rest) => n % 9 === 5 && answer(400, {}, { error: { message: "this note is not liked" } })(...rest))
    try {
      const { code, stderr } = await assize(
        [
          ...[
            "score",
            "campaigns/quickstart/dataset.jsonl",
            "--split",
            "splits/quickstart.json",
            "--resamples",
            "1000"
          ],
          ...["--judge", "seeds/completeness.md", "--model"],
          `m={ provider: openai, model: lexical-1, baseUrl: "${proxy.url}" }`
        ],
        { cwd }
      )
      assert.strictEqual(code, 0, stderr)
      assert.match(
        stderr,
        /warning: 7 of 64 judgements could not be had, since calls failed.*“this note is not liked”.*asks for them again/
      )
    } finally {
      await proxy.close()
      await server.stop()
    }
  })
})

describe("a confirmation", () => {
  it("whose judgements are all stored goes on without the server and without its key", {
    timeout: 600_000
  }, async () => {
    using folder = temporaryFolder()
    const cwd = folder.path
    const server = await simulate(["--require-key", key])
    const yaml = quickstartCopy(cwd, (text) =>
      atEndpoint(
        server.url,
        "apiKeyEnv: CANARY, concurrency: 16"
      )(text)
        .replace("iterations: 30", "iterations: 6")
        // In so few iterations nothing better than the best seed is found.
        .replace(/^ *- .*faithful-and-complete\.md\n/m, "")
        // A gate on one measure alone is passed by any gain.
        .replace(/^ {2}secondary:.*\n/m, "")
    )
    const env = { CANARY: key }
    const confirm = (more: ReadonlyArray<string>, given: Readonly<Record<string, string>> = env) =>
      assize(["confirm", "latest", ...more, "--json"], {
        cwd,
        env: { CANARY: undefined, ...given }
      })
    const asked = ["--baseline", "completeness", "--gate", "0"]
    writeFileSync(join(cwd, "a-file"), "")
    let whole: Finished
    try {
      assert.strictEqual((await assize(["run", yaml, "--quiet"], { cwd, env })).code, 0)
      const before = await server.stats()
      const same = await confirm([...asked, "--out", "x.md", "--markdown", "x.md"])
      assert.strictEqual(same.code, 2, same.stderr + same.stdout)
      assert.include(same.stderr, "--markdown: is the same file as --out")
      const there = await confirm([...asked, "--markdown", "a-file"])
      assert.strictEqual(there.code, 2, there.stderr)
      assert.include(there.stderr, "a file is here already")
      assert.strictEqual((await server.stats()).requests, before.requests)
      const place = await confirm([...asked, "--out", "a-file/prompt.md"])
      assert.strictEqual(place.code, 2, place.stderr)
      assert.include(place.stderr, "cannot be written here")
      whole = await confirm(asked)
      assert.include([0, 3], whole.code, whole.stderr)
      assert.isAbove((await server.stats()).requests, before.requests + 50)
    } finally {
      await server.stop()
    }
    // As if it had been killed in its last moment: everything is bought, and the ledger was not told of the read-out.
    const ledger = join(cwd, "splits/quickstart.ledger.jsonl")
    const lines = readFileSync(ledger, "utf8").trim().split("\n")
    writeFileSync(ledger, `${lines.slice(0, -1).join("\n")}\n`)
    const database = new DatabaseSync(join(cwd, ".assize/store.sqlite"))
    database.exec(`DELETE FROM ledger_lines WHERE line = ${lines.length}`)
    database.close()
    const done = await confirm([], {})
    assert.strictEqual(done.code, whole.code, done.stderr)
    assert.strictEqual((JSON.parse(done.stdout) as { openings: number }).openings, 1)
  })
})
