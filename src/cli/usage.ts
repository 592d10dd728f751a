import * as Console from "effect/Console"
import * as CliOutput from "effect/cli/CliOutput"
import * as Effect from "effect/Effect"
import { usageOf } from "./help.ts"

/**
 * A command line that cannot be used is answered in a few lines, on standard error: what is wrong with it, how the
 * command is used, and where the rest stands. Help that was asked for goes to standard output, as ever.
 */
export const usageLayer = CliOutput.layerPresenter({
  present: (event) =>
    event._tag === "InvalidInvocation"
      ? Effect.gen(function* () {
          const formatter = yield* CliOutput.Formatter
          yield* Console.error(
            `${formatter.formatErrors(event.errors)}\n\n  Usage: ${usageOf(event.helpDoc)}\n  More: ${event.commandPath.join(" ")} --help`
          )
        })
      : CliOutput.defaultPresenter.present(event)
})
