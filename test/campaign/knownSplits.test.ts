import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { knownSplits } from "../../src/campaign/knownSplits.ts"

describe("the splits that are known around a dataset", () => {
  it.live("are looked for without waiting for pipes", () =>
    Effect.acquireUseRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "assize-known-"))),
      (folder) =>
        Effect.gen(function* () {
          const dataset = join(folder, "data.jsonl")
          writeFileSync(dataset, "")
          execFileSync("mkfifo", [join(folder, "a.json"), join(folder, "b.yaml")])
          const found = yield* knownSplits(dataset, [join(folder, "b.yaml")])
          assert.deepStrictEqual(
            found.filter(({ file }) => file.includes("assize-known-")),
            []
          )
        }),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
    ).pipe(Effect.provide(NodeServices.layer))
  )
})
