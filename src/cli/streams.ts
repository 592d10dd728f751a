/** Why standard output could not be written, once that has happened. */
let failed: NodeJS.ErrnoException | undefined

/**
 * To be called before anything is written. A reader of standard output that has seen enough, such as head, ends the
 * process without an error. What cannot be written to standard error is lost, and ends nothing.
 */
export const watchStreams = (): void => {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0)
    failed ??= error
  })
  process.stderr.on("error", () => undefined)
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: "no room is left where it goes",
  EIO: "input or output failed where it goes",
  EFBIG: "the file may not grow any more"
}

/** Waits until standard output is written, and hands over why it could not be, as a sentence; undefined where it could. */
export const whenWritten = (done: (problem: string | undefined) => void): void => {
  process.stdout.write("", (error) => {
    const why: NodeJS.ErrnoException | null | undefined = failed ?? error
    // Nobody reads any more: what was wanted has been read.
    if (why === null || why === undefined || why.code === "EPIPE") return done(undefined)
    const reason = reasons[why.code ?? ""] ?? why.message
    done(`standard output cannot be written: ${reason}. What was printed is not complete`)
  })
}
