import type { Importer } from "./Importer.ts"

/** The importers by the name they have on the command line. Each is loaded when it is asked for. */
export const importers = {
  "primock-pairs": async () => (await import("./primockPairs.ts")).primockPairs,
  "primock-clinician-pairs": async () => (await import("./primockClinicianPairs.ts")).primockClinicianPairs,
  "primock-results": async () => (await import("./primockResults.ts")).primockResults,
  omissionbench: async () => (await import("./omissionBench.ts")).omissionBench,
  "aci-bench": async () => (await import("./aciBench.ts")).aciBench,
  "mts-dialog": async () => (await import("./mtsDialog.ts")).mtsDialog,
  medec: async () => (await import("./medec.ts")).medec,
  mederrbench: async () => (await import("./medErrBench.ts")).medErrBench,
  medrect: async () => (await import("./medRect.ts")).medRect,
  medhallu: async () => (await import("./medHallu.ts")).medHallu,
  "healthbench-meta": async () => (await import("./healthBenchMeta.ts")).healthBenchMeta,
  squad2: async () => (await import("./squad.ts")).squad2,
  radqa: async () => (await import("./squad.ts")).radqa,
  csv: async () => (await import("./generic.ts")).genericCsv,
  jsonl: async () => (await import("./generic.ts")).genericJsonl
} as const satisfies Record<string, () => Promise<Importer>>

export type ImporterName = keyof typeof importers

export const importerNames = Object.keys(importers) as [ImporterName, ...Array<ImporterName>]
