import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Answered, Asked, Hook } from "../model/batch/proxy.ts"
import { startProxy } from "../model/batch/proxy.ts"
import {
  assize,
  atEndpoint,
  eventsOf,
  quickstartCopy,
  root,
  type Server,
  simulate,
  start,
  temporaryFolder
} from "./cli.ts"
import { assizeHere } from "./inProcess.ts"

// A copy by itself: no split beside it seals any of it.
const home = temporaryFolder()
afterAll(() => home[Symbol.dispose]())
const dataset = join(home.path, "dataset.jsonl")
const consultations = readFileSync(join(root, "campaigns/quickstart/dataset.jsonl"), "utf8").split("\n").slice(0, 6)
writeFileSync(dataset, `${consultations.join("\n")}\n`)
const judge = join(root, "seeds/completeness.md")
const price = "price: { input: 1, output: 2 }"

const scoreArgs = (url: string, more: string) => [
  "score",
  dataset,
  "--judge",
  judge,
  "--model",
  `m={ provider: openai, model: lexical-1, baseUrl: "${url}", ${price}, ${more} }`,
  "--resamples",
  "1000",
  "--csv",
  "figures.csv",
  "--force"
]

const isContent = /^\/v1\/files\/[^/]+\/content$/
const isBatch = /^\/v1\/batches\/[^/]+$/

/** The moments in a batch's life at which a process may die, by the request that is on its way then. */
const moments: Readonly<Record<string, { readonly at: (asked: Asked) => boolean; readonly arrives: boolean }>> = {
  "before its file is sent": { at: ({ method, path }) => method === "POST" && path === "/v1/files", arrives: false },
  "before it is made": { at: ({ method, path }) => method === "POST" && path === "/v1/batches", arrives: false },
  "when it is made and nobody has heard of it": {
    at: ({ method, path }) => method === "POST" && path === "/v1/batches",
    arrives: true
  },
  "while it is waited for": { at: ({ method, path }) => method === "GET" && isBatch.test(path), arrives: true },
  "while its results are read": { at: ({ method, path }) => method === "GET" && isContent.test(path), arrives: true }
}

describe("a scoring by batches", () => {
  let server: Server
  let figures: string
  beforeAll(async () => {
    server = await simulate(["--batch-seconds", "0.3"])
    using folder = temporaryFolder()
    const plain = await assizeHere(scoreArgs(server.url, "concurrency: 8"), { cwd: folder.path })
    assert.strictEqual(plain.code, 0, plain.stderr)
    figures = readFileSync(join(folder.path, "figures.csv"), "utf8")
  }, 60_000)
  afterAll(() => server.stop())

  it.each(Object.entries(moments))(
    "that is killed %s goes on without a second batch, to the figures of single calls",
    { timeout: 60_000 },
    async (_, { arrives, at }) => {
      using folder = temporaryFolder()
      const own = await simulate(["--batch-seconds", "0.3"])
      let kill: (() => void) | undefined
      const hook: Hook = async (asked, forward): Promise<Answered | "reset"> => {
        if (kill === undefined || !at(asked)) return forward()
        if (arrives) await forward()
        kill()
        kill = undefined
        return "reset"
      }
      const between = await startProxy(own.url, hook)
      try {
        const running = start(scoreArgs(between.url, "batch: true"), { cwd: folder.path })
        kill = () => running.child.kill("SIGKILL")
        assert.isNull((await running.finished).code)
        const again = await assizeHere(scoreArgs(between.url, "batch: true"), { cwd: folder.path })
        assert.strictEqual(again.code, 0, again.stderr)
        assert.strictEqual(readFileSync(join(folder.path, "figures.csv"), "utf8"), figures)
        const { data } = (await (await fetch(`${own.url}/v1/batches`)).json()) as { data: ReadonlyArray<unknown> }
        assert.strictEqual(data.length, 1)
        // The tiny call with which each sitting begins.
        assert.strictEqual((await own.stats()).duplicates, 1)
      } finally {
        between.close()
        await own.stop()
      }
    }
  )

  it("ends at Ctrl-C with the batch going on, and picks it up", async () => {
    using folder = temporaryFolder()
    const slow = await simulate(["--batch-seconds", "2"])
    try {
      const args = scoreArgs(slow.url, "batch: true")
      const running = start(args, { cwd: folder.path })
      while ((await slow.stats()).requests < 5) await new Promise((resolve) => setTimeout(resolve, 50))
      running.child.kill("SIGINT")
      const ended = await running.finished
      assert.strictEqual(ended.code, 130, ended.stderr)
      assert.match(ended.stderr, /a batch of \d+ requests goes on at the server: the same command waits for/)
      const again = await assizeHere(args, { cwd: folder.path })
      assert.strictEqual(again.code, 0, again.stderr)
      assert.match(again.stderr, /[01] of them in the store, \d+ in batches under way; 1 call to send/)
      assert.strictEqual(readFileSync(join(folder.path, "figures.csv"), "utf8"), figures)
      assert.strictEqual((await slow.stats()).duplicates, 1)
    } finally {
      await slow.stop()
    }
  })
})

describe("a run by batches", () => {
  it("has the events of a run by single calls, and asks for acceptance evaluations alone in batches", async () => {
    using folder = temporaryFolder()
    using other = temporaryFolder()
    const [server, whole] = await Promise.all([simulate(["--batch-seconds", "0.3"]), simulate()])
    try {
      const shorter = (yaml: string) => yaml.replace("iterations: 30", "iterations: 3")
      const campaign = (path: string, url: string, more: string) =>
        quickstartCopy(path, (yaml) => shorter(atEndpoint(url, more)(yaml)))
      const batched = await assize(["run", campaign(folder.path, server.url, "batch: true")], { cwd: folder.path })
      assert.strictEqual(batched.code, 0, batched.stderr)
      const single = await assize(["run", campaign(other.path, whole.url, "concurrency: 8")], { cwd: other.path })
      assert.strictEqual(single.code, 0, single.stderr)
      const without = (events: ReadonlyArray<unknown>, url: string) =>
        JSON.parse(JSON.stringify(events).replaceAll(url, "ADDRESS")) as unknown
      assert.deepStrictEqual(
        without(await eventsOf(folder.path, join(folder.path, "out")), server.url),
        without(await eventsOf(other.path, join(other.path, "out")), whole.url)
      )
      const { data } = (await (await fetch(`${server.url}/v1/batches?limit=100`)).json()) as {
        data: ReadonlyArray<{ readonly request_counts: { readonly total: number } }>
      }
      // All seeds together first, but for the call that tries what the server takes; then each accepted candidate.
      const sizes = data.map(({ request_counts }) => request_counts.total).reverse()
      const [started] = await eventsOf(folder.path, join(folder.path, "again"))
      assert.strictEqual(started?._tag, "started")
      const notes = started?._tag === "started" ? started.acceptance.items.length : 0
      const seeds = started?._tag === "started" ? started.settings.seeds.length : 0
      assert.strictEqual(sizes[0], seeds * notes - 1)
      assert.isTrue(sizes.slice(1).every((size) => size === notes))
      assert.strictEqual((await server.stats()).duplicates, 0)
      assert.strictEqual((await server.stats()).distinct, (await whole.stats()).distinct)
    } finally {
      await Promise.all([server.stop(), whole.stop()])
    }
  })
})
