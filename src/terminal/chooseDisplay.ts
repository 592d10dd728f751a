export type Display = "live" | "plain" | "none"

export interface DisplayFacts {
  readonly stdoutIsTty: boolean
  readonly stdinIsTty: boolean
  /** The variable CI. */
  readonly ci: string | undefined
  /** The variable TERM. */
  readonly term: string | undefined
  readonly flags: { readonly json?: boolean; readonly quiet?: boolean; readonly plain?: boolean }
}

/**
 * How a run is shown. Live only where a person can see and answer it; decided once, before Ink is loaded, since Ink fails
 * where there is no raw mode. `--quiet` shows nothing; `--json` keeps standard output for the result alone.
 */
export const chooseDisplay = ({ ci, flags, stdinIsTty, stdoutIsTty, term }: DisplayFacts): Display => {
  if (flags.quiet === true) return "none"
  if (flags.plain === true || flags.json === true || !stdoutIsTty || !stdinIsTty) return "plain"
  const inCi = ci !== undefined && ci !== "" && ci !== "0" && ci !== "false"
  // An empty TERM is a terminal that says nothing of itself; Windows consoles set none.
  return inCi || term === "dumb" ? "plain" : "live"
}

/** The facts of this process. */
export const displayFacts = (flags: DisplayFacts["flags"]): DisplayFacts => ({
  stdoutIsTty: process.stdout.isTTY === true,
  stdinIsTty: process.stdin.isTTY === true,
  ci: process.env["CI"],
  term: process.env["TERM"],
  flags
})
