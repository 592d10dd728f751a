import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import { systemError } from "effect/PlatformError"
import { checkNewFolder, ofText, writeTogether } from "../../src/dataset/writeTogether.ts"
import { temporaryFolder } from "../e2e/cli.ts"

const files = new Map([
  ["a.json", "a".repeat(10)],
  ["b.jsonl", "b".repeat(2000)],
  ["sub/c.md", "c"],
  ["sub/deep/d.md", "d"]
])

/** A disk that is full from its so-and-so-many-th file on, where half of a file still has room. */
const fullFrom = (count: number) =>
  Layer.effect(
    FileSystem.FileSystem,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      let written = 0
      return {
        ...fs,
        writeFileString: (path, text, options) => {
          if (written++ < count) return fs.writeFileString(path, text, options)
          const cause = new Error("ENOSPC: no space left on device, write")
          return Effect.andThen(
            fs.writeFileString(path, text.slice(0, text.length / 2), options),
            Effect.fail(systemError({ _tag: "Unknown", module: "FileSystem", method: "writeFile", cause }))
          )
        }
      } satisfies FileSystem.FileSystem
    })
  ).pipe(Layer.provide(NodeFileSystem.layer))

const write = (folder: string, last: Effect.Effect<void, string> = Effect.void) =>
  Effect.andThen(
    checkNewFolder(folder),
    writeTogether(
      folder,
      (put) => Effect.forEach(files, ([name, text]) => put(name, ofText(text)), { discard: true }),
      (names) => Effect.as(last, names)
    )
  )

const isWhole = (folder: string) => {
  for (const [name, text] of files) assert.strictEqual(readFileSync(join(folder, name), "utf8"), text)
  assert.deepStrictEqual(readdirSync(folder).sort(), ["a.json", "b.jsonl", "sub"])
}

const here = Layer.mergeAll(NodeFileSystem.layer, NodePath.layer)

describe("files that are written together", () => {
  it.effect.each([0, 1, 2, 3])("are all there or none, and can be written again: no room for file %i", (count) =>
    Effect.gen(function* () {
      using scratch = temporaryFolder()
      const folder = join(scratch.path, "over/there")
      const full = Layer.mergeAll(fullFrom(count), NodePath.layer)
      const error = yield* write(folder).pipe(Effect.provide(full), Effect.flip)
      const name = [...files.keys()][count]!
      assert.strictEqual(
        String((error as Error).message),
        `${join(folder, name)}: the file cannot be written: no room is left on the disk`
      )
      assert.isFalse(existsSync(folder))

      mkdirSync(folder, { recursive: true })
      yield* write(folder).pipe(Effect.provide(full), Effect.flip)
      assert.deepStrictEqual(readdirSync(folder), [])

      assert.deepStrictEqual(yield* write(folder).pipe(Effect.provide(here)), [...files.keys()])
      isWhole(folder)
    })
  )

  it.effect("go away again where what is to be done with them fails, and nothing else does", () =>
    Effect.gen(function* () {
      using scratch = temporaryFolder()
      const folder = join(scratch.path, "there")
      const failed = yield* write(folder, Effect.fail("no")).pipe(Effect.provide(here), Effect.flip)
      assert.strictEqual(failed, "no")
      assert.isFalse(existsSync(folder))

      mkdirSync(folder)
      writeFileSync(join(folder, "a.json"), "mine")
      const refused = yield* write(folder).pipe(Effect.provide(here), Effect.flip)
      assert.match(String((refused as Error).message), /the folder has files already/)
      yield* writeTogether(
        folder,
        (put) => put("sub/x", ofText("x")),
        () => Effect.fail("no")
      ).pipe(Effect.provide(here), Effect.flip)
      assert.deepStrictEqual(readdirSync(folder), ["a.json"])
    })
  )
})
