import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { acquire } from "../../src/store/RunLock.ts"
import { temporaryFolder } from "../e2e/cli.ts"
import { assizeHere } from "../e2e/inProcess.ts"
import { galleryEvents } from "../terminal/gallery.ts"
import { campaignFile, writeGallery } from "../terminal/galleryStore.ts"

describe("runs show", () => {
  const folder = temporaryFolder()
  const store = join(folder.path, ".assize/store.sqlite")
  const show = (...args: ReadonlyArray<string>) => assizeHere(["runs", "show", ...args], { cwd: folder.path })
  afterAll(() => folder[Symbol.dispose]())
  // A run in the midst of its search.
  beforeAll(() => writeGallery(store, galleryEvents.slice(0, galleryEvents.length - 1)))

  /** Holds the lock of the gallery's campaign meanwhile, as the process that runs it does. */
  const whileItRuns = <A>(run: string, look: () => Promise<A>): Promise<A> =>
    Effect.gen(function* () {
      const lock = yield* acquire({ folder: join(dirname(store), "locks"), campaign: "gallery", campaignFile })
      yield* lock.name(run)
      return yield* Effect.promise(look)
    }).pipe(Effect.scoped, Effect.runPromise)

  it("says that a run is under way, by which process and since when, and how to watch it", async () => {
    await whileItRuns("gallery-1", async () => {
      const { stdout } = await show("latest")
      assert.match(stdout, new RegExp(`\\nRunning now: process ${process.pid} on \\S+ since \\d\\d:\\d\\d\\. `))
      assert.include(stdout, "assize runs watch gallery-1")
      assert.notInclude(stdout, "goes on where it stopped")
      const figures = JSON.parse((await show("latest", "--json")).stdout)
      assert.deepInclude(figures, { status: "running", process: process.pid, stopped: null })
      assert.isFalse(Number.isNaN(Date.parse(figures.since)))
    })
  })

  it("says that nobody runs it, where its process is gone or runs another run", async () => {
    const gone = await show("latest")
    assert.include(gone.stdout, "\nInterrupted: it has not ended, and no process is running it.")
    assert.include(gone.stdout, "goes on where it stopped; nothing is bought twice")
    await whileItRuns("gallery-2", async () => {
      const { process: pid, status } = JSON.parse((await show("latest", "--json")).stdout)
      assert.deepStrictEqual([pid, status], [null, "interrupted"])
    })
  })

  it("refuses to show two things at once, and shows ids as JSON where both are asked for", async () => {
    for (const other of [
      ["--candidate", "winner"],
      ["--note", "q1/n1"]
    ]) {
      const { code, stderr } = await show("latest", ...other, "--iteration", "1")
      assert.strictEqual(code, 2)
      assert.include(stderr, `${other[0]}: and --iteration ask for different things`)
    }
    const ids = await assizeHere(["runs", "list", "--ids", "--json"], { cwd: folder.path })
    assert.deepStrictEqual(JSON.parse(ids.stdout), ["gallery-1"])
  })
})
