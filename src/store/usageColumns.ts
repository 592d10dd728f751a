import type { Usage } from "../model/LanguageModel.ts"

/** A usage as columns: all null where the server reported none. */
export interface UsageColumns {
  readonly input: number | null
  readonly cached_input: number | null
  readonly output: number | null
  readonly reasoning: number | null
}

const none: UsageColumns = { input: null, cached_input: null, output: null, reasoning: null }

export const toColumns = (usage: Usage | null): UsageColumns =>
  usage === null
    ? none
    : { input: usage.input, cached_input: usage.cachedInput, output: usage.output, reasoning: usage.reasoning }

export const fromColumns = ({ input, cached_input, output, reasoning }: UsageColumns): Usage | null =>
  input === null || cached_input === null || output === null || reasoning === null
    ? null
    : { input, cachedInput: cached_input, output, reasoning }
