import { dirname, join } from "node:path"
import * as Config from "effect/Config"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import { inputError } from "../domain/InputError.ts"
import { realPath } from "../store/realPath.ts"

export const storeFlag = Flag.String("store").pipe(
  Flag.withDescription(
    "The store's file (else ASSIZE_STORE, else .assize/store.sqlite of this folder or the nearest above it)"
  ),
  Flag.optional
)

const folder = ".assize"
const fileName = "store.sqlite"

/** The store's file, without symbolic links, since its locks lie beside it: as asked for, else of the nearest folder upwards that has one, else in this folder. */
export const storeFile = Effect.fn("storeFile")(function* (asked: Option.Option<string>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  if (Option.isSome(asked)) return realPath(asked.value)
  const fromEnvironment = yield* Effect.orDie(Config.option(Config.NonEmptyString("ASSIZE_STORE")))
  if (Option.isSome(fromEnvironment)) return realPath(fromEnvironment.value)
  const here = path.resolve(".")
  for (let at = here; ; at = path.dirname(at)) {
    const file = path.join(at, folder, fileName)
    if (yield* Effect.orElseSucceed(fs.exists(file), () => false)) return realPath(file)
    if (path.dirname(at) === at) return realPath(path.join(here, folder, fileName))
  }
})

/** The folder of a store's locks. */
export const locksOf = (file: string): string => join(dirname(file), "locks")

/** The store's file, which a command that only looks must not make. */
export const existingStore = Effect.fn("existingStore")(function* (asked: Option.Option<string>) {
  const fs = yield* FileSystem.FileSystem
  const file = yield* storeFile(asked)
  if (yield* Effect.orElseSucceed(fs.exists(file), () => false)) return file
  return yield* inputError({
    file,
    what: "there is no store here, so there is nothing to look at",
    hint: "Run a campaign first, or name the store with --store"
  })
})
