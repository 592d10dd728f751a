import { spawnSync } from "node:child_process"
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { root, temporaryFolder } from "./cli.ts"

/** The README's shell blocks, without npm's own commands and the server, which other tests start. */
const commands = [...readFileSync(join(root, "README.md"), "utf8").matchAll(/```sh\n([\s\S]*?)```/g)]
  .flatMap(([, block]) => block!.trim().split("\n"))
  .filter((line) => line.startsWith("assize ") && !line.startsWith("assize simulate"))

describe("the README", () => {
  it("has commands that run as written, one after the other", () => {
    using folder = temporaryFolder()
    const assize = join(folder.path, "assize")
    writeFileSync(assize, `#!/bin/sh\nexec "${process.execPath}" "${join(root, "dist/bundle/bin.js")}" "$@"\n`)
    chmodSync(assize, 0o755)
    assert.isAtLeast(commands.length, 7)
    const { status, stderr, stdout } = spawnSync("sh", ["-e", "-c", commands.join("\n")], {
      cwd: folder.path,
      env: {
        ...process.env,
        PATH: `${folder.path}:${process.env["PATH"]}`,
        NODE_ENV: undefined,
        ASSIZE_STORE: undefined
      },
      encoding: "utf8"
    })
    assert.strictEqual(status, 0, stdout + stderr)
    assert.isTrue(existsSync(join(folder.path, "mine/exported/lineage.jsonl")))
  })

  it("names the test and start commands that package.json has", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      scripts: Record<string, string>
    }
    assert.include(scripts["start"], "campaigns/quickstart/campaign.yaml")
    assert.isDefined(scripts["test"])
    assert.include(readFileSync(join(root, ".ci/run"), "utf8"), "npm cit")
  })

  it("shows data that the checker takes", () => {
    using folder = temporaryFolder()
    const [, json] = /```json\n([\s\S]*?)```/.exec(readFileSync(join(root, "README.md"), "utf8"))!
    const file = join(folder.path, "data.jsonl")
    writeFileSync(
      file,
      `${JSON.stringify(JSON.parse(json!))}\n`.replace(
        '"id":"clean","text":"…"',
        '"id":"clean","text":"Allergic to penicillin."'
      )
    )
    const { status, stderr } = spawnSync(process.execPath, [join(root, "dist/bundle/bin.js"), "data", "check", file], {
      encoding: "utf8"
    })
    assert.strictEqual(status, 0, stderr)
  })
})
