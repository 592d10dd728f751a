import { execFileSync } from "node:child_process"

/** End-to-end tests drive the built command line, so it is built once before all tests. */
export const setup = () => {
  execFileSync("npm", ["run", "--silent", "build"], { stdio: "inherit" })
}
