import type { Usage } from "../model/LanguageModel.ts"

/** A usage as columns: all null where there is none. */
export interface UsageColumns {
  readonly input: number | null
  readonly cached_input: number | null
  readonly output: number | null
  readonly reasoning: number | null
  /** Null where the server counts none; left out of a store of an earlier version. */
  readonly cache_write?: number | null
  /** 1 for an estimate, else null; left out of a store of an earlier version. */
  readonly estimated?: number | null
}

const none: Required<UsageColumns> = {
  input: null,
  cached_input: null,
  output: null,
  reasoning: null,
  cache_write: null,
  estimated: null
}

export const toColumns = (usage: Usage | null): Required<UsageColumns> =>
  usage === null
    ? none
    : {
        input: usage.input,
        cached_input: usage.cachedInput,
        output: usage.output,
        reasoning: usage.reasoning,
        cache_write: usage.cacheWrite ?? null,
        estimated: usage.estimated === true ? 1 : null
      }

/** With its fields in one order, whatever order they came in: a checksum is made over its JSON. */
export const fromColumns = ({
  input,
  cached_input,
  output,
  reasoning,
  cache_write,
  estimated
}: UsageColumns): Usage | null =>
  input === null || cached_input === null || output === null || reasoning === null
    ? null
    : {
        input,
        cachedInput: cached_input,
        output,
        reasoning,
        ...(cache_write === null || cache_write === undefined ? {} : { cacheWrite: cache_write }),
        ...(estimated === 1 ? { estimated: true } : {})
      }
