import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { OpenAiModel } from "../domain/Campaign.ts"
import { readApiKey } from "./apiKey.ts"

type OpenAi = typeof OpenAiModel.Type

const reference = /\$(\$|[A-Za-z_][A-Za-z0-9_]*)/g

/** The environment variables that a header's value names; `$$` is a dollar sign. */
const variablesOf = (value: string): ReadonlyArray<string> =>
  [...value.matchAll(reference)].flatMap(([, name]) => (name === "$" ? [] : [name!]))

const fill = (value: string, values: ReadonlyMap<string, string>): string =>
  value.replace(reference, (_, name: string) => (name === "$" ? "$" : (values.get(name) ?? "")))

const namesSecret = /auth|key|token|secret|cookie|password|credential/i

/** Headers with their variables filled in, and which of the texts in them nobody may see. */
export interface FilledHeaders {
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, Redacted.Redacted>>
  readonly secrets: ReadonlyArray<Redacted.Redacted>
  /** Variables that are not set, or hold what no header can carry, each with the header that names it. */
  readonly missing: ReadonlyArray<{ readonly header: string; readonly variable: string }>
}

const sendable = (text: string) => /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(text)

/** Reads the environment variables that a model's headers name. */
export const fillHeaders = Effect.fnUntraced(function* (model: OpenAi): Effect.fn.Return<FilledHeaders> {
  const headers: Record<string, Redacted.Redacted> = {}
  const secrets: Array<Redacted.Redacted> = []
  const missing: Array<{ readonly header: string; readonly variable: string }> = []
  for (const [header, value] of Object.entries(model.headers ?? {})) {
    const values = new Map<string, string>()
    for (const variable of variablesOf(value)) {
      const read = yield* readApiKey(variable)
      if (read === undefined || !sendable(Redacted.value(read))) missing.push({ header, variable })
      else {
        values.set(variable, Redacted.value(read))
        secrets.push(read)
      }
    }
    const filled = Redacted.make(fill(value, values))
    if (namesSecret.test(header)) secrets.push(filled)
    headers[header.toLowerCase()] = filled
  }
  return { headers, secrets, missing }
})
