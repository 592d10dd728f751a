import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { CallGate, type Halted, type Trouble } from "../../../src/model/CallGate.ts"
import { makeGates } from "../../../src/model/gate.ts"
import { ModelError, type ModelFailure } from "../../../src/model/LanguageModel.ts"
import { persist } from "../../../src/model/persist.ts"
import { openaiModel } from "../fixtures.ts"

const failure = (kind: ModelFailure, retryAfterMs?: number) =>
  new ModelError({ kind, message: `failed: ${kind}`, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) })

/** A model that answers as `answer` says, asked through one gate; and what it was asked when. */
const asked = (
  answer: (now: number, call: number) => ModelError | undefined,
  options: { retries?: number; concurrency?: number; patienceMs?: number } = {}
) => {
  const calls = new CallGate(() => now)
  let now = 0
  const times: Array<number> = []
  const told: Array<Trouble | undefined> = []
  calls.watch((trouble) => told.push(trouble))
  const gate = makeGates([], { calls, patienceMs: options.patienceMs })(
    openaiModel({ concurrency: options.concurrency ?? 4 })
  )
  const call = (number: number): Effect.Effect<string, ModelError | Halted> =>
    persist(
      () =>
        Effect.gen(function* () {
          now = yield* Clock.currentTimeMillis
          times.push(now)
          yield* Effect.sleep(10)
          now = yield* Clock.currentTimeMillis
          const error = answer(now, number)
          return error === undefined ? "answer" : yield* error
        }),
      { gate, calls, retries: options.retries ?? 5, weight: { estimate: 1, used: () => null } }
    )
  const all = (count: number) =>
    Effect.forEach(
      Array.from({ length: count }, (_, number) => number),
      (number) => Effect.result(call(number)),
      { concurrency: "unbounded" }
    )
  return { all, call, calls, times, told }
}

const isBetween = (from: number, to: number) => (now: number) => now >= from && now < to

describe("a model that answers nothing", () => {
  it.effect.each(["unauthorised", "no-credit", "unknown-model"] as const)(
    "for %s holds every call at once, asks now and then, and goes on when it answers",
    (kind) =>
      Effect.gen(function* () {
        const outage = isBetween(1000, 60_000)
        const { all, calls, times, told } = asked((now) => (outage(now) ? failure(kind) : undefined))
        const before = yield* Effect.forkChild(all(3), { startImmediately: true })
        yield* TestClock.adjust("1 second")
        yield* Fiber.join(before)
        const fiber = yield* Effect.forkChild(all(20), { startImmediately: true })
        yield* TestClock.adjust("30 seconds")
        assert.strictEqual(calls.trouble?.message, `failed: ${kind}`)
        // The four under way, and one probe at a time.
        assert.isAtMost(times.filter(outage).length, 4 + 5)
        yield* TestClock.adjust("2 minutes")
        const results = yield* Fiber.join(fiber)
        assert.isTrue(results.every(({ _tag }) => _tag === "Success"))
        assert.isUndefined(calls.trouble)
        assert.isUndefined(told.at(-1))
        assert.strictEqual(calls.holds, 1)
      })
  )

  it.effect("for want of a server is held before a call is given up, and is found again without a herd", () =>
    Effect.gen(function* () {
      const outage = isBetween(0, 120_000)
      const { all, calls, times } = asked((now) => (outage(now) ? failure("unreachable") : undefined), {
        concurrency: 16
      })
      const fiber = yield* Effect.forkChild(all(100), { startImmediately: true })
      yield* TestClock.adjust("60 seconds")
      assert.isDefined(calls.trouble)
      const before = times.length
      yield* TestClock.adjust("60 seconds")
      assert.isAtMost(times.length - before, 3)
      yield* TestClock.adjust("3 minutes")
      const results = yield* Fiber.join(fiber)
      assert.isTrue(results.every(({ _tag }) => _tag === "Success"))
      const back = times.filter((time) => time >= 120_000)
      // The one that found out, and then a few more with each answer.
      assert.isAtMost(back.filter((time) => time <= back[0]! + 15).length, 3)
    })
  )

  it.effect("is asked at once when the user says so", () =>
    Effect.gen(function* () {
      let mended = false
      const { all, calls, times } = asked(() => (mended ? undefined : failure("no-credit")))
      const fiber = yield* Effect.forkChild(all(4), { startImmediately: true })
      yield* TestClock.adjust("5 minutes")
      mended = true
      const at = times.length
      calls.resume()
      yield* TestClock.adjust("1 second")
      assert.isAbove(times.length, at)
      yield* Fiber.join(fiber)
    })
  )

  it.effect("is given up after the time given, and fails every call in a way that ends the run", () =>
    Effect.gen(function* () {
      const { all, calls } = asked(() => failure("unreachable"), { patienceMs: 600_000 })
      const fiber = yield* Effect.forkChild(all(30), { startImmediately: true })
      yield* TestClock.adjust("9 minutes")
      assert.isDefined(calls.trouble)
      yield* TestClock.adjust("3 minutes")
      for (const result of yield* Fiber.join(fiber)) {
        const error = result._tag === "Failure" && result.failure._tag === "ModelError" ? result.failure : undefined
        assert.isTrue(error?.fatal)
        assert.include(error?.message, "nothing was answered for 10 minutes")
      }
      assert.isUndefined(calls.trouble)
    })
  )

  it.effect("ends at once when the run is halted, however long the server wants to be left alone", () =>
    Effect.gen(function* () {
      for (const error of [failure("rate-limited", 3_600_000), failure("unreachable"), failure("unauthorised")]) {
        const { all, calls, times } = asked(() => error)
        const fiber = yield* Effect.forkChild(all(20), { startImmediately: true })
        yield* TestClock.adjust("3 seconds")
        const sent = times.length
        calls.halt()
        // Those under way come to their end.
        yield* TestClock.adjust("10 millis")
        const results = yield* Fiber.join(fiber)
        assert.isTrue(results.every((result) => result._tag === "Failure" && result.failure._tag === "Halted"))
        assert.strictEqual(times.length, sent)
      }
    })
  )

  it.effect("does not count the time it was held", () =>
    Effect.gen(function* () {
      let now = 0
      const gate = new CallGate(() => now)
      gate.hold({ model: "m", message: "gone" }, () => {})
      now = 5000
      gate.pause()
      now = 8000
      gate.release("m")
      assert.strictEqual(gate.heldMs, 8000)
      now = 9000
      gate.resume()
      now = 20_000
      assert.strictEqual(gate.heldMs, 9000)
      assert.strictEqual(gate.heldForMs, 0)
    })
  )
})

describe("a model that answers some", () => {
  it.effect("fails a call after its repeats, without holding the others", () =>
    Effect.gen(function* () {
      const { calls, call } = asked((_, number) => (number === 0 ? failure("server-error") : undefined))
      const bad = yield* Effect.forkChild(Effect.flip(call(0)), { startImmediately: true })
      const good = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: 60 }), () => Effect.andThen(call(1), Effect.sleep(1000))),
        { startImmediately: true }
      )
      yield* TestClock.adjust("2 minutes")
      const error = yield* Fiber.join(bad)
      assert.strictEqual(error._tag === "ModelError" ? error.message : "", "failed: server-error (after 6 attempts)")
      yield* Fiber.join(good)
      assert.strictEqual(calls.holds, 0)
    })
  )

  it.effect("fails a request that is too long at once, and takes it as a sign of life", () =>
    Effect.gen(function* () {
      const { all, calls } = asked(() => failure("context-too-long"))
      const results = yield* Effect.forkChild(all(40), { startImmediately: true })
      yield* TestClock.adjust("1 minute")
      assert.isTrue((yield* Fiber.join(results)).every(({ _tag }) => _tag === "Failure"))
      assert.strictEqual(calls.holds, 0)
    })
  )

  it.effect("does not end a run for one request that it calls unauthorised among others that it answers", () =>
    Effect.gen(function* () {
      const { all, calls } = asked((_, number) => (number === 5 ? failure("unauthorised") : undefined), {
        concurrency: 8,
        retries: 0
      })
      const fiber = yield* Effect.forkChild(all(64), { startImmediately: true })
      yield* TestClock.adjust("1 minute")
      const results = yield* Fiber.join(fiber)
      const failed = results.flatMap((result) => (result._tag === "Failure" ? [result.failure] : []))
      assert.strictEqual(failed.length, 1)
      assert.isFalse(failed[0]!._tag === "ModelError" && failed[0]!.fatal)
      assert.strictEqual(calls.holds, 0)
    })
  )

  it.effect("is held when it refuses every request, whatever is asked", () =>
    Effect.gen(function* () {
      const { all, calls, times } = asked(() => failure("bad-request"))
      const fiber = yield* Effect.forkChild(all(200), { startImmediately: true })
      yield* TestClock.adjust("20 seconds")
      assert.isDefined(calls.trouble)
      assert.isAtMost(times.length, 32)
      calls.halt()
      yield* Fiber.join(fiber)
    })
  )
})
