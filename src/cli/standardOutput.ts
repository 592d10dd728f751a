import { plain } from "../domain/plain.ts"

/** The end of what was written to a stream: it has left the process, or the error that kept it from that. */
const written = (stream: NodeJS.WriteStream): Promise<Error | undefined> =>
  new Promise((resolve) => {
    if (stream.errored !== null || stream.destroyed) resolve(stream.errored ?? undefined)
    else stream.write("", (error) => resolve(error ?? undefined))
  })

const isClosedPipe = (error: Error): boolean => "code" in error && error.code === "EPIPE"

/**
 * Watches standard output for a process that ends by `end` only. A reader that has seen enough, such as `head`, is no
 * error; a full disk is one, with exit code 1. Either stops the command that is writing: in its own way, if `drain`
 * gives it one, else at once.
 */
export const standardOutput = (drain: () => (() => void) | undefined) => {
  let failed: Error | undefined
  const codeOf = (code: number): number => (failed === undefined || isClosedPipe(failed) ? code : 1)
  const fail = (error: Error): void => {
    if (failed !== undefined) return
    failed = error
    if (!isClosedPipe(error))
      process.stderr.write(`\nERROR\n  standard output cannot be written: ${plain(error.message)}\n`)
  }
  process.stdout.on("error", (error: Error) => {
    if (failed !== undefined) return
    fail(error)
    const stop = drain()
    if (stop !== undefined) stop()
    else process.exit(codeOf(0))
  })
  // Nobody is left to be told.
  process.stderr.on("error", () => {})

  /** Ends the process when all that it has written has gone out: to exit before cuts what a slow reader gets of a pipe. */
  const end = (code: number): void => {
    process.exitCode = code
    void Promise.all([written(process.stdout), written(process.stderr)]).then(([error]) => {
      if (error !== undefined) fail(error)
      process.exit(codeOf(code))
    })
  }
  return { end }
}
