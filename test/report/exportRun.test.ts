import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import type { RunEvent } from "../../src/domain/RunEvent.ts"
import { assizeHere } from "../e2e/inProcess.ts"
import { galleryEvents } from "../terminal/gallery.ts"
import { writeGallery } from "../terminal/galleryStore.ts"

describe("an export", () => {
  it("has the instruction of a candidate whose evaluation was cut short, and says that it was", async () => {
    const folder = mkdtempSync(join(tmpdir(), "assize-export-"))
    try {
      const last = galleryEvents.findLast((event) => event._tag === "evaluated")!.candidate
      const events = galleryEvents.flatMap((event): ReadonlyArray<RunEvent> => {
        if (event._tag === "stopped") return []
        if (event._tag !== "evaluated" || event.candidate !== last) return [event]
        const { candidate, figures, outcomes } = event
        return [{ _tag: "raced", candidate, outcomes, figures, judged: 20, notes: 36, detail: "it could not win" }]
      })
      const store = join(folder, "store.sqlite")
      await writeGallery(store, events)
      const out = join(folder, "out")
      const { code, stderr } = await assizeHere(["runs", "export", "latest", "--out", out, "--store", store], {
        cwd: folder
      })
      assert.strictEqual(code, 0, stderr)
      const own = readdirSync(join(out, "candidates")).filter((name) => name.startsWith(last))
      assert.strictEqual(own.length, 2)
      for (const name of own) {
        const text = readFileSync(join(out, "candidates", name), "utf8").replace(/\s+/g, " ")
        assert.include(text, "evaluation was cut short after 20 of 36 notes")
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
