import { userMessage } from "effect/cli/CliError"
import { errorExitCode } from "effect/Runtime"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import { sqliteCode } from "./sqliteCode.ts"

/** By SQLite's primary result code, what to do before the same command is run again. */
const failureAdvice: ReadonlyMap<number, string> = new Map([
  [5, "Another process keeps the store locked: wait for it"],
  [8, "Allow writing to the store's file and folder"],
  [10, "Look at the disk and at how the folder is mounted"],
  [11, "The file is damaged: see what is with assize store verify"],
  [13, "The disk is full: make room"]
])

/** The store failed in the middle of its work: the disk is full, another process held it for too long, … */
export class StoreError extends Schema.TaggedError<StoreError>()("StoreError", {
  /** What was being done, as `append event 12 of run quickstart-1`. */
  doing: Schema.String,
  cause: Schema.Defect()
}) {
  override readonly [errorExitCode] = 1
  override get message(): string {
    const why = this.cause instanceof Error ? this.cause.message : (JSON.stringify(this.cause) ?? "no reason is known")
    const code = sqliteCode(this.cause)
    const advice = (code === undefined ? undefined : failureAdvice.get(code)) ?? "Put it right"
    return `the store failed to ${this.doing}: ${why}. Nothing that was stored is lost. ${advice} and run the same command again`
  }
  override get [userMessage](): string {
    return this.message
  }
}

/** What helps against damage of each kind. */
const remedies = {
  judgement:
    "See what else is damaged with assize store verify, then remove damaged answers with assize store prune --corrupt: they are bought anew when they are needed",
  run: "See what else is damaged with assize store verify; then restore the file from a copy, or start the campaign again with assize run --new, which buys no stored answer twice"
}

/** What is stored is not what was written. Never passed on as an event or as an answer. */
export class CorruptStore extends Schema.TaggedError<CorruptStore>()("CorruptStore", {
  /** The damaged row, as `event 12 of run quickstart-1` or `judgement 3fa2…`. */
  row: Schema.String,
  what: Schema.String,
  /** Whether an answer is damaged, which can be bought again, or a run's log, which cannot. */
  kind: Schema.Literals(["judgement", "run"])
}) {
  override readonly [errorExitCode] = 1
  override get message(): string {
    return `the store is damaged: ${this.row} ${this.what}. ${remedies[this.kind]}`
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
