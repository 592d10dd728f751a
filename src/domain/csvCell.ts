import { plain } from "./plain.ts"

/**
 * A text as a cell of CSV: quoted where it must be, without control characters, which whoever prints the file to a
 * terminal would set loose.
 */
export const csvCell = (text: string): string => {
  const safe = plain(text)
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
