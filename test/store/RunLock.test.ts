import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { errorExitCode } from "effect/Runtime"
import * as RunLock from "../../src/store/RunLock.ts"
import * as StoreLock from "../../src/store/StoreLock.ts"

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

  it.effect("is one lock, whatever symbolic links lead to the campaign", () =>
    Effect.gen(function* () {
      const folder = mkdtempSync(join(tmpdir(), "assize-"))
      mkdirSync(join(folder, "real"))
      writeFileSync(join(folder, "real", "campaign.yaml"), "")
      symlinkSync(join(folder, "real"), join(folder, "linked"))
      symlinkSync(join(folder, "real", "campaign.yaml"), join(folder, "c.yaml"))
      const lock = (campaignFile: string) => ({ ...options(), folder: join(folder, "locks"), campaignFile })
      yield* RunLock.acquire(lock(join(folder, "real", "campaign.yaml")))
      for (const path of [join(folder, "linked", "campaign.yaml"), join(folder, "c.yaml")]) {
        const error = yield* Effect.flip(Effect.scoped(RunLock.acquire(lock(path))))
        assert.strictEqual(error._tag, "LockHeld")
      }
    })
  )

  it.effect("tells others who holds it and for which run, and nothing once it is free", () =>
    Effect.gen(function* () {
      const lock = options()
      const holder = Effect.sync(() => RunLock.holderOf(lock.folder, lock.campaignFile))
      assert.isUndefined(yield* holder)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const held = yield* RunLock.acquire(lock)
          yield* held.name("quickstart-3")
          const found = yield* holder
          assert.strictEqual(found?.pid, process.pid)
          assert.strictEqual(found?.run, "quickstart-3")
        })
      )
      assert.isUndefined(yield* holder)
    })
  )
})

describe("StoreLock", () => {
  const folder = () => join(mkdtempSync(join(tmpdir(), "assize-")), "locks")

  it.effect("lets many use a store, none of them while it is pruned, and nobody prune it while it is used", () =>
    Effect.gen(function* () {
      const locks = folder()
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* StoreLock.inUse(locks)
          yield* StoreLock.inUse(locks)
          const refused = yield* Effect.flip(Effect.scoped(StoreLock.alone(locks)))
          assert.include(refused.message, "the store is in use by another process")
          yield* RunLock.acquire({ ...options(), folder: locks })
          const named = yield* Effect.flip(Effect.scoped(StoreLock.alone(locks)))
          assert.include(named.message, `the store is in use by process ${process.pid} on ${hostname()}`)
        })
      )
      yield* StoreLock.alone(locks)
      for (const attempt of [StoreLock.inUse(locks), StoreLock.alone(locks)]) {
        const error = yield* Effect.flip(Effect.scoped(attempt))
        assert.include(error.message, `the store is being pruned by process ${process.pid}`)
      }
    })
  )
})
