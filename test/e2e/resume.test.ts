import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { mulberry32 } from "../../src/domain/Random.ts"
import { assize, atEndpoint, eventsOf, quickstartCopy, type Server, simulate, start, temporaryFolder } from "./cli.ts"
import { faultyProxy } from "./faultyProxy.ts"

const concurrency = 4
const iterations = 6
const shorter = (yaml: string) => yaml.replace("iterations: 30", `iterations: ${iterations}`)

describe("a run that is killed", () => {
  let broken: Server
  let whole: Server
  beforeAll(async () => {
    // The latency makes it likely that a kill hits calls in flight.
    ;[broken, whole] = await Promise.all([simulate(["--latency", "5"]), simulate(["--latency", "5"])])
  })
  afterAll(() => Promise.all([broken.stop(), whole.stop()]))

  it("20 times at random moments ends with the events of the unbroken run, and buys nothing again", {
    timeout: 600_000
  }, async () => {
    using folder = temporaryFolder()
    using other = temporaryFolder()
    const kills = 20
    const counting = await faultyProxy(broken.url)
    const reference = quickstartCopy(other.path, (yaml) =>
      shorter(atEndpoint(whole.url, `concurrency: ${concurrency}`)(yaml))
    )
    assert.strictEqual((await assize(["run", reference], { cwd: other.path })).code, 0)

    const yaml = quickstartCopy(folder.path, (text) =>
      shorter(atEndpoint(counting.url, `concurrency: ${concurrency}`)(text))
    )
    const next = mulberry32(20261130)
    for (let kill = 0; kill < kills; kill++) {
      const running = start(["run", yaml, "--plain"], { cwd: folder.path })
      const later = (ms: number) => setTimeout(() => running.child.kill("SIGKILL"), ms)
      // Some moments after one of its next requests, or, of five kills one, while it starts.
      const last = counting.requests() + Math.floor(next() * 30)
      if (kill % 5 === 4) later(next() * 600)
      counting.set((n) => {
        if (n === last) later(next() * 10)
        return false
      })
      const { code } = await running.finished
      assert.isNull(code, `the run ended before kill ${kill + 1}; make it longer`)
    }
    counting.set(() => false)
    const last = await assize(["run", yaml], { cwd: folder.path })
    assert.strictEqual(last.code, 0, last.stderr)

    const withoutAddress = (events: ReadonlyArray<unknown>, url: string) =>
      JSON.parse(JSON.stringify(events).replaceAll(url, "ADDRESS")) as unknown
    assert.deepStrictEqual(
      withoutAddress(await eventsOf(folder.path, join(folder.path, "out")), counting.url),
      withoutAddress(await eventsOf(other.path, join(other.path, "out")), whole.url)
    )
    const [bought, unbroken] = await Promise.all([broken.stats(), whole.stats()])
    assert.strictEqual(bought.distinct, unbroken.distinct)
    // Beside what the unbroken run bought: at most the calls in flight at each kill, and one preflight a sitting.
    assert.isAtMost(bought.requests, unbroken.requests + kills * concurrency + kills)
    await counting.close()
  })

  it("by Ctrl-C keeps the calls under way, exits with 130 and goes on", async () => {
    using folder = temporaryFolder()
    const yaml = quickstartCopy(folder.path, (text) =>
      shorter(atEndpoint(whole.url, "concurrency: 4, timeout: 61 seconds")(text))
    )
    const running = start(["run", yaml, "--plain"], { cwd: folder.path })
    await new Promise<void>((resolve) =>
      running.child.stderr.on("data", () => running.stderr().includes("iteration 1/") && resolve())
    )
    running.child.kill("SIGINT")
    const ended = await running.finished
    assert.strictEqual(ended.code, 130, ended.stderr)
    assert.include(ended.stderr, "stopping")
    assert.include(ended.stdout, "goes on where it stopped")
    assert.strictEqual((await assize(["run", yaml], { cwd: folder.path })).code, 0)
  })

  it("by a second Ctrl-C ends at once, and says what became of the calls and how to go on", async () => {
    // The first request is the one that finds out whether the server is there; the others are never answered.
    const silent = await faultyProxy(whole.url, (n) => n > 0)
    try {
      using folder = temporaryFolder()
      const running = start(["run", quickstartCopy(folder.path, atEndpoint(silent.url)), "--plain"], {
        cwd: folder.path
      })
      const said = (what: string) =>
        new Promise<void>((resolve) => {
          const look = () => running.stderr().includes(what) && resolve()
          running.child.stderr.on("data", look)
          look()
        })
      await said("started: ")
      running.child.kill("SIGINT")
      await said("stopping: ")
      running.child.kill("SIGINT")
      const { code, stderr } = await running.finished
      assert.strictEqual(code, 130, stderr)
      assert.match(stderr, /\nended at once: calls under way are lost; .*the same command goes on from there\n$/)
    } finally {
      await silent.close()
    }
  })
})

describe("a second run of the same campaign", () => {
  it("is refused, names the holder, and does not disturb the first", async () => {
    const server = await simulate(["--latency", "20"])
    try {
      using folder = temporaryFolder()
      const yaml = quickstartCopy(folder.path, (text) =>
        atEndpoint(server.url)(text).replace("iterations: 30", "iterations: 2")
      )
      const first = start(["run", yaml, "--plain"], { cwd: folder.path })
      await new Promise<void>((resolve) =>
        first.child.stderr.on("data", () => first.stderr().includes("started") && resolve())
      )
      const second = await assize(["run", yaml], { cwd: folder.path })
      assert.strictEqual(second.code, 2)
      assert.include(second.stderr, `process ${first.child.pid}`)
      assert.strictEqual((await first.finished).code, 0)
    } finally {
      await server.stop()
    }
  })
})

describe("a budget of calls", () => {
  it("stops the run within its limit and the calls in flight, with exit 4, and goes on once raised", async () => {
    const server = await simulate()
    try {
      using folder = temporaryFolder()
      const yaml = quickstartCopy(folder.path, (text) =>
        shorter(atEndpoint(server.url, `concurrency: ${concurrency}`)(text)).replace("calls: 5000", "calls: 200")
      )
      const stopped = await assize(["run", yaml], { cwd: folder.path })
      assert.strictEqual(stopped.code, 4, stopped.stderr)
      assert.include(stopped.stdout, "budget.calls")
      const { requests } = await server.stats()
      assert.isAtMost(requests, 200 + concurrency)
      assert.isAtLeast(requests, 190)
      writeFileSync(yaml, readFileSync(yaml, "utf8").replace("calls: 200", "calls: 5000"))
      const more = await assize(["run", yaml], { cwd: folder.path })
      assert.strictEqual(more.code, 0, more.stderr)
      const { distinct, requests: all } = await server.stats()
      // One preflight a sitting is the only request made twice.
      assert.isAtMost(all - distinct, 2)
    } finally {
      await server.stop()
    }
  })
})
