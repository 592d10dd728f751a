import { assert, describe, it } from "vitest"
import { RateController } from "../../../src/model/rate.ts"
import {
  type Fault,
  faulty,
  fixedWindow,
  type Limit,
  type Load,
  load,
  sharesOf,
  slidingWindow,
  tokenBucket,
  whim
} from "./servers.ts"

const kinds: ReadonlyArray<readonly [string, () => Limit]> = [
  ["a fixed window of a second", () => fixedWindow(10, 1000)],
  ["a sliding window of a second", () => slidingWindow(10, 1000)],
  ["a token bucket of ten", () => tokenBucket(10, 10)]
]
const latencies: ReadonlyArray<readonly [string, Load["latencyMs"]]> = [
  ["50 ms", () => 50],
  ["100–300 ms", (draw) => 100 + 200 * draw],
  ["1 s", () => 1000]
]
const advices = ["none", "exact", "seconds"] as const
const percent = (share: number) => `${(100 * share).toFixed(1)} %`

describe("a model that allows 10 requests a second", () => {
  const rows: Array<string> = []
  for (const [kind, limit] of kinds) {
    for (const concurrency of [16, 64]) {
      it(`is loaded without being hammered: ${kind}, concurrency ${concurrency}`, () => {
        for (const [latency, latencyMs] of latencies) {
          for (const advice of advices) {
            const seconds = 190
            const seen = load(limit(), { advice, concurrency, latencyMs, seconds })
            const { refused, served } = sharesOf(seen, 10, 10, seconds)
            const row = `${kind}, concurrency ${concurrency}, latency ${latency}, advice ${advice}: ${percent(served)} of the allowance, ${percent(refused)} refused`
            rows.push(row)
            assert.isAtLeast(served, advice === "none" ? 0.85 : 0.9, row)
            assert.isBelow(refused, 0.05, row)
          }
        }
        if (process.env["FLOW_REPORT"] !== undefined) console.log(rows.splice(0).join("\n"))
      })
    }
  }

  it("is loaded where answers take 5 s", () => {
    for (const [kind, limit] of kinds) {
      const seen = load(limit(), { advice: "exact", concurrency: 64, latencyMs: () => 5000, seconds: 300 })
      const { refused, served } = sharesOf(seen, 10, 60, 300)
      assert.isAtLeast(served, 0.85, kind)
      assert.isBelow(refused, 0.06, kind)
    }
  })

  it("is loaded where the window is a minute, after the first", () => {
    for (const limit of [fixedWindow(600, 60_000), slidingWindow(600, 60_000)]) {
      const seen = load(limit, { advice: "seconds", concurrency: 16, latencyMs: () => 200, seconds: 600 })
      const { refused, served } = sharesOf(seen, 10, 60, 600)
      assert.isAtLeast(served, 0.85)
      assert.isBelow(refused, 0.05)
    }
  })
})

describe("a model that refuses at random", () => {
  it.each([
    [0.03, 0.5],
    [0.08, 0.5],
    [0.25, 0.15]
  ])("is not slowed down to a crawl for it (share %s)", (share, least) => {
    const seen = load(whim(share), { advice: "seconds", concurrency: 64, latencyMs: () => 200, seconds: 120 })
    const { served } = sharesOf(seen, 320 * (1 - share), 10, 120)
    assert.isAtLeast(served, least)
  })
})

describe("a model of whose answers many are faults, whatever the load", () => {
  const refused = (retryAfterMs?: number): Fault => ({ outcome: { _tag: "refused", retryAfterMs } })
  const overloaded: Fault = { outcome: { _tag: "overloaded" } }
  const other: Fault = { outcome: { _tag: "other" } }
  const hang: Fault = { ...overloaded, ms: 3000 }
  const mixed = [refused(0), refused(0), refused(20), overloaded, other, other, other, other, other]
  const seeds = [1, 2, 3, 4, 5]

  it.each<readonly [string, number, ReadonlyArray<Fault>, { concurrency: number; latencyMs: number }, number]>([
    ["a fifth of all kinds", 0.2, mixed, { concurrency: 16, latencyMs: 20 }, 0.8],
    ["a fifth of all kinds, slowly", 0.2, mixed, { concurrency: 16, latencyMs: 200 }, 0.75],
    ["503s", 0.3, [overloaded], { concurrency: 16, latencyMs: 50 }, 0.45],
    ["503s at few at once", 0.3, [overloaded], { concurrency: 4, latencyMs: 50 }, 0.8],
    ["429s that ask for a second", 0.1, [refused(1000)], { concurrency: 16, latencyMs: 100 }, 0.6],
    ["more 429s that ask for a second", 0.2, [refused(1000)], { concurrency: 16, latencyMs: 100 }, 0.2],
    ["429s that say nothing", 0.1, [refused()], { concurrency: 16, latencyMs: 100 }, 0.6],
    ["few 429s that ask for two", 0.05, [refused(2000)], { concurrency: 8, latencyMs: 300 }, 0.3],
    ["timeouts", 0.1, [hang], { concurrency: 16, latencyMs: 100 }, 0.8],
    [
      "three tenths of all kinds",
      0.3,
      [refused(1000), refused(1000), overloaded, hang, other, other, other, other],
      { concurrency: 64, latencyMs: 50 },
      0.35
    ]
  ])("is asked as fast as it can answer, or nearly: %s", (_, share, faults, { concurrency, latencyMs }, least) => {
    const seconds = latencyMs < 50 ? 40 : 120
    const faultMs = faults.reduce((sum, { ms }) => sum + (ms ?? latencyMs), 0) / faults.length
    const possible = (concurrency * (1 - share) * 1000) / (share * faultMs + (1 - share) * latencyMs)
    for (const seed of seeds) {
      const { served } = load(faulty(share, faults, seed), {
        advice: "none",
        concurrency,
        latencyMs: (draw) => latencyMs * (0.5 + draw),
        seconds
      })
      if (process.env["FLOW_REPORT"] !== undefined) console.log(_, seed, percent(served.length / seconds / possible))
      assert.isAtLeast(served.length / seconds / possible, least, `seed ${seed}`)
    }
  })

  it("is asked fewer at once where fewer help, although some failures remain", () => {
    const controller = new RateController({ concurrency: 32 })
    let now = 0
    // At more than 8 at once nearly all that is beyond fails, and of the others one in ten.
    for (let round = 0; round < 200; round++) {
      const tickets = Array.from({ length: Math.floor(controller.window) }, () => controller.send(now))
      now += 1000
      tickets.forEach((ticket, at) => {
        controller.settle(now, ticket, { _tag: at >= 8 || (round + at) % 10 === 0 ? "overloaded" : "served" })
      })
      if (round > 20) assert.isAtMost(controller.window, 20)
    }
  })
})

describe("a model whose allowance changes", () => {
  it("is asked more often when it allows more, and less when it allows less", () => {
    const slow = slidingWindow(5, 1000)
    const fast = slidingWindow(20, 1000)
    const until = 120_000
    const seen = load((now) => (now < until || now > 2 * until ? slow : fast)(now), {
      advice: "exact",
      concurrency: 16,
      latencyMs: () => 100,
      seconds: 360
    })
    const between = (times: ReadonlyArray<number>, from: number, to: number) =>
      times.filter((time) => time >= from * 1000 && time < to * 1000).length
    assert.isAtLeast(between(seen.served, 30, 120) / 90, 4.5)
    assert.isAtLeast(between(seen.served, 220, 240) / 20, 16)
    assert.isAtLeast(between(seen.served, 270, 360) / 90, 4.5)
    assert.isBelow(between(seen.refused, 270, 360) / between(seen.served, 270, 360), 0.05)
  })
})

describe("the rate", () => {
  it("releases those who waited for the end of a pause one after the other", () => {
    const controller = new RateController({ concurrency: 64 })
    const tickets = Array.from({ length: 20 }, () => controller.send(0))
    for (const ticket of tickets.slice(0, 10)) controller.settle(100, ticket, { _tag: "served" })
    for (const ticket of tickets.slice(10)) controller.settle(100, ticket, { _tag: "refused", retryAfterMs: 1000 })
    let now = controller.readyAt(100)
    assert.isAtLeast(now, 1100)
    const sent: Array<number> = []
    while (now < 2100) {
      controller.send(now)
      sent.push(now)
      now = controller.readyAt(now)
    }
    assert.isAtMost(sent.length, 15)
    assert.isAtLeast(sent.length, 8)
  })

  it("asks fewer at once of a server that cannot cope, and more again when it can", () => {
    const controller = new RateController({ concurrency: 32 })
    let now = 0
    const settle = (overloaded: boolean) => {
      const tickets = Array.from({ length: Math.floor(controller.window) }, () => controller.send(now))
      now += 100
      for (const ticket of tickets) controller.settle(now, ticket, { _tag: overloaded ? "overloaded" : "served" })
    }
    for (let round = 0; round < 6; round++) settle(true)
    assert.isAtMost(controller.window, 8)
    assert.isAtLeast(controller.window, 1)
    for (let round = 0; round < 60; round++) settle(false)
    assert.strictEqual(controller.window, 32)
  })

  it("is not lowered by a few failures that are not about the load", () => {
    const controller = new RateController({ concurrency: 8 })
    for (let n = 0; n < 400; n++) {
      const ticket = controller.send(n * 10)
      controller.settle(n * 10 + 5, ticket, { _tag: n % 5 === 0 ? "overloaded" : n % 3 === 0 ? "other" : "served" })
    }
    assert.strictEqual(controller.window, 8)
    assert.strictEqual(controller.rate(4000), Number.POSITIVE_INFINITY)
  })

  it("keeps what it learned while nobody wants to send", () => {
    const { rate } = load(slidingWindow(10, 1000), {
      advice: "exact",
      concurrency: 16,
      latencyMs: () => 100,
      seconds: 60
    })
    const controller = new RateController({ concurrency: 16 })
    const tickets = Array.from({ length: 16 }, () => controller.send(0))
    for (const ticket of tickets.slice(0, 10)) controller.settle(100, ticket, { _tag: "served" })
    for (const ticket of tickets.slice(10)) controller.settle(100, ticket, { _tag: "refused", retryAfterMs: 900 })
    const before = controller.rate(1000)
    assert.closeTo(controller.rate(600_000), before, 1e-9)
    assert.closeTo(rate, 10, 1.5)
  })
})
