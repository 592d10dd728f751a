import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import type { RunEvent } from "../../src/domain/RunEvent.ts"
import { eventsOf, quickstartCopy, start, temporaryFolder } from "./cli.ts"

const folder = temporaryFolder()
afterAll(() => folder[Symbol.dispose]())

it("watch sees each event of a run under way once, changes nothing, and ends with it", {
  timeout: 60_000
}, async () => {
  const cwd = folder.path
  const yaml = quickstartCopy(cwd, (text) => text.replace(/iterations: \d+/, "iterations: 4"))
  const run = start(["run", yaml], { cwd })
  await new Promise<void>((resolve, reject) => {
    run.child.stderr.on("data", () => {
      if (run.stderr().includes("started:")) resolve()
    })
    void run.finished.then(({ stderr }) => reject(new Error(stderr)))
  })
  const [watched, plain] = [
    start(["runs", "watch", "--from-start", "--json"], { cwd }),
    start(["runs", "watch"], { cwd })
  ]
  const [ended, json, lines] = await Promise.all([run.finished, watched.finished, plain.finished])
  expect([ended.code, json.code, lines.code]).toEqual([0, 0, 0])
  const seen = json.stdout
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { event: RunEvent }).event)
  expect(seen).toEqual(await eventsOf(cwd, join(cwd, "exported")))
  expect(lines.stderr).toMatch(
    /watching run quickstart-1: \d+ events so far, (process \d+ is running it|no process is)/
  )
  expect(lines.stderr).toContain("Run quickstart-1: all iterations done")
  for (const line of lines.stdout.trimEnd().split("\n"))
    if (line !== "") expect(line).toMatch(/^\d\d:\d\d:\d\d \+\d+:\d\d:\d\d \$/)
})
