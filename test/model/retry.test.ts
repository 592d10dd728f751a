import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { CallGate } from "../../src/model/CallGate.ts"
import { makeGates } from "../../src/model/gate.ts"
import { ModelError, type ModelFailure } from "../../src/model/LanguageModel.ts"
import { longestRetryAfterMs, waitBefore, withRetry } from "../../src/model/retry.ts"
import { openaiModel } from "./fixtures.ts"

const failure = (kind: ModelFailure, retryAfterMs?: number) =>
  new ModelError({ kind, message: `failed: ${kind}`, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) })

/** Fails with each of the failures in turn, then answers; notes the time of every attempt. */
const failing = (...failures: ReadonlyArray<ModelError>) => {
  const times: Array<number> = []
  const attempt = Effect.gen(function* () {
    times.push(yield* Clock.currentTimeMillis)
    const error = failures[times.length - 1]
    return error === undefined ? "answer" : yield* error
  })
  return { times, attempt }
}

/** Runs to the end, however long it sleeps. */
const run = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(Effect.exit(effect), { startImmediately: true })
    yield* TestClock.adjust("2 hours")
    return yield* yield* Fiber.join(fiber)
  })

describe("withRetry", () => {
  it.effect("repeats failures that may pass, with growing waits", () =>
    Effect.gen(function* () {
      const { times, attempt } = failing(failure("server-error"), failure("timeout"), failure("unreachable"))
      assert.strictEqual(yield* run(withRetry(attempt, 5)), "answer")
      const waits = times.slice(1).map((time, index) => time - times[index]!)
      assert.strictEqual(waits.length, 3)
      for (const [index, wait] of waits.entries()) {
        assert.isAtLeast(wait, 250 * 2 ** index)
        assert.isAtMost(wait, 500 * 2 ** index)
      }
    })
  )

  it.effect("gives up after the retries it was given, and says how often it tried", () =>
    Effect.gen(function* () {
      const { times, attempt } = failing(...Array.from({ length: 9 }, () => failure("server-error")))
      const error = yield* Effect.flip(run(withRetry(attempt, 2)))
      assert.strictEqual(times.length, 3)
      assert.strictEqual(error.message, "failed: server-error (after 3 attempts)")
      const none = failing(failure("server-error"))
      yield* Effect.flip(run(withRetry(none.attempt, 0)))
      assert.strictEqual(none.times.length, 1)
    })
  )

  it.effect.each(["bad-request", "context-too-long", "no-key", "unauthorised", "no-credit", "unknown-model"] as const)(
    "does not repeat %s",
    (kind) =>
      Effect.gen(function* () {
        const { times, attempt } = failing(failure(kind))
        const error = yield* Effect.flip(run(withRetry(attempt, 5)))
        assert.strictEqual(error.message, `failed: ${kind}`)
        assert.strictEqual(times.length, 1)
      })
  )

  it.effect("waits as long as the server asks, but no longer than the cap", () =>
    Effect.gen(function* () {
      const { times, attempt } = failing(failure("rate-limited", 7000), failure("rate-limited", 1e12))
      assert.strictEqual(yield* run(withRetry(attempt, 5)), "answer")
      assert.isAtLeast(times[1]! - times[0]!, 7000)
      assert.isAtMost(times[1]! - times[0]!, 7700)
      assert.isAtLeast(times[2]! - times[1]!, longestRetryAfterMs)
      assert.isAtMost(times[2]! - times[1]!, longestRetryAfterMs * 1.1)
    })
  )

  it("never waits less than nothing or more than the cap", () => {
    const advice = fc.option(fc.double({ min: -1e15, max: 1e15, noNaN: true }), { nil: undefined })
    fc.assert(
      fc.property(
        fc.nat(1000),
        advice,
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, retryAfterMs, draw) => {
          const wait = waitBefore(attempt, retryAfterMs, draw)
          assert.isAtLeast(wait, 0)
          assert.isAtMost(wait, longestRetryAfterMs * 1.1)
        }
      )
    )
  })
})

describe("gate", () => {
  const timed = (times: Array<number>) => Clock.currentTimeMillis.pipe(Effect.map((time) => times.push(time)))

  it.effect("lets so many attempts through at once", () =>
    Effect.gen(function* () {
      const gate = makeGates([])(openaiModel({ concurrency: 3 }))
      const starts: Array<number> = []
      const attempt = Effect.andThen(timed(starts), Effect.sleep(1000))
      yield* run(
        Effect.all(
          Array.from({ length: 7 }, () => gate.pass(attempt)),
          { concurrency: "unbounded" }
        )
      )
      assert.deepStrictEqual(starts, [0, 0, 0, 1000, 1000, 1000, 2000])
    })
  )

  it.effect("spaces attempts to the requests a minute", () =>
    Effect.gen(function* () {
      const gate = makeGates([])(openaiModel({ requestsPerMinute: 30 }))
      const starts: Array<number> = []
      yield* run(
        Effect.all(
          Array.from({ length: 4 }, () => gate.pass(timed(starts))),
          { concurrency: "unbounded" }
        )
      )
      assert.deepStrictEqual(starts, [0, 2000, 4000, 6000])
    })
  )

  it.effect("keeps everyone off a server that asked to be left alone", () =>
    Effect.gen(function* () {
      const gate = makeGates([])(openaiModel({ concurrency: 8 }))
      const starts: Array<number> = []
      yield* run(
        Effect.gen(function* () {
          yield* Effect.exit(gate.pass(Effect.fail(failure("rate-limited", 5000))))
          yield* Effect.all(
            Array.from({ length: 7 }, () => gate.pass(Effect.andThen(timed(starts), Effect.sleep(1000)))),
            { concurrency: "unbounded" }
          )
        })
      )
      // Not as a herd: nobody knows yet how many it takes. One, and with every answer one more at once.
      assert.deepStrictEqual(starts, [5000, 6000, 6000, 7000, 7000, 7000, 7000])
    })
  )

  it.effect("keeps the requests a minute when the wall clock is set back", () =>
    Effect.gen(function* () {
      const gate = makeGates([])(openaiModel({ requestsPerMinute: 30 }))
      const starts: Array<number> = []
      yield* TestClock.setTime(Date.parse("2026-11-30T12:00:00Z"))
      yield* gate.pass(Effect.void)
      yield* TestClock.setTime(Date.parse("2026-11-30T11:00:00Z"))
      const fiber = yield* Effect.forkChild(gate.pass(timed(starts)), { startImmediately: true })
      yield* TestClock.adjust("2 seconds")
      yield* Fiber.join(fiber)
      assert.strictEqual(starts.length, 1)
    })
  )

  it.effect("keeps the tokens a minute by estimates, put right by what was used", () =>
    Effect.gen(function* () {
      const gate = makeGates([])(openaiModel({ tokensPerMinute: 6000, concurrency: 4 }))
      const starts: Array<number> = []
      const weight = { estimate: 1000, used: () => 200 }
      yield* run(
        Effect.all(
          Array.from({ length: 12 }, () => gate.pass(timed(starts), weight)),
          { concurrency: "unbounded" }
        )
      )
      // 200 tokens take 2 s of the minute, whatever was set aside for them.
      assert.deepStrictEqual(
        starts,
        Array.from({ length: 12 }, (_, at) => at * 2000)
      )
    })
  )

  it.effect("sends no more tokens a minute than allowed while nobody knows how many are used", () =>
    Effect.gen(function* () {
      const gate = makeGates([])(openaiModel({ tokensPerMinute: 6000, concurrency: 64 }))
      const starts: Array<number> = []
      const weight = { estimate: 500, used: () => null }
      yield* run(
        Effect.all(
          Array.from({ length: 30 }, () => gate.pass(timed(starts), weight)),
          { concurrency: "unbounded" }
        )
      )
      for (const from of starts) {
        // The one at the edge belongs to the next minute.
        const within = starts.filter((time) => time >= from && time < from + 60_000).length
        assert.isAtMost(within * 500, 6000)
      }
    })
  )

  it.effect("lets nobody through who waits for a place when the run is halted, and keeps what is under way", () =>
    Effect.gen(function* () {
      const calls = new CallGate()
      const gate = makeGates([], { calls })(openaiModel({ concurrency: 1 }))
      const first = yield* Effect.forkChild(gate.pass(Effect.as(Effect.sleep(1000), "kept")), {
        startImmediately: true
      })
      const second = yield* Effect.forkChild(Effect.flip(gate.pass(Effect.succeed("sent"))), {
        startImmediately: true
      })
      calls.halt()
      assert.strictEqual((yield* Fiber.join(second))._tag, "Halted")
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Fiber.join(first), "kept")
    })
  )

  it.effect("holds those who wait for a slot while the run is paused", () =>
    Effect.gen(function* () {
      const calls = new CallGate()
      const gate = makeGates([], { calls })(openaiModel({ requestsPerMinute: 60 }))
      const starts: Array<number> = []
      const all = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 3 }, () => gate.pass(timed(starts))),
          { concurrency: "unbounded" }
        ),
        { startImmediately: true }
      )
      calls.pause()
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(starts.length, 1)
      calls.resume()
      yield* TestClock.adjust("3 seconds")
      yield* Fiber.join(all)
      assert.isAtLeast(starts[1]!, 60_000)
    })
  )

  it.effect("lets the next one through when one that waits is interrupted", () =>
    Effect.gen(function* () {
      const gate = makeGates([])(openaiModel({ requestsPerMinute: 60 }))
      const starts: Array<number> = []
      yield* gate.pass(Effect.void)
      const first = yield* Effect.forkChild(gate.pass(timed(starts)), { startImmediately: true })
      const second = yield* Effect.forkChild(gate.pass(timed(starts)), { startImmediately: true })
      yield* Fiber.interrupt(first)
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(second)
      assert.deepStrictEqual(starts, [1000])
    })
  )

  it("is one for all roles that share a model and address", () => {
    const judge = openaiModel({ concurrency: 2, requestsPerMinute: 60 })
    const reflection = openaiModel({ concurrency: 9, temperature: 1 })
    const gateOf = makeGates([judge, reflection])
    assert.strictEqual(gateOf(judge), gateOf(reflection))
    assert.notStrictEqual(gateOf(judge), gateOf(openaiModel({ model: "other" })))
  })
})
