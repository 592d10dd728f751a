import { userMessage } from "effect/cli/CliError"
import { errorExitCode } from "effect/Runtime"
import * as Schema from "effect/Schema"

/** A check said no: nothing is wrong with the input, and no holdout was opened. Exit code 3. */
export class GateRefused extends Schema.TaggedError<GateRefused>()("GateRefused", {
  message: Schema.String,
  run: Schema.String,
  /** Which check it was. */
  decision: Schema.Literals(["gate not met", "opened before", "vetoed", "nothing to confirm"]),
  /** Those of the acceptance part, as in a read-out, where they were looked at. */
  gates: Schema.optionalKey(Schema.Array(Schema.Unknown)),
  /** What of the holdout was no news, as in a read-out, where that is why. */
  seen: Schema.optionalKey(Schema.Array(Schema.Unknown))
}) {
  override readonly [errorExitCode] = 3
  override get [userMessage](): string {
    return this.message
  }
  /** The refusal as `--json` gives it. */
  get found() {
    const { decision, gates, message, run, seen } = this
    return {
      run,
      decision,
      opened: false,
      reason: message,
      ...(gates === undefined ? {} : { gates }),
      ...(seen === undefined ? {} : { seen })
    }
  }
}
