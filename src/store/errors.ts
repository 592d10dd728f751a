import { userMessage } from "effect/cli/CliError"
import { errorExitCode } from "effect/Runtime"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"

/** The store failed in the middle of its work: the disk is full, another process held it for too long, … */
export class StoreError extends Schema.TaggedError<StoreError>()("StoreError", {
  /** What was being done, as `append event 12 of run quickstart-1`. */
  doing: Schema.String,
  cause: Schema.Defect()
}) {
  override readonly [errorExitCode] = 1
  override get message(): string {
    const why = this.cause instanceof Error ? this.cause.message : String(this.cause)
    return `the store failed to ${this.doing}: ${why}. Nothing that was stored is lost; put it right and run the same command again`
  }
  override get [userMessage](): string {
    return this.message
  }
}

/** What is stored is not what was written. Never passed on as an event or as an answer. */
export class CorruptStore extends Schema.TaggedError<CorruptStore>()("CorruptStore", {
  /** The damaged row, as `event 12 of run quickstart-1` or `judgement 3fa2…`. */
  row: Schema.String,
  what: Schema.String
}) {
  override readonly [errorExitCode] = 1
  override get message(): string {
    return `the store is damaged: ${this.row} ${this.what}. Restore the file from a copy, or name another store with --store`
  }
  override get [userMessage](): string {
    return this.message
  }
}

/** Somebody else has written the run's next event: two processes are writing one run. */
export class SequenceTaken extends Schema.TaggedError<SequenceTaken>()("SequenceTaken", {
  run: Schema.String,
  sequence: Schema.Int
}) {
  override readonly [errorExitCode] = 1
  override get message(): string {
    return `event ${this.sequence} of run ${this.run} has been written already: another process is writing the same run. Stop one of the two and run the same command again`
  }
  override get [userMessage](): string {
    return this.message
  }
}

export const storeError =
  (doing: string) =>
  (error: SqlError): StoreError =>
    new StoreError({ doing, cause: error.reason.cause })
