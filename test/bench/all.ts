/** Every benchmark, one after the other: `npm run bench`. Figures are printed, and judged by people. */
import { spawnSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"

const here = fileURLToPath(new URL(".", import.meta.url))
const benchmarks = readdirSync(here).filter(
  (name) => name.endsWith(".ts") && name !== "all.ts" && !name.endsWith("Task.ts")
)
let failed = 0
for (const name of benchmarks.sort()) {
  console.log(`\n# ${name}`)
  const { status } = spawnSync(process.execPath, [`${here}${name}`], { stdio: "inherit" })
  if (status !== 0) failed++
}
process.exitCode = failed === 0 ? 0 : 1
