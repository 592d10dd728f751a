import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as openai from "../../src/model/openai.ts"
import { RateController } from "../../src/model/rate.ts"
import { advisedRate } from "../../src/model/rateAdvice.ts"
import { goDuration, makeLimiter } from "../../src/model/simulate/rateLimit.ts"
import { chatServer, completion } from "./chatServer.ts"
import { openaiModel, request } from "./fixtures.ts"

const now = Date.parse("2026-11-30T12:00:00Z")
const headers = (limit: string, remaining: string, reset: string) => ({
  "x-ratelimit-limit-requests": limit,
  "x-ratelimit-remaining-requests": remaining,
  "x-ratelimit-reset-requests": reset
})

describe("what headers say of the rate", () => {
  it.each([
    ["1s", 10],
    ["500ms", 20],
    ["1m0s", 10 / 60],
    ["1m1.5s", 10 / 61.5],
    ["2", 5],
    [String(now / 1000 + 5), 2],
    [String(now + 5000), 2],
    ["2026-11-30T12:00:10Z", 1],
    [goDuration(4000), 2.5]
  ])("is the whole allowance in the time that it takes to come back: %s", (reset, rate) => {
    assert.closeTo(advisedRate(headers("10", "0", reset), now)!, rate, 1e-9)
    const short = { "x-ratelimit-limit": "10", "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset }
    assert.closeTo(advisedRate(short, now)!, rate, 1e-9)
  })

  it.each([
    ["something is left", headers("10", "3", "1s")],
    ["there are none", {}],
    ["it is a day's allowance", headers("1000", "0", "8h30m")],
    ["it came back already", headers("10", "0", "2026-11-30T11:59:00Z")],
    ["nothing is to wait for", headers("10", "0", "0s")],
    ["nothing is allowed", headers("0", "0", "1s")],
    ["they are no numbers", headers("many", "none", "soon")],
    ["they are negative", headers("-10", "-1", "-5s")],
    ["they are endless", headers("9".repeat(400), "0", `${"9".repeat(5000)}s`)]
  ])("is nothing where %s", (_, given) => {
    assert.isUndefined(advisedRate(given, now))
  })

  it("is what the simulated server allows", () => {
    const limiter = makeLimiter({ requests: { amount: 10, perMs: 1000, burst: 10 } }, "seconds")
    let last: ReturnType<typeof limiter> | undefined
    for (let n = 0; n < 10; n++) last = limiter(100, now)
    assert.isUndefined(last!.refused)
    assert.closeTo(advisedRate(last!.headers, now)!, 10, 1e-9)
  })
})

describe("a rate that a server advises", () => {
  it("holds before anything was refused, and does not outdo what was learned from refusals", () => {
    const controller = new RateController({ concurrency: 16 })
    const tickets = Array.from({ length: 10 }, () => controller.send(0))
    for (const ticket of tickets) controller.settle(100, ticket, { _tag: "served" })
    controller.advise(100, 10)
    assert.closeTo(controller.rate(100), 9.7, 0.01)
    const at = controller.readyAt(100)
    controller.send(at)
    assert.closeTo(controller.readyAt(at) - at, 103, 1)
    controller.advise(200, 500)
    assert.isBelow(controller.rate(200), 11)
  })

  it.live("reaches whoever asks the provider", () =>
    Effect.gen(function* () {
      const server = yield* chatServer((_, response) => {
        response
          .writeHead(200, { "content-type": "application/json", ...headers("20", "0", "2s") })
          .end(JSON.stringify(completion("7")))
      })
      const provider = yield* openai.make
      const model = openaiModel({ baseUrl: server.url })
      assert.isUndefined(provider.advised!(model))
      yield* provider(request(model))
      assert.strictEqual(provider.advised!(model), 10)
    })
  )
})
