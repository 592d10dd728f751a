import { existsSync, mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { sqliteCode } from "./sqliteCode.ts"

const busy = 5
const waitMs = 200

/** Locks are held from here: a connection that nothing refers to is closed by the garbage collector, and its lock goes. */
const held = new Set<DatabaseSync>()

const begin = (file: string, statements: string, readOnly: boolean, timeout = waitMs): DatabaseSync | undefined => {
  const database = new DatabaseSync(file, { timeout, readOnly })
  try {
    database.exec(statements)
    return database
  } catch (cause) {
    database.close()
    if (sqliteCode(cause) === busy) return undefined
    throw cause
  }
}

const read = "BEGIN; SELECT count(*) FROM sqlite_schema"

/**
 * Takes the lock that a small SQLite file stands for, made with its folder where it does not exist: one holder alone, or
 * any number that share it. Undefined while others stand in the way. The kernel drops a lock when its process ends,
 * however it ends. Throws what SQLite or the file system says.
 */
export const take = (file: string, how: "alone" | "shared"): DatabaseSync | undefined => {
  mkdirSync(dirname(file), { recursive: true })
  // Without a journal file, a killed process leaves nothing to be rolled back.
  const start = `PRAGMA journal_mode = MEMORY; ${how === "alone" ? "BEGIN EXCLUSIVE" : read}`
  const database = begin(file, start, false)
  if (database !== undefined) held.add(database)
  return database
}

export const release = (database: DatabaseSync): void => {
  database.close()
  held.delete(database)
}

/**
 * Whether somebody holds the lock alone. Looks for an instant as one who shares it, which keeps nobody from taking it.
 * Waits for the lock before it says so, unless whoever asks does so again and again and has better things to do.
 */
export const isHeldAlone = (file: string, timeout = waitMs): boolean => {
  if (!existsSync(file)) return false
  const database = begin(file, read, true, timeout)
  database?.close()
  return database === undefined
}
