import { readFileSync } from "node:fs"

/** The instruction of a seed that is shipped. */
export const seed = (name: string): string =>
  readFileSync(new URL(`../../../seeds/${name}.md`, import.meta.url), "utf8")
    .replace(/^---\n[\s\S]*?\n---\n/, "")
    .trim()
