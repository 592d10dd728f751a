import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { version } from "../version.ts"
import { assize } from "./commands.ts"
import { helpLayer } from "./help.ts"
import { runMain } from "./runMain.ts"
import { Signals } from "./signals.ts"
import { usageLayer } from "./usage.ts"
import { wrappedConsole } from "./wrappedConsole.ts"

/** What these words ask for. */
export const program = (args: ReadonlyArray<string>, signals: Signals) =>
  wrappedConsole(
    Command.runWith(assize, { version })(args).pipe(
      Effect.provideService(Signals, signals),
      // Nobody reads the spans of a command line, and each call of a model would make a dozen.
      Effect.withTracerEnabled(false),
      Effect.provide(
        Layer.mergeAll(NodeServices.layer, helpLayer, usageLayer).pipe(
          Layer.provideMerge(Layer.succeed(Logger.LogToStderr, true))
        )
      )
    )
  )

/** Runs the command line of this process as this process. */
export const main = (): void => {
  const signals: Signals = { drain: undefined }
  runMain(program(process.argv.slice(2), signals), signals)
}
