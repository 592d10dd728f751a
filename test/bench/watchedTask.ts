import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const bin = fileURLToPath(new URL("../../dist/bundle/bin.js", import.meta.url))

/** In kB; 0 of a process that has ended. */
const highWater = (pid: number): number => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** Runs the built command line, its output thrown away: its exit code, resident memory at most (MB) and seconds. */
export const watched = async (
  args: ReadonlyArray<string>,
  quiet = false
): Promise<{ readonly code: number | null; readonly peak: number; readonly seconds: number }> => {
  const started = performance.now()
  const child = spawn(process.execPath, [bin, ...args], { stdio: ["ignore", "ignore", quiet ? "ignore" : "inherit"] })
  let peak = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, highWater(child.pid!))
  }, 50)
  const [code] = (await once(child, "exit")) as [number | null]
  clearInterval(timer)
  return { code, peak: (peak * 1024) / 1e6, seconds: (performance.now() - started) / 1000 }
}
