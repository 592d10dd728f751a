import { sha256 } from "../domain/hash.ts"
import { Finish, type Reply } from "../model/LanguageModel.ts"
import { fromColumns, toColumns, type UsageColumns } from "./usageColumns.ts"

/** An answer as it was bought. */
export interface StoredReply extends Reply {
  /** US dollars when it was bought; null where the price or the usage was unknown. */
  readonly cost: number | null
  readonly latencyMs: number
}

/** A row of the table of judgements, without its request. */
export interface JudgementRow extends UsageColumns {
  readonly text: string
  readonly finish: string
  readonly cost: number | null
  readonly latency_ms: number
  readonly served_model: string | null
  readonly sha256: string
}

/** Over what a caller reads as the answer, and the key, so that an answer put beside another request is found out. */
export const judgementChecksum = (key: string, reply: Reply): string =>
  sha256(JSON.stringify([key, reply.text, reply.finish, fromColumns(toColumns(reply.usage)), reply.servedModel]))

const finishes: ReadonlySet<string> = new Set(Finish.literals)
const isFinish = (text: string): text is Finish => finishes.has(text)

/** The answer, or undefined where the row is not as it was written. */
export const replyOfRow = (key: string, row: JudgementRow): StoredReply | undefined => {
  if (!isFinish(row.finish)) return undefined
  const reply: Reply = { text: row.text, finish: row.finish, usage: fromColumns(row), servedModel: row.served_model }
  return judgementChecksum(key, reply) === row.sha256
    ? { ...reply, cost: row.cost, latencyMs: row.latency_ms }
    : undefined
}
