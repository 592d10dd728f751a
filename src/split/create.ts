import * as Result from "effect/Result"
import { partCounts } from "../dataset/counts.ts"
import { count } from "../domain/count.ts"
import type { Consultation } from "../domain/Dataset.ts"
import { hashOf } from "../domain/hash.ts"
import type { Problem } from "../domain/InputError.ts"
import { shuffled } from "../domain/Random.ts"
import { type Fractions, type PartName, partNames, type SplitManifest } from "../domain/Split.ts"
import { allocate } from "./allocate.ts"
import { type Exclusions, noExclusions, resolveExclusions } from "./exclusions.ts"
import { type Outline, outlineOf, outlinesWithoutPairs } from "./outline.ts"
import { unitsOf } from "./units.ts"

export interface SplitRequest {
  readonly name: string
  readonly dataset: {
    /** As the manifest shall hold it: relative to the manifest's folder, with forward slashes. */
    readonly path: string
    readonly sha256: string
    /** Gone through twice where pairs are excluded; of none are the texts kept. */
    readonly consultations: Iterable<Consultation>
  }
  readonly seed: number
  readonly fractions: Fractions
  readonly exclusions?: Exclusions
}

/** The hash of a manifest: of everything in it but the hash itself. */
export const manifestHash = (manifest: Omit<SplitManifest, "hash">): string => {
  const { hash: _, ...rest } = manifest as SplitManifest
  return hashOf(rest)
}

const fractionProblems = (fractions: Fractions): ReadonlyArray<Problem> => {
  const shares = partNames.map((part) => fractions[part])
  const sum = shares.reduce((total, share) => total + share, 0)
  const shown = shares.join(", ")
  if (shares.some((share) => !(share > 0 && share < 1))) {
    return [
      {
        field: "fractions",
        what: "each fraction must be between 0 and 1",
        found: shown,
        expected: "three numbers such as 0.4, 0.3, 0.3"
      }
    ]
  }
  if (Math.abs(sum - 1) > 1e-6) {
    return [
      {
        field: "fractions",
        what: `the fractions sum to ${Number(sum.toFixed(6))}`,
        found: shown,
        expected: "a sum of 1"
      }
    ]
  }
  return []
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Splits a dataset by consultation: consultations that share a transcript (or a pair's texts) stay together, and each
 * part has its fair share, within one unit, overall and of every cell of stratum × presence of partial omissions.
 * Who is in which part follows from the seed and the contents alone: not from ids, the file's order or its line ends.
 */
export const createSplit = (request: SplitRequest): Result.Result<SplitManifest, ReadonlyArray<Problem>> => {
  const { dataset, seed, fractions } = request
  const outlines = Array.from(dataset.consultations, outlineOf)
  const { exclusions, problems } = resolveExclusions(outlines, request.exclusions ?? noExclusions)
  const wrong = [...fractionProblems(fractions), ...problems]
  if (wrong.length > 0) return Result.fail(wrong)

  const excluded = new Set(exclusions.consultations)
  const usable = outlinesWithoutPairs(dataset.consultations, outlines, new Set(exclusions.pairs)).filter(
    (one) => !excluded.has(one.id)
  )

  const cells = [...Map.groupBy(unitsOf(usable), (unit) => unit.cell)].sort(([a], [b]) => byText(a, b))
  const counts = allocate(
    cells.map(([name, units]) => ({ name, size: units.length })),
    partNames.map((part) => fractions[part]),
    seed,
    "split",
    "counts"
  )
  const parts: Record<PartName, Array<Outline>> = { train: [], acceptance: [], holdout: [] }
  cells.forEach(([name, units], index) => {
    const order = shuffled(units, (unit) => unit.key, seed, "split", "order", name)
    let from = 0
    partNames.forEach((part, place) => {
      const to = from + counts[index]![place]!
      parts[part].push(...order.slice(from, to).flatMap((unit) => unit.consultations))
      from = to
    })
  })

  const units = cells.reduce((sum, [, some]) => sum + some.length, 0)
  const empty = partNames.flatMap((part): ReadonlyArray<Problem> => {
    const pairs = parts[part].reduce((sum, one) => sum + one.pairs.length, 0)
    if (pairs > 0) return []
    return [
      {
        what: `the ${part} part would have no pairs`,
        found: `${count(usable.length, "usable consultation")} (${count(units, "unit")}) and a fraction of ${fractions[part]}: ${count(parts[part].length, "consultation")}`,
        expected: "at least one consultation with a pair in each part",
        hint: `A split needs at least three consultations with pairs; more data, fewer exclusions or a larger fraction for ${part} help`
      }
    ]
  })
  if (empty.length > 0) return Result.fail(empty)

  const idsOf = (part: PartName) => parts[part].map((one) => one.id).sort(byText)
  const inParts = new Set(partNames.flatMap((part) => parts[part].map((one) => one.id)))
  const sealed = outlines.filter((one) => inParts.has(one.id)).sort((one, other) => byText(one.id, other.id))
  const manifest: Omit<SplitManifest, "hash"> = {
    format: "assize-split/1",
    name: request.name,
    dataset: { path: dataset.path, sha256: dataset.sha256 },
    seed,
    fractions,
    stratification: ["stratum", "partial-omissions"],
    train: idsOf("train"),
    acceptance: idsOf("acceptance"),
    holdout: idsOf("holdout"),
    exclusions,
    content: Object.fromEntries(sealed.map((one) => [one.id, one.content])),
    counts: {
      train: partCounts(parts.train),
      acceptance: partCounts(parts.acceptance),
      holdout: partCounts(parts.holdout)
    }
  }
  return Result.succeed({ ...manifest, hash: manifestHash(manifest) })
}
