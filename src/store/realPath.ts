import { realpathSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"

/**
 * The absolute path without symbolic links, so that one file has one name. The part that is not there yet stays as it is
 * written.
 */
export const realPath = (file: string): string => {
  const absolute = resolve(file)
  try {
    return realpathSync.native(absolute)
  } catch {
    const above = dirname(absolute)
    return above === absolute ? absolute : join(realPath(above), basename(absolute))
  }
}
