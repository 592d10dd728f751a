import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A folder for what several test files share and one of them makes; gone after the last test. */
export const setup = () => {
  process.env["ASSIZE_FIXTURES"] = mkdtempSync(join(tmpdir(), "assize-fixtures-"))
}

export const teardown = () => {
  rmSync(process.env["ASSIZE_FIXTURES"]!, { recursive: true, force: true })
}
