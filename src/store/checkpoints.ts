import { Worker } from "node:worker_threads"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** Pages in the log at which SQLite writes them back by itself, in the midst of a commit: only where no thread has done so. */
export const pagesAtMost = 40_000

/** Statements from one checkpoint to the next: as a rule one or two pages each. */
const writesBetween = 3000

/** Runs in a thread with a connection of its own, for each message. A checkpoint that waits for nobody delays no writer. */
const work = `
const { parentPort, workerData } = require("node:worker_threads")
const { DatabaseSync } = require("node:sqlite")
const database = new DatabaseSync(workerData)
parentPort.on("message", () => database.exec("PRAGMA wal_checkpoint(PASSIVE)"))
`

/**
 * Has the log of a store written back to its file every some thousand statements, in a thread: it takes 50 ms of waiting
 * for the disk, in which no answer would be read and no call sent. To be told of each statement that writes. Without the
 * thread, whatever happened to it, SQLite does the same later by itself.
 */
export const makeCheckpoints = (filename: string): Effect.Effect<() => void, never, Scope.Scope> => {
  let written = 0
  let thread: Worker | undefined
  let gone = filename === ":memory:"
  const lost = () => {
    gone = true
  }
  const started = () => {
    const worker = new Worker(work, { eval: true, workerData: filename })
    worker.on("error", lost)
    worker.unref()
    return worker
  }
  const told = () => {
    if (gone || ++written < writesBetween) return
    written = 0
    try {
      thread ??= started()
      thread.postMessage(null)
    } catch {
      lost()
    }
  }
  return Effect.as(
    Effect.addFinalizer(() => Effect.promise(async () => thread?.terminate())),
    told
  )
}
