import { createReadStream } from "node:fs"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { type InputError, inputError, type Problem } from "../domain/InputError.ts"
import { fileProblem } from "./fileProblem.ts"

/** What the shell hands over already open, such as `<(…)` or standard input: reading it comes to an end. */
const handedOver = /^\/(dev\/stdin|dev\/fd\/\d+|proc\/(self|\d+)\/fd\/\d+)$/

const kinds: Readonly<Partial<Record<FileSystem.File.Type, string>>> = {
  FIFO: "a named pipe, which would wait for its writer without end",
  CharacterDevice: "a device or a terminal",
  BlockDevice: "a device",
  Socket: "a socket"
}

/** Why a path that is there is not to be opened as a file; undefined for files, folders (which fail by themselves) and pipes of the shell. */
export const notRegular = (file: string, what: string, type: FileSystem.File.Type): Problem | undefined => {
  const kind = kinds[type]
  if (kind === undefined || (type === "FIFO" && handedOver.test(file))) return undefined
  return { file, what: `${what} is ${kind}`, expected: "a file" }
}

const typeOf = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const info = yield* Effect.result(fs.stat(file))
  return Result.isSuccess(info) ? info.success.type : undefined
})

/** Fails where opening the path could hang or never end. A path that is not there is the reader's to report. */
export const checkRegular = Effect.fnUntraced(function* (
  file: string,
  what: string
): Effect.fn.Return<void, InputError, FileSystem.FileSystem> {
  const type = yield* typeOf(file)
  const problem = type === undefined ? undefined : notRegular(file, what, type)
  if (problem !== undefined) return yield* inputError(problem)
})

/** The bytes of a file that the user named, in pieces from its beginning to its end; of a pipe of the shell too. */
export const fileBytes = (
  file: string,
  what: string,
  chunkSize: number
): Stream.Stream<Uint8Array, InputError, FileSystem.FileSystem> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      yield* checkRegular(file, what)
      if ((yield* typeOf(file)) !== "FIFO") {
        return Stream.mapError(fs.stream(file, { chunkSize }), (error) => inputError(fileProblem(file, what, error)))
      }
      // The file system's stream asks for positions, which a pipe has none of; read whole, an endless one has no end.
      const pipe: AsyncIterable<Uint8Array> = createReadStream(file, { highWaterMark: chunkSize })
      return Stream.fromAsyncIterable(pipe, (cause) =>
        inputError({ file, what: `${what} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}` })
      )
    })
  )
