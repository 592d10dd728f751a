import type { Importer } from "./Importer.ts"

/** The importers by the name they have on the command line. Each is loaded when it is asked for. */
export const importers = {
  "primock-pairs": async () => (await import("./primockPairs.ts")).primockPairs
} as const satisfies Record<string, () => Promise<Importer>>

export type ImporterName = keyof typeof importers

export const importerNames = Object.keys(importers) as [ImporterName, ...Array<ImporterName>]
