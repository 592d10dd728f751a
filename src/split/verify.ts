import { partCounts } from "../dataset/counts.ts"
import { count } from "../domain/count.ts"
import type { Consultation } from "../domain/Dataset.ts"
import { canonicalJson } from "../domain/hash.ts"
import { type Problem, showValue } from "../domain/InputError.ts"
import { type PartName, partNames, type SplitManifest } from "../domain/Split.ts"
import { manifestHash } from "./create.ts"
import { pairId } from "./exclusions.ts"
import { type Outline, outlineOf, outlinesWithoutPairs } from "./outline.ts"

const shown = 5

const list = (ids: ReadonlyArray<string>): string =>
  ids
    .slice(0, shown)
    .map((id) => showValue(id, 60))
    .join(", ") + (ids.length > shown ? ` and ${ids.length - shown} more` : "")

const again = "Create the split again, under a new name if anything has been confirmed on this one"

/** What is wrong with a manifest on its own: that it was changed after sealing, or names an id in two places. */
export const manifestProblems = (manifest: SplitManifest): ReadonlyArray<Problem> => {
  const problems: Array<Problem> = []
  const hash = manifestHash(manifest)
  if (hash !== manifest.hash) {
    problems.push({
      field: "hash",
      what: "the split manifest was changed after it was sealed: its own hash does not match",
      found: manifest.hash.slice(0, 12),
      expected: hash.slice(0, 12),
      hint: "Restore the file, or create the split again"
    })
  }
  const places = new Map<string, Array<string>>()
  for (const part of partNames) for (const id of manifest[part]) places.set(id, [...(places.get(id) ?? []), part])
  for (const id of manifest.exclusions.consultations) places.set(id, [...(places.get(id) ?? []), "exclusions"])
  for (const [id, names] of places) {
    if (names.length > 1) {
      problems.push({
        what: `the split overlaps: consultation ${showValue(id)} is in ${names.join(" and ")}`,
        expected: "each consultation in one place"
      })
    }
  }
  return problems
}

const changes = (
  manifest: SplitManifest,
  dataset: { readonly sha256: string },
  byId: ReadonlyMap<string, Outline>
): ReadonlyArray<Problem> => {
  const parts = partNames.flatMap((part) => manifest[part])
  const unsealed = parts.filter((id) => !Object.hasOwn(manifest.content, id))
  const differing = parts.filter((id) => {
    const consultation = byId.get(id)
    return (
      consultation !== undefined && Object.hasOwn(manifest.content, id) && manifest.content[id] !== consultation.content
    )
  })
  const problems: Array<Problem> = []
  if (unsealed.length > 0) problems.push({ field: "content", what: `no content hash for ${list(unsealed)}` })
  const bytes = dataset.sha256 !== manifest.dataset.sha256
  const since = "the dataset changed since the split was sealed"
  if (differing.length > 0) {
    problems.push({
      field: "dataset",
      what: `${since}: ${bytes ? "bytes differ; " : ""}contents of ${differing.length === 1 ? "consultation" : "consultations"} ${list(differing)} differ`,
      hint: `Restore the dataset. Or: ${again.toLowerCase()}`
    })
  } else if (bytes && parts.every((id) => byId.has(id))) {
    problems.push({
      field: "dataset",
      what: `${since}: its bytes differ; the contents of the split's consultations are the same`,
      found: `sha256 ${dataset.sha256.slice(0, 12)}`,
      expected: `sha256 ${manifest.dataset.sha256.slice(0, 12)}`,
      hint: "Restore the file, or create the split again: the same seed gives the same parts"
    })
  }
  return problems
}

const coverage = (
  manifest: SplitManifest,
  consultations: ReadonlyArray<Outline>,
  byId: ReadonlyMap<string, Outline>
): ReadonlyArray<Problem> => {
  const problems: Array<Problem> = []
  for (const part of [...partNames, "exclusions"] as const) {
    const ids = part === "exclusions" ? manifest.exclusions.consultations : manifest[part]
    const gone = ids.filter((id) => !byId.has(id))
    if (gone.length > 0)
      problems.push({
        field: part,
        what: `names consultations that the dataset does not have: ${list(gone)}`,
        hint: again
      })
  }
  const known = new Set([...partNames.flatMap((part) => manifest[part]), ...manifest.exclusions.consultations])
  const uncovered = consultations.filter((one) => !known.has(one.id)).map((one) => one.id)
  if (uncovered.length > 0) {
    problems.push({
      what: `the dataset has consultations that are in no part and not excluded: ${list(uncovered)}`,
      hint: again
    })
  }
  const pairs = new Set(consultations.flatMap((one) => one.pairs.map((pair) => pairId(one, pair))))
  const gonePairs = manifest.exclusions.pairs.filter((id) => !pairs.has(id))
  if (gonePairs.length > 0) {
    problems.push({
      field: "exclusions.pairs",
      what: `names pairs that the dataset does not have: ${list(gonePairs)}`,
      hint: again
    })
  }
  return problems
}

/** Of outlines without the excluded pairs: two parts, or a part and the exclusions, that share a transcript or the two texts of a pair under different ids. */
const contentOverlaps = (manifest: SplitManifest, byId: ReadonlyMap<string, Outline>): ReadonlyArray<Problem> => {
  const problems: Array<Problem> = []
  const seen = new Map<string, { readonly id: string; readonly place: string }>()
  const places = [
    ...partNames.map((part) => [part, manifest[part]] as const),
    ["exclusions", manifest.exclusions.consultations] as const
  ]
  for (const [place, ids] of places) {
    for (const id of ids) {
      const consultation = byId.get(id)
      if (consultation === undefined) continue
      const told = new Set<string>()
      for (const tie of new Set(consultation.ties)) {
        const other = seen.get(tie)
        if (other === undefined) seen.set(tie, { id, place })
        else if (other.place !== place && other.id !== id && !told.has(other.id)) {
          told.add(other.id)
          const shared = tie.startsWith("transcript:") ? "the same transcript" : "the same notes"
          problems.push({
            what: `the split overlaps: ${showValue(other.id)} in ${other.place} and ${showValue(id)} in ${place} have ${shared}`,
            expected: "one place for one consultation",
            hint: again
          })
        }
      }
    }
  }
  return problems
}

const countProblems = (manifest: SplitManifest, byId: ReadonlyMap<string, Outline>): ReadonlyArray<Problem> => {
  const members = (part: PartName) =>
    manifest[part].flatMap((id) => {
      const consultation = byId.get(id)
      return consultation === undefined ? [] : [consultation]
    })
  return partNames
    .filter((part) => canonicalJson(partCounts(members(part))) !== canonicalJson(manifest.counts[part]))
    .map((part) => ({
      field: `counts.${part}`,
      what: "the counts of the manifest are not those of the dataset",
      found: `${count(manifest.counts[part].consultations, "consultation")} and ${count(manifest.counts[part].pairs, "pair")}`,
      expected: `${count(members(part).length, "consultation")} and ${count(partCounts(members(part)).pairs, "pair")}`
    }))
}

/**
 * Checks a sealed split against its dataset: the manifest's own hash, disjointness by id, by transcript and by pair,
 * coverage, exclusions, the dataset's bytes and each consultation's content, and the counts. Empty when all hold.
 * The problems name no file. The consultations are gone through twice where pairs are excluded.
 */
export const verifySplit = (
  manifest: SplitManifest,
  dataset: { readonly sha256: string; readonly consultations: Iterable<Consultation> }
): ReadonlyArray<Problem> => {
  const outlines = Array.from(dataset.consultations, outlineOf)
  const byId = new Map(outlines.map((one) => [one.id, one]))
  const rest = outlinesWithoutPairs(dataset.consultations, outlines, new Set(manifest.exclusions.pairs))
  const restById = new Map(rest.map((one) => [one.id, one]))
  const own = manifestProblems(manifest)
  const found = [
    ...own,
    ...coverage(manifest, outlines, byId),
    ...changes(manifest, dataset, byId),
    ...contentOverlaps(manifest, restById)
  ]
  return found.length > 0 ? found : countProblems(manifest, restById)
}
