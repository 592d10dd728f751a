interface SqliteFault {
  readonly errcode: number
  readonly message: string
}

/** Whether an error comes from SQLite itself. */
export const isFault = (cause: unknown): cause is SqliteFault =>
  cause instanceof Error && "errcode" in cause && typeof cause.errcode === "number"

/**
 * SQLite's primary result code: 5 busy, 8 read-only, 10 input or output, 11 corrupt, 13 full, 14 cannot open, 26 not a
 * database, …; undefined for other errors.
 */
export const sqliteCode = (cause: unknown): number | undefined => (isFault(cause) ? cause.errcode & 0xff : undefined)
