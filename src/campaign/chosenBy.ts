/** Exports of runs and confirmed artefacts say so of themselves: `candidate … of run RUN, …`. */
const exported = /^candidate .+? of run ([^\s,]+)/

/** The run that a seed's provenance names as the one it comes from. */
export const runOfProvenance = (provenance: string | undefined): string | undefined =>
  provenance === undefined ? undefined : exported.exec(provenance)?.[1]
