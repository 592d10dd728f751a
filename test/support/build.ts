import { execFileSync } from "node:child_process"
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** When a file, or anything in a folder, was last changed; a folder itself changes when something is taken out of it. */
const changed = (path: string): number => {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  return readdirSync(path).reduce((latest, name) => Math.max(latest, changed(join(path, name))), stats.mtimeMs)
}

/** What the build reads. */
const sources = ["src", "scripts", "package.json", "package-lock.json", "tsconfig.json", "tsconfig.build.json"]

/** End-to-end tests drive the built command line, so it is built before all tests, unless it is as new as its sources. */
export const setup = () => {
  const built = statSync(join(root, "dist/bundle/bin.js"), { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (sources.every((source) => changed(join(root, source)) < built)) return
  execFileSync("npm", ["run", "--silent", "build"], { cwd: root, stdio: "inherit" })
}
