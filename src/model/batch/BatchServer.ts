import type * as Effect from "effect/Effect"
import type { ModelError, ModelRequest, Reply } from "../LanguageModel.ts"

/** A batch as its server tells of it. */
export interface BatchState {
  readonly id: string
  /** In the server's word, fit to be shown. */
  readonly status: string
  /** Undefined while it is worked on. */
  readonly ending: "completed" | "failed" | "expired" | "cancelled" | undefined
  /** Requests that are answered or have failed by now. */
  readonly done: number
  readonly inputFile: string | null
  readonly outputFile: string | null
  readonly errorFile: string | null
  /** Why the server would not begin it, in its own words, fit to be shown. */
  readonly errors: ReadonlyArray<{ readonly code: string; readonly message: string }>
}

/** One line of a batch's results: whose it is, and what it says. */
export interface ResultLine {
  /** As it was given with the request; anything at all from a server that makes it up. */
  readonly key: string
  readonly result:
    | { readonly _tag: "reply"; readonly reply: Reply }
    | { readonly _tag: "failed"; readonly error: ModelError }
    /** The batch ended before it was its turn. */
    | { readonly _tag: "unprocessed" }
}

/** What is written beside a batch, to know it again by. */
export interface BatchMark {
  /** Unique; 512 characters at most, as all values. */
  readonly id: string
  readonly run: string
  /** Hash of the keys of its requests. */
  readonly requests: string
}

/** A server's batch API for one model: one attempt each, nothing repeated, nothing kept. */
export interface BatchServer {
  /** How messages name it. */
  readonly name: string
  /** The request as a line of a batch, without the line's end. */
  readonly line: (request: ModelRequest, key: string) => string
  /** Gives the file's id. */
  readonly upload: (name: string, lines: ReadonlyArray<Buffer>) => Effect.Effect<string, ModelError>
  readonly submit: (file: string, mark: BatchMark) => Effect.Effect<BatchState, ModelError>
  /** The batch with this mark, if the server has it. `sinceMs` is a time before which it cannot have been made. */
  readonly find: (id: string, sinceMs: number) => Effect.Effect<BatchState | undefined, ModelError>
  /** Undefined for a batch that the server does not have. */
  readonly get: (id: string) => Effect.Effect<BatchState | undefined, ModelError>
  /** Undefined for a file that the server does not have. */
  readonly download: (file: string) => Effect.Effect<Buffer | undefined, ModelError>
  /** Tries to; whether the file is gone does not matter. */
  readonly remove: (file: string) => Effect.Effect<void>
  /** Undefined for a line that is none. */
  readonly read: (line: string) => Effect.Effect<ResultLine | undefined>
}

/** Requests by their place, made when they are asked for: many long prompts are not to lie in memory together. */
export interface RequestList {
  readonly length: number
  readonly get: (index: number) => ModelRequest
}

/** How far batches are, for people who wait. */
export interface BatchProgress {
  readonly done: number
  readonly total: number
  /** Batches under way. */
  readonly batches: number
  /** In the server's word, of one of them. */
  readonly status: string
}
