import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { galleryEvents } from "../terminal/gallery.ts"
import { writeGallery } from "../terminal/galleryStore.ts"
import { controls, hostileEvents } from "../terminal/hostile.ts"
import { assize, temporaryFolder } from "./cli.ts"

describe("commands that show a run", () => {
  const folder = temporaryFolder()
  const hostile = join(folder.path, "hostile.sqlite")
  const gallery = join(folder.path, "gallery.sqlite")
  afterAll(() => folder[Symbol.dispose]())
  beforeAll(async () => {
    await writeGallery(hostile, hostileEvents())
    await writeGallery(gallery, galleryEvents)
  })
  const asked = (store: string, ...args: ReadonlyArray<string>) =>
    assize(["runs", ...args, "--store", store], { cwd: folder.path, env: { TZ: "UTC" } })

  it("let nothing of its texts at the terminal", async () => {
    const commands = [
      ["list"],
      ["show", "latest"],
      ["show", "latest", "--candidate", "winner"],
      ["show", "latest", "--iteration", "1"],
      ["show", "latest", "--json"],
      ["watch", "latest", "--from-start"],
      ["watch", "latest", "--from-start", "--json"]
    ]
    const said = await Promise.all(commands.map((args) => asked(hostile, ...args)))
    for (const [at, { stderr, stdout }] of said.entries()) {
      expect(stdout, commands[at]!.join(" ")).not.toBe("")
      for (const text of [stdout, stderr])
        expect(text.replace(/[\n\t]/g, ""), commands[at]!.join(" ")).not.toMatch(controls)
    }
  })

  it("watch a run that has ended line by line from its start, and end with its exit code", async () => {
    const { code, stderr, stdout } = await asked(gallery, "watch", "gallery-1", "--from-start")
    expect(code).toBe(0)
    const lines = stdout.trimEnd().split("\n")
    expect(lines[0]).toMatch(/^09:00:00 \+0:00:00 \$0\.00 started: run gallery-1, campaign gallery, /)
    expect(lines.at(-1)).toContain("finished: no improvement found; 10 proposals in a row were rejected")
    expect(lines).toHaveLength(20)
    expect(stderr).toContain("watching run gallery-1: 60 events so far, no process is running it")
    expect(stderr).toContain("Best so far: c6")
  })

  it("say nothing of what was before, unless asked", async () => {
    const { code, stdout } = await asked(gallery, "watch")
    expect([code, stdout]).toEqual([0, ""])
  })

  it("end with 130 where the run was cut off", async () => {
    const { code, stderr } = await asked(hostile, "watch")
    expect(code).toBe(130)
    expect(stderr).toContain("interrupted: no process runs it")
  })

  it("print events whole as JSON lines", async () => {
    const { stdout } = await asked(gallery, "watch", "--from-start", "--json")
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { run: string; sequence: number; event: unknown })
    expect(events.map(({ event }) => event)).toEqual(galleryEvents)
    expect(events.map(({ sequence }) => sequence)).toEqual(galleryEvents.map((_, at) => at))
  })
})
