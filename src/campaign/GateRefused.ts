import { userMessage } from "effect/cli/CliError"
import { errorExitCode } from "effect/Runtime"
import * as Schema from "effect/Schema"

/** A check said no: nothing is wrong with the input, and nothing was opened or written. Exit code 3. */
export class GateRefused extends Schema.TaggedError<GateRefused>()("GateRefused", { message: Schema.String }) {
  override readonly [errorExitCode] = 3
  override get [userMessage](): string {
    return this.message
  }
}
