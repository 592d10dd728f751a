import { canonicalJson } from "./hash.ts"

/** A field in which two documents differ; `undefined` where one does not have it. */
export interface Difference {
  /** As `models.judge.model`. */
  readonly field: string
  readonly before: unknown
  readonly now: unknown
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The innermost fields in which two JSON documents differ, in the order of the first; lists are compared whole. */
export const differences = (before: unknown, now: unknown, field = ""): ReadonlyArray<Difference> => {
  if (canonicalJson(before) === canonicalJson(now)) return []
  if (!isRecord(before) || !isRecord(now)) return [{ field, before, now }]
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((name) =>
    differences(before[name], now[name], field === "" ? name : `${field}.${name}`)
  )
}
