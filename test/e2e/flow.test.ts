import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { mulberry32 } from "../../src/domain/Random.ts"
import type { RunEvent } from "../../src/domain/RunEvent.ts"
import { assize, atEndpoint, eventsOf, quickstartCopy, type Server, simulate, start, temporaryFolder } from "./cli.ts"
import { answer, type Fault, type FaultyProxy, faultyProxy } from "./faultyProxy.ts"

const campaign = (folder: string, url: string, iterations: number) =>
  quickstartCopy(folder, (yaml) =>
    atEndpoint(url, "concurrency: 16")(yaml).replace("iterations: 30", `iterations: ${iterations}`)
  )
/** Without the address, which is a part of what identifies a model, and without stops on the way. */
const story = (events: ReadonlyArray<RunEvent>, url: string): unknown => {
  const last = events.length - 1
  const told = events.filter((event, at) => event._tag !== "stopped" || at === last)
  return JSON.parse(JSON.stringify(told).replaceAll(url, "ADDRESS"))
}
const until = async (seen: () => boolean): Promise<void> => {
  while (!seen()) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** Two requests in ten go wrong in one way or another. */
const faults = (seed: number): Fault => {
  const next = mulberry32(seed)
  const kinds: ReadonlyArray<(...args: Parameters<ReturnType<typeof answer>>) => boolean> = [
    answer(429, { "retry-after": "0" }),
    answer(429, { "retry-after": new Date(0).toUTCString() }),
    answer(429, { "retry-after-ms": "20" }),
    answer(500),
    answer(502),
    answer(503),
    (_, response) => {
      response.destroy()
      return true
    },
    (_, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end('{"choices": [{"mess')
      return true
    },
    (_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<html>busy</html>")
      return true
    }
  ]
  return (_, incoming, response) =>
    next() < 0.2 ? kinds[Math.floor(next() * kinds.length)]!(incoming, response) : false
}

describe("a run at an endpoint that", () => {
  let server: Server
  let proxy: FaultyProxy
  let reference: unknown
  const iterations = 2
  beforeAll(async () => {
    server = await simulate()
    using folder = temporaryFolder()
    const yaml = campaign(folder.path, server.url, iterations)
    assert.strictEqual((await assize(["run", yaml], { cwd: folder.path })).code, 0)
    reference = story(await eventsOf(folder.path, join(folder.path, "out")), server.url)
    proxy = await faultyProxy(server.url)
  }, 60_000)
  afterAll(() => Promise.all([server.stop(), proxy.close()]))
  const outcome = async (folder: string) => story(await eventsOf(folder, join(folder, "out")), proxy.url)

  it("fails two requests in ten has the events of a faultless one", { timeout: 180_000 }, async () => {
    using folder = temporaryFolder()
    proxy.set((n, ...rest) => (n === 0 ? false : broken(n, ...rest)))
    const broken = faults(7)
    const ended = await assize(["run", campaign(folder.path, proxy.url, iterations)], { cwd: folder.path })
    assert.strictEqual(ended.code, 0, ended.stderr)
    assert.notInclude(ended.stderr, "unexpected")
    assert.deepStrictEqual(await outcome(folder.path), reference)
  })

  it("takes no key for a while is held, says so, and goes on by itself", async () => {
    using folder = temporaryFolder()
    proxy.set((_, ...rest) => proxy.requests() > first + 60 && !mended && answer(401)(...rest))
    let mended = false
    const first = proxy.requests()
    const running = start(["run", campaign(folder.path, proxy.url, iterations), "--json"], { cwd: folder.path })
    await until(() => running.stderr().includes("paused:"))
    mended = true
    const ended = await running.finished
    assert.strictEqual(ended.code, 0, ended.stderr)
    assert.include(ended.stderr, "wants a key")
    assert.include(ended.stderr, "for 10 minutes at most")
    assert.include(ended.stderr, "going on: the model answers again")
    assert.strictEqual((JSON.parse(ended.stdout) as { held: { times: number } }).held.times, 1)
    assert.deepStrictEqual(await outcome(folder.path), reference)
  })

  it("is gone for good ends the run as broken after the patience given, and goes on exactly when run again", async () => {
    using folder = temporaryFolder()
    const yaml = campaign(folder.path, proxy.url, iterations)
    for (const after of [40, 90]) {
      const first = proxy.requests()
      proxy.set((_, __, response) => {
        if (proxy.requests() <= first + after) return false
        return answer(402)(__, response)
      })
      const ended = await assize(["run", yaml, "--patience", "1 second"], { cwd: folder.path })
      assert.strictEqual(ended.code, 1, ended.stderr)
      assert.include(ended.stdout, "no credit")
      assert.include(ended.stdout, "goes on where it stopped")
      assert.isBelow(proxy.requests() - first, after + 16 + 10)
    }
    proxy.set(() => false)
    assert.strictEqual((await assize(["run", yaml], { cwd: folder.path })).code, 0)
    assert.deepStrictEqual(await outcome(folder.path), reference)
  })

  it("wants to be left alone for an hour is left at the first Ctrl-C, and asked nothing after it", async () => {
    using folder = temporaryFolder()
    const first = proxy.requests()
    proxy.set((_, ...rest) => proxy.requests() > first + 60 && answer(429, { "retry-after": "3600" })(...rest))
    const running = start(["run", campaign(folder.path, proxy.url, iterations)], { cwd: folder.path })
    await until(() => proxy.requests() > first + 60)
    running.child.kill("SIGINT")
    await until(() => running.stderr().includes("stopping"))
    const sent = proxy.requests()
    const ended = await running.finished
    assert.strictEqual(ended.code, 130, ended.stderr)
    // What was on its way to the server may still arrive.
    assert.isAtMost(proxy.requests(), sent + 16)
    proxy.set(() => false)
  })

  it("never gives a score ends the run as broken, and a scoring with it", async () => {
    using folder = temporaryFolder()
    const chat = { choices: [{ message: { content: "I would rather not say." }, finish_reason: "stop" }] }
    proxy.set((_, ...rest) => answer(200, {}, chat)(...rest))
    const ended = await assize(["run", campaign(folder.path, proxy.url, iterations)], { cwd: folder.path })
    assert.strictEqual(ended.code, 1, ended.stderr)
    assert.include(ended.stdout, "I would rather not say.")
    const scored = await assize(
      [
        "score",
        join(folder.path, "campaigns/quickstart/dataset.jsonl"),
        "--judge",
        join(folder.path, "seeds/completeness.md"),
        "--split",
        join(folder.path, "splits/quickstart.json"),
        "--model",
        `m={ provider: openai, model: m, baseUrl: "${proxy.url}" }`
      ],
      { cwd: folder.path }
    )
    assert.strictEqual(scored.code, 1, scored.stderr)
    assert.include(scored.stderr, "could be read as a score")
    proxy.set(() => false)
  })

  it("refuses the key ends a scoring as broken, with what is wrong", async () => {
    using folder = temporaryFolder()
    const yaml = campaign(folder.path, proxy.url, iterations)
    const first = proxy.requests()
    proxy.set((_, ...rest) => proxy.requests() > first + 20 && answer(403)(...rest))
    const dataset = join(folder.path, "campaigns/quickstart/dataset.jsonl")
    const ended = await assize(
      [
        "score",
        dataset,
        "--campaign",
        yaml,
        "--judge",
        join(folder.path, "seeds/completeness.md"),
        "--patience",
        "1 s"
      ],
      { cwd: folder.path }
    )
    assert.strictEqual(ended.code, 1, ended.stderr)
    assert.include(ended.stderr, "no judgement can be had")
    assert.include(ended.stderr, "paused:")
    proxy.set(() => false)
    assert.strictEqual((await assize(["run", yaml, "--patience", "soon"], { cwd: folder.path })).code, 2)
  })
})
