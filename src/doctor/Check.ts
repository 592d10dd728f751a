/** `note` is worth knowing, `warning` may surprise later, `no` keeps the work from being done. */
export type Level = "ok" | "note" | "warning" | "no"

/** One thing that was looked at, as a sentence fit for a terminal once it is `plain`. */
export interface Check {
  readonly level: Level
  readonly what: string
  /** What to do about it. */
  readonly hint?: string
}

/** Checks of one kind: of the machine, of the store, of one model. */
export interface Section {
  readonly name: string
  readonly checks: ReadonlyArray<Check>
  /** The same for programs, where there is more than sentences say. */
  readonly facts?: Readonly<Record<string, unknown>>
}

export const ok = (what: string): Check => ({ level: "ok", what })
export const note = (what: string, hint?: string): Check => ({
  level: "note",
  what,
  ...(hint === undefined ? {} : { hint })
})
export const warning = (what: string, hint: string): Check => ({ level: "warning", what, hint })
export const no = (what: string, hint: string): Check => ({ level: "no", what, hint })
