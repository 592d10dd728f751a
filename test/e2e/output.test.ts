import { spawn } from "node:child_process"
import { existsSync, openSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { assize, quickstartCopy, root, temporaryFolder } from "./cli.ts"
import { assizeHere } from "./inProcess.ts"

const bin = join(root, "dist/bundle/bin.js")
const folder = temporaryFolder()
afterAll(() => folder[Symbol.dispose]())

/** A dataset of which `data check --json` prints far more than a pipe holds (64 KiB): each line has an error. */
const large = join(folder.path, "large.jsonl")
writeFileSync(large, `{"id":"a","a long field that no consultation has":1}\n`.repeat(2000))

const through = (args: ReadonlyArray<string>, stdio: "pipe" | number) =>
  spawn(process.execPath, [bin, ...args], {
    stdio: ["ignore", stdio, "pipe"],
    env: { ...process.env, NO_COLOR: "1", VITEST: undefined, NODE_ENV: undefined }
  })

describe("standard output", () => {
  it("arrives whole at a reader who is slower than the program, and keeps the exit code", async () => {
    const child = through(["data", "check", large, "--json"], "pipe")
    child.stderr!.resume()
    const ended = new Promise<number | null>((resolve) => child.on("exit", resolve))
    // The program fills the pipe long before this reader begins, and ends only when the pipe is empty.
    await new Promise((resolve) => child.stdout!.once("readable", resolve))
    await new Promise((resolve) => setTimeout(resolve, 800))
    let text = ""
    for await (const chunk of child.stdout!) text += String(chunk)
    assert.strictEqual(await ended, 2)
    assert.isAbove(text.length, 1 << 18)
    assert.strictEqual((JSON.parse(text) as { errors: ReadonlyArray<unknown> }).errors.length >= 4000, true)
  })

  it("ends quietly when its reader has seen enough", async () => {
    const child = through(["data", "check", large, "--json"], "pipe")
    let stderr = ""
    child.stderr!.on("data", (chunk) => (stderr += String(chunk)))
    child.stdout!.once("data", () => child.stdout!.destroy())
    const code = await new Promise<number | null>((resolve) => child.on("close", resolve))
    assert.notInclude(stderr, "EPIPE")
    assert.notInclude(stderr, "    at ")
    assert.oneOf(code, [0, 2])
  })

  it.skipIf(!existsSync("/dev/full"))("says that the disk is full, with exit code 1", async () => {
    const child = through(["data", "check", dataset], openSync("/dev/full", "w"))
    let stderr = ""
    child.stderr!.on("data", (chunk) => (stderr += String(chunk)))
    const code = await new Promise<number | null>((resolve) => child.on("close", resolve))
    assert.strictEqual(code, 1)
    assert.match(stderr, /ERROR\n {2}standard output cannot be written: ENOSPC/)
    assert.notInclude(stderr, "    at ")
  })
})

const dataset = join(root, "campaigns/quickstart/dataset.jsonl")

describe("a command line that cannot be used", () => {
  it("is answered shortly, on standard error, with exit code 2", async () => {
    for (const [args, named, usage] of [
      [["data", "check"], "Missing required argument: file", "assize data check [flags] <file>"],
      [["data", "chek", "x"], 'Unknown subcommand "chek"', "assize data <subcommand> [flags]"],
      [["data", "check", "--neer", "1", "x"], "--neer", "assize data check [flags] <file>"]
    ] as const) {
      const { code, stderr, stdout } = await assize(args, { cwd: root })
      assert.strictEqual(code, 2)
      assert.strictEqual(stdout, "")
      assert.include(stderr, named)
      assert.include(stderr, `Usage: ${usage}`)
      assert.match(stderr, /More: assize data( check)? --help/)
      assert.isBelow(stderr.split("\n").length, 12)
    }
  })
})

describe("what is said once", () => {
  it("init names all files that are there in one message, and writes none", async () => {
    const first = await assizeHere(["init", "mine"], { cwd: folder.path })
    assert.strictEqual(first.code, 0, first.stderr)
    const again = await assizeHere(["init", "mine"], { cwd: folder.path })
    assert.strictEqual(again.code, 2)
    assert.strictEqual(again.stderr.match(/already/g)?.length, 1)
    assert.match(again.stderr, /mine: holds campaign\.yaml, .*split\.json.* already: nothing is overwritten/)
  })

  it("plan says that the train part cuts the minibatches", async () => {
    const yaml = quickstartCopy(join(folder.path, "small"), (text) =>
      text.replace("{ notes: 12, consultations: 4 }", "{ notes: 60, consultations: 20 }")
    )
    const { code, stderr } = await assizeHere(["plan", yaml], { cwd: folder.path })
    assert.strictEqual(code, 0, stderr)
    assert.match(
      stderr,
      /search\.minibatch: minibatches are smaller than asked for: \d+ notes of 10 consultations, not 60 of 20\. The train part has 10 consultations/
    )
  })
})
