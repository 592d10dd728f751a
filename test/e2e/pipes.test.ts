import { spawn } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { consultation, lines } from "../dataset/support.ts"
import { type Finished, root, temporaryFolder } from "./cli.ts"

const bin = join(root, "dist/bundle/bin.js")
const folder = temporaryFolder()
afterAll(() => folder[Symbol.dispose]())

/** Runs a line of shell in the folder, `assize` being the built command line. */
const shell = (line: string): Promise<Finished> =>
  new Promise((resolve) => {
    const child = spawn("sh", ["-c", `assize() { "${process.execPath}" "${bin}" "$@"; }; ${line}`], {
      cwd: folder.path,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NO_COLOR: "1", VITEST: undefined, NODE_ENV: undefined }
    })
    let stdout = ""
    let stderr = ""
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()))
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()))
    child.on("close", (code) => resolve({ code, stdout, stderr }))
  })

const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text)

describe("a pipe in place of a file", () => {
  it("is read from its beginning to its end: a dataset", async () => {
    write("many.jsonl", lines(Array.from({ length: 2000 }, (_, at) => consultation(`c${at}`))))
    const { code, stdout } = await shell("cat many.jsonl | assize data check /dev/stdin")
    assert.strictEqual(code, 0)
    assert.include(stdout, "/dev/stdin: 2000 consultations (2000 with pairs)")
  })

  it("is read from its beginning to its end: an import, under the name that was given", async () => {
    write("table.csv", "visit,bad,good\n1,a,a b\n")
    const flags = "--consultation visit --flawed bad --clean good --class omission"
    const { code, stderr, stdout } = await shell(
      `cat table.csv | assize data import csv /dev/stdin ${flags} -o out.jsonl`
    )
    assert.strictEqual(code, 0, stderr)
    assert.match(stdout, /\/dev\/stdin +1 +1 +0/)
    assert.strictEqual(readFileSync(join(folder.path, "out.jsonl"), "utf8").split("\n").length, 2)
  })

  it("is read from its beginning to its end: a table of scores", async () => {
    write(
      "scores.jsonl",
      lines([
        { consultation: "a", note: "c", clean: "", score: 2 },
        { consultation: "a", note: "f", clean: "c", score: 1 }
      ])
    )
    const { code, stderr, stdout } = await shell("cat scores.jsonl | assize score --scores /dev/stdin --json")
    assert.strictEqual(code, 0, stderr)
    assert.include(stdout, '"pairs": 1')
  })

  it("ends with the name of its line where a line has no end", async () => {
    const { code, stderr } = await shell("head -c 300000000 /dev/zero | tr '\\0' a | assize data check /dev/stdin")
    assert.strictEqual(code, 2)
    assert.include(stderr, "/dev/stdin:1: the line is longer than 256 MiB (expected one entry a line)")
  })
})
