import { fileURLToPath } from "node:url"

/** A file that the package ships, by its path in the repository. Bundled or not, this module lies two folders below the root. */
export const packaged = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))
