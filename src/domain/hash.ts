import { createHash } from "node:crypto"

/** JSON with the keys of every object sorted, so that equal values have equal text. `undefined` fields are left out. */
export const canonicalJson = (value: unknown): string => {
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null"
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`)
  return `{${fields.join(",")}}`
}

/** SHA-256 of the text's UTF-8 bytes (or of the bytes), in hexadecimal. */
export const sha256 = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex")

/** SHA-256 of a value's canonical JSON, in hexadecimal. */
export const hashOf = (value: unknown): string => sha256(canonicalJson(value))
