import type { ModelError, ModelFailure, Reply } from "./LanguageModel.ts"

/** What became of a call that the server answered. Only `ok` is an answer that may be read as one. */
export const replyOutcomes = ["ok", "empty", "refusal", "content-filter", "truncated", "tool-calls"] as const
export type ReplyOutcome = (typeof replyOutcomes)[number]

/** What became of a call that has been settled. */
export type CallOutcome = ReplyOutcome | ModelFailure | "connection-lost"

const answered: ReadonlySet<string> = new Set(replyOutcomes)

/** The outcomes of calls that were answered, as a list for SQL. */
export const answeredSql = replyOutcomes.map((outcome) => `'${outcome}'`).join(", ")

export const isAnswered = (outcome: string): outcome is ReplyOutcome => answered.has(outcome)

const neverSent: ReadonlySet<string> = new Set<CallOutcome>(["no-key", "unreachable"])

/** Whether a request went out: not without a key, and not where no connection came about. */
export const isSent = (outcome: string): boolean => !neverSent.has(outcome)

/** The outcomes of `isSent` that are not, as a list for SQL. */
export const unsentSql = [...neverSent].map((outcome) => `'${outcome}'`).join(", ")

export const replyOutcome = ({ finish, text }: Pick<Reply, "finish" | "text">): ReplyOutcome => {
  switch (finish) {
    case "empty":
    case "refusal":
    case "content-filter":
    case "tool-calls":
      return finish
    case "length":
      return "truncated"
    default:
      return text.trim() === "" ? "empty" : "ok"
  }
}

/** The failure's kind, but that a connection which broke off is told from one that never came about. */
export const failureOutcome = ({ kind, unsent }: Pick<ModelError, "kind" | "unsent">): CallOutcome => {
  if (kind === "no-key") return kind
  if (unsent === true) return "unreachable"
  return kind === "unreachable" && unsent === false ? "connection-lost" : kind
}
