/** How long a stop takes to come about, or else does not come: a process that nobody could wake is not stopped. */
const settleMs = 200

/** Asks the terminal's foreground processes to stop, as the terminal does where Ctrl-Z is no key. */
export const suspend = (): void => {
  if (process.platform !== "win32") process.kill(0, "SIGTSTP")
}

/**
 * Gives the terminal back before this process is stopped, and takes it again when it goes on, whoever asked for the stop.
 * `giveBack` gives a way to take it again. The result ends that.
 */
export const onSuspend = (giveBack: () => Promise<{ readonly resume: () => Promise<void> }>): (() => void) => {
  let away = false
  const onStop = async (): Promise<void> => {
    if (away) return
    away = true
    const terminal = await giveBack()
    // Stopped by the signal's own doing, not by ours: so the shell sees what it is used to.
    process.off("SIGTSTP", onStop)
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, settleMs)
      process.once("SIGCONT", () => {
        clearTimeout(timer)
        resolve()
      })
      process.kill(process.pid, "SIGTSTP")
    })
    process.on("SIGTSTP", onStop)
    away = false
    await terminal.resume()
  }
  if (process.platform === "win32") return () => {}
  process.on("SIGTSTP", onStop)
  return () => void process.off("SIGTSTP", onStop)
}
