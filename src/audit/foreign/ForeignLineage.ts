import type { Problem } from "../../domain/InputError.ts"
import type { NotKnown, RejectedProposal } from "../Audit.ts"
import type { AuditCandidate } from "../AuditInput.ts"

/** What can be read of another tool's search. */
export interface ForeignLineage {
  readonly candidates: ReadonlyArray<AuditCandidate>
  readonly rejected: ReadonlyArray<RejectedProposal>
  /** What the source does not say. */
  readonly notKnown: ReadonlyArray<NotKnown>
  readonly warnings: ReadonlyArray<Problem>
}

/** A source that cannot be read; `problems` without their file. */
export interface NotReadable {
  readonly problems: ReadonlyArray<Problem>
}

export const isReadable = (read: ForeignLineage | NotReadable): read is ForeignLineage => "candidates" in read

export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** An id as text; undefined for what is none. */
export const idText = (value: unknown): string | undefined =>
  typeof value === "string" && value !== ""
    ? value
    : typeof value === "number" && Number.isFinite(value)
      ? String(value)
      : undefined

/** The numbers of an object, those of inner objects by `outer.inner`, two levels deep. */
export const numbersOf = (value: unknown, prefix = ""): Readonly<Record<string, number>> => {
  if (!isObject(value)) return {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]): ReadonlyArray<readonly [string, number]> => {
      const full = `${prefix}${name}`
      if (typeof inner === "number" && Number.isFinite(inner)) return [[full, inner]]
      return prefix.split(".").length > 2 ? [] : Object.entries(numbersOf(inner, `${full}.`))
    })
  )
}

/** Where an object has numbers that are none, such as 1e999: paths two levels deep, as `numbersOf` names them. */
export const endlessOf = (value: unknown, prefix: string): ReadonlyArray<string> => {
  const entries = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : []
  return entries.flatMap(([name, inner]) => {
    const full = `${prefix}.${name}`
    if (typeof inner === "number") return Number.isFinite(inner) ? [] : [full]
    return prefix.includes(".") ? [] : endlessOf(inner, full)
  })
}
