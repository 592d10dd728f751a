import { accessSync, constants, existsSync } from "node:fs"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { InputError } from "../domain/InputError.ts"
import { latestVersion, storeVersion } from "../store/migrations.ts"
import * as sqlite from "../store/sqlite.ts"
import { bytesOnDisk } from "../store/stats.ts"
import { type Check, no, note, ok, type Section } from "./Check.ts"

const nearest = (path: string): string => (existsSync(path) || dirname(path) === path ? path : nearest(dirname(path)))

const canWrite = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

const writeHint = "Allow writing to it, or name another store with --store"

/** Looks at a store as quickly as possible, and changes and makes nothing. `size` words a number of bytes. */
export const storeSection = Effect.fn("storeSection")(function* (file: string, size: (bytes: number) => string) {
  const checks: Array<Check> = []
  const section: Section = { name: "the store", checks }
  if (!existsSync(file)) {
    const folder = nearest(dirname(file))
    checks.push(
      canWrite(folder)
        ? ok(`none yet; the first run makes ${file}`)
        : no(`none yet, and ${file} cannot be made: ${folder} is not to be written`, writeHint)
    )
    return section
  }
  const look = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const version = yield* Effect.orElseSucceed(storeVersion, () => 0)
    if (version === 0) {
      checks.push(no(`${file} is no store of assize`, "Name another file with --store"))
      return
    }
    if (version > latestVersion) {
      checks.push(
        no(
          `${file} was written by a later version of assize (store version ${version}, at most ${latestVersion} here)`,
          "Upgrade assize, or name another store with --store"
        )
      )
      return
    }
    checks.push(ok(`${file}: ${size(bytesOnDisk(file).total)}, version ${version}`))
    if (version < latestVersion) checks.push(note(`the next run brings it to version ${latestVersion}`))
    const writable = yield* Effect.result(sql.withTransaction(Effect.void))
    checks.push(
      writable._tag === "Success" && canWrite(file) && canWrite(dirname(file))
        ? ok("it can be written")
        : no("it cannot be written", writeHint)
    )
    const sound = yield* sql<{ readonly quick_check: string }>`PRAGMA quick_check(1)`.pipe(
      Effect.map(([row]) => row?.quick_check ?? "ok"),
      Effect.catch(({ reason: { cause } }) =>
        Effect.succeed(cause instanceof Error ? cause.message : "it cannot be read")
      )
    )
    checks.push(
      sound === "ok"
        ? ok("a quick look finds no damage (assize store verify looks at every row)")
        : no(`it is damaged: ${sound}`, "See what is with assize store verify")
    )
  })
  yield* look.pipe(
    Effect.provide(sqlite.layer(file), { local: true }),
    Effect.catchIf(
      (error) => error instanceof InputError,
      (error) =>
        Effect.sync(() => {
          for (const { found, hint, what } of error.problems)
            checks.push(no(`${file}: ${what}${found === undefined ? "" : ` (${found})`}`, hint ?? writeHint))
        })
    )
  )
  return section
})
