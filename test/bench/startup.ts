/** How long the built command line takes to print its help: the median of nine starts, after one that fills the caches. */
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const bin = fileURLToPath(new URL("../../dist/bundle/bin.js", import.meta.url))
const once = () => {
  const start = performance.now()
  const { status } = spawnSync(process.execPath, [bin, "--help"], { stdio: "ignore" })
  if (status !== 0) throw new Error(`assize --help ended with ${status}; build first: npm run build`)
  return performance.now() - start
}
once()
const times = Array.from({ length: 9 }, once).sort((a, b) => a - b)
console.log(`assize --help: median ${times[4]!.toFixed(0)} ms, slowest ${times.at(-1)!.toFixed(0)} ms (limit 200 ms)`)
