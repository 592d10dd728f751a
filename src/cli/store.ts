import * as Config from "effect/Config"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"

export const storeFlag = Flag.String("store").pipe(
  Flag.withDescription(
    "The store's file (else ASSIZE_STORE, else .assize/store.sqlite of this folder or the nearest above it)"
  ),
  Flag.optional
)

const folder = ".assize"
const fileName = "store.sqlite"

/** The store's file: as asked for, else of the nearest folder upwards that has one, else in this folder. */
export const storeFile = Effect.fn("storeFile")(function* (asked: Option.Option<string>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  if (Option.isSome(asked)) return path.resolve(asked.value)
  const fromEnvironment = yield* Effect.orDie(Config.option(Config.NonEmptyString("ASSIZE_STORE")))
  if (Option.isSome(fromEnvironment)) return path.resolve(fromEnvironment.value)
  const here = path.resolve(".")
  for (let at = here; ; at = path.dirname(at)) {
    const file = path.join(at, folder, fileName)
    if (yield* Effect.orElseSucceed(fs.exists(file), () => false)) return file
    if (path.dirname(at) === at) return path.join(here, folder, fileName)
  }
})
