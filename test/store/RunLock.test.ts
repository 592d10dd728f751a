import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync } from "node:fs"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { errorExitCode } from "effect/Runtime"
import * as RunLock from "../../src/store/RunLock.ts"

const options = () => ({
  folder: join(mkdtempSync(join(tmpdir(), "assize-")), "locks"),
  campaign: "quickstart",
  campaignFile: "/c/é.yaml"
})

const killed = (child: ChildProcess) =>
  Effect.callback<void>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    child.once("exit", () => resume(Effect.void))
    child.kill("SIGKILL")
  })

/** A process that holds the lock, killed with the scope at the latest. */
const holder = (held: ReturnType<typeof options>) => {
  const code = `
    import * as Effect from "effect/Effect"
    import * as RunLock from ${JSON.stringify(join(import.meta.dirname, "../../src/store/RunLock.ts"))}
    await Effect.runPromise(Effect.scoped(Effect.gen(function* () {
      yield* RunLock.acquire(${JSON.stringify(held)})
      setInterval(() => {}, 1000)
      gc()
      console.log("held")
      yield* Effect.never
    })))`
  const start = Effect.sync(() =>
    spawn(process.execPath, ["--expose-gc", "--input-type=module", "-e", code], {
      cwd: import.meta.dirname,
      stdio: ["ignore", "pipe", "ignore"]
    })
  )
  return Effect.acquireRelease(start, killed).pipe(
    Effect.tap((child) =>
      Effect.callback<void>((resume) => {
        child.stdout.once("data", () => resume(Effect.void))
      })
    )
  )
}

describe("RunLock", () => {
  it.effect("refuses a second holder by name, with exit code 2, and lets it in after the first has gone", () =>
    Effect.gen(function* () {
      const lock = options()
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* RunLock.acquire(lock)
          const error = yield* Effect.flip(Effect.scoped(RunLock.acquire(lock)))
          assert.strictEqual(error._tag, "LockHeld")
          assert.strictEqual(error[errorExitCode], 2)
          assert.include(
            error.message,
            `campaign quickstart is being run by process ${process.pid} on ${hostname()} since `
          )
          // A refusal leaves the first holder's lock and name as they were.
          assert.include(
            (yield* Effect.flip(Effect.scoped(RunLock.acquire(lock)))).message,
            `process ${process.pid} on`
          )
        })
      )
      yield* Effect.scoped(RunLock.acquire(lock))
    })
  )

  it.effect("locks each campaign by itself", () =>
    Effect.gen(function* () {
      const lock = options()
      yield* RunLock.acquire(lock)
      yield* RunLock.acquire({ ...lock, campaignFile: "/c/other.yaml" })
    })
  )

  it.live("names the other process, and is free as soon as that is killed", () =>
    Effect.gen(function* () {
      const lock = options()
      const child = yield* holder(lock)
      const error = yield* Effect.flip(Effect.scoped(RunLock.acquire(lock)))
      assert.include(error.message, `process ${child.pid} on ${hostname()} since `)
      yield* killed(child)
      yield* Effect.scoped(RunLock.acquire(lock))
    })
  )
})
