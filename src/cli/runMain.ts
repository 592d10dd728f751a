import * as Cause from "effect/Cause"
import * as CliError from "effect/cli/CliError"
import type * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Runtime from "effect/Runtime"
import { plain } from "../domain/plain.ts"
import { tellNow } from "./output.ts"
import type { Signals } from "./signals.ts"
import { standardOutput } from "./standardOutput.ts"

/** 2 for what the user gave and cannot be used, which includes the command line itself. */
const usageExitCode = 2

const isUsageError = (error: unknown): boolean =>
  typeof error === "object" &&
  error !== null &&
  "_tag" in error &&
  error._tag === "ShowHelp" &&
  "errors" in error &&
  Array.isArray(error.errors) &&
  error.errors.length > 0

/** The exit code of a process that ends so. */
export const exitCodeOf = (exit: Exit.Exit<unknown, unknown>): number => {
  if (exit._tag === "Success") return Number(process.exitCode ?? 0)
  if (Cause.hasInterruptsOnly(exit.cause)) return 130
  const error = Cause.squash(exit.cause)
  return isUsageError(error) ? usageExitCode : Runtime.getErrorExitCode(error)
}

/** Says on standard error what went wrong, if no command has said it. */
export const report = (exit: Exit.Exit<unknown, unknown>): void => {
  if (exit._tag === "Success" || Cause.hasInterruptsOnly(exit.cause)) return
  const error = Cause.squash(exit.cause)
  if (!Runtime.getErrorReported(error)) return
  const message = typeof error === "object" && error !== null ? CliError.getUserMessage(error) : undefined
  tellNow(`\nERROR\n  ${plain(message ?? `unexpected: ${Cause.pretty(exit.cause)}`)}`)
}

/** What a command says that was told to wait no longer for its calls. */
const tellCut = (): void =>
  tellNow("ended at once: calls under way are lost; what was answered is kept, and the same command goes on from there")

/**
 * Runs the program as this process. The first SIGINT, SIGTERM or SIGHUP lets the command end in its own way, if it has
 * one; otherwise, and at the second, it is interrupted; the third ends the process where it stands.
 */
export const runMain = (program: Effect.Effect<void, unknown>, signals: Signals): void => {
  let drained = false
  const takeDrain = () => {
    const drain = signals.drain
    signals.drain = undefined
    if (drain !== undefined) drained = true
    return drain
  }
  const { end } = standardOutput(takeDrain)
  Runtime.makeRunMain(({ fiber, teardown }) => {
    let received = 0
    const onSignal = () => {
      received++
      const drain = takeDrain()
      if (drain !== undefined) drain()
      else if (received > 2) {
        if (drained) tellCut()
        process.exit(130)
      }
      // A view that draws must have gone before anything is said, so this is said at the end.
      else fiber.interruptUnsafe(fiber.id)
    }
    const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const
    const listen = () => {
      for (const name of names) process.on(name, onSignal)
    }
    const ignore = () => {
      for (const name of names) process.removeListener(name, onSignal)
    }
    listen()
    // Without a listener of its own, the process is the system's to end, however busy it is.
    signals.atTheirDefault = (work) => {
      if (signals.drain !== undefined) return work()
      ignore()
      try {
        return work()
      } finally {
        listen()
      }
    }
    fiber.addObserver((exit) => {
      ignore()
      teardown(exit, end)
    })
    // What no command has said by now is said here, on standard error, since standard output may be somebody's JSON.
  })(program, {
    disableErrorReporting: true,
    teardown: (exit, onExit) => {
      report(exit)
      if (drained && exit._tag === "Failure" && Cause.hasInterruptsOnly(exit.cause)) tellCut()
      onExit(exitCodeOf(exit))
    }
  })
}
