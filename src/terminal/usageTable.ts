import { count } from "../domain/count.ts"
import type { CallOutcome } from "../model/outcome.ts"
import type { RoleUsage } from "../store/roleUsage.ts"
import { approximately, integer, percent, spent } from "./format.ts"

/** Outcomes that are no answer to be read, as people call them after a number. */
const words: Readonly<Record<Exclude<CallOutcome, "ok">, string>> = {
  empty: "empty",
  refusal: "refused",
  "content-filter": "stopped by a content filter",
  truncated: "cut off by length",
  "tool-calls": "tool calls only",
  "context-too-long": "context too long",
  "malformed-response": "malformed",
  "wrong-content-type": "of a wrong content type",
  timeout: "timed out",
  "rate-limited": "rate-limited",
  "server-error": "server errors",
  "connection-lost": "connections lost",
  unreachable: "found no server",
  "bad-request": "requests refused",
  unauthorised: "key refused",
  "no-credit": "no credit",
  "unknown-model": "unknown model",
  "no-key": "no key"
}

const shareOf = (part: number, whole: number): string => (whole === 0 ? "–" : percent(part / whole))

/** What each role has used, the headings first. */
export const usageRows = (roles: ReadonlyArray<RoleUsage>): ReadonlyArray<ReadonlyArray<string>> => [
  ["role", "answered", "sent", "failed", "tokens in", "cached", "tokens out", "reasoning", "cost"],
  ...roles.map((role) => {
    const { answered, estimated, failed, reported, sent } = role
    return [
      role.role,
      integer(answered),
      integer(sent),
      integer(failed),
      approximately(estimated.calls > 0, integer(reported.input + estimated.input)),
      shareOf(reported.cachedInput, reported.input),
      approximately(estimated.calls > 0, integer(reported.output + estimated.output)),
      shareOf(reported.reasoning, reported.output),
      answered === 0 ? "–" : spent(role)
    ]
  })
]

/** What a table of usage does not say by itself. */
export const usageRemarks = (roles: ReadonlyArray<RoleUsage>): ReadonlyArray<string> => {
  const outcomes = roles.flatMap(({ outcomes, role }) => {
    const parts = Object.entries(words).flatMap(([outcome, word]) => {
      const n = outcomes[outcome as CallOutcome] ?? 0
      return n === 0 ? [] : [`${integer(n)} ${word}`]
    })
    return parts.length === 0 ? [] : [`${role} ${parts.join(", ")}`]
  })
  const estimated = roles.reduce((sum, role) => sum + role.estimated.calls, 0)
  return [
    ...(outcomes.length === 0 ? [] : [`Calls without an answer to read: ${outcomes.join("; ")}.`]),
    ...(estimated === 0
      ? []
      : [
          `≈ is an estimate: the server reported no usage for ${count(estimated, "call", "calls", integer)}, whose tokens were counted instead.`
        ])
  ]
}
