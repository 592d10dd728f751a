import type { Problem } from "../../domain/InputError.ts"
import { numberText } from "../parseJson.ts"

/** The text of a JSON value: of a list its texts, one a line. Undefined for what has none, or why it is refused. */
export const textOf = (value: unknown): string | Problem | undefined => {
  if (value === null || value === undefined) return ""
  if (typeof value === "string") return value
  if (typeof value === "number") return numberText(value)
  if (typeof value === "boolean") return String(value)
  if (!Array.isArray(value)) return undefined
  const parts = value.map(textOf)
  const bad = parts.findIndex((part) => typeof part !== "string")
  return bad === -1 ? parts.join("\n") : parts[bad]
}

/** A field by its name, else by its path: `note.text`. */
export const fieldOf = (value: object, name: string): { readonly value: unknown } | undefined => {
  if (Object.hasOwn(value, name)) return { value: Reflect.get(value, name) }
  const dot = name.indexOf(".")
  const inner: unknown = dot === -1 ? undefined : fieldOf(value, name.slice(0, dot))?.value
  return typeof inner === "object" && inner !== null ? fieldOf(inner, name.slice(dot + 1)) : undefined
}
