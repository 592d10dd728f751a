import type { Change } from "../audit/Audit.ts"
import { bounds, none, signed } from "./scoreFormat.ts"

export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim()
export const quote = (text: string): string => `“${oneLine(text)}”`

/** The difference with its interval in one cell. */
export const changeCell = (change: Change, digits = 3): string =>
  change.difference === null ? none : `${signed(change.difference)} ${bounds(change, digits)}`

/** Candidates listed in a table for people; --json has all. */
export const shownCandidates = 12
