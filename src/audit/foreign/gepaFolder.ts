import type { Origin } from "../../domain/Candidate.ts"
import { type Problem, showValue } from "../../domain/InputError.ts"
import type { NotKnown, RejectedProposal } from "../Audit.ts"
import { type ForeignLineage, idText, isObject, type JsonObject, type NotReadable } from "./ForeignLineage.ts"
import { soundParentage } from "./parentage.ts"

const isIndex = (value: unknown, length: number): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value < length

/** The sum of rewards and of how many it is; undefined for what is no list of numbers. */
const sumOf = (values: unknown): { readonly sum: number; readonly n: number } | undefined =>
  Array.isArray(values) && values.every((value) => typeof value === "number" && Number.isFinite(value))
    ? { sum: values.reduce((total: number, value: number) => total + value, 0), n: values.length }
    : undefined

interface Born {
  /** The entry of the log. */
  readonly at: number
  readonly parents: ReadonlyArray<string>
  readonly iteration: number
  readonly origin: Origin
  readonly figures: Readonly<Record<string, number>>
}

/** What one entry of the log says of minibatch rewards: sums, and of how many instances. */
const minibatchOf = (entry: JsonObject) => ({
  parent: sumOf(entry["subsample_scores"]),
  child: sumOf(entry["new_subsample_scores"] ?? entry["new_program_subsample_scores"])
})

const figuresOf = (entry: JsonObject): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(minibatchOf(entry)).flatMap(([whose, one]) =>
      one === undefined
        ? []
        : [
            [`minibatch.${whose}.sum`, one.sum],
            [`minibatch.${whose}.n`, one.n]
          ]
    )
  )

/** `rewards summed over the minibatch: parent 1 of 2 instances, child 0 of 2`. */
const minibatchText = (entry: JsonObject): string => {
  const parts = Object.entries(minibatchOf(entry)).flatMap(([whose, one]) =>
    one === undefined ? [] : [`${whose} ${Number(one.sum.toFixed(6))} over ${one.n}`]
  )
  return parts.length === 0 ? "" : `rewards summed over minibatch instances: ${parts.join(", ")}`
}

/** Two descendants of a merge (their ancestor stands last), or the one that was selected; as text, whatever it is. */
const parentsOf = (entry: JsonObject): ReadonlyArray<string> => {
  const merged = entry["merged_entities"]
  const named = Array.isArray(merged) ? merged.slice(0, 2) : [entry["selected_program_candidate"]]
  return [...new Set(named.flatMap((one) => idText(one) ?? []))]
}

/** The texts of a candidate's components; undefined for what is no candidate. */
const instructionsOf = (value: unknown): Readonly<Record<string, string>> | undefined => {
  if (typeof value === "string" && value !== "") return { judge: value }
  if (!isObject(value)) return undefined
  const texts = Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string")
  return texts.length === 0 ? undefined : Object.fromEntries(texts)
}

/**
 * Reads a run folder of gepa-ai/gepa from its two JSON files: `candidates.json`, a list of objects of component texts in
 * the order of birth, and `run_log.json`, a list with an entry an iteration (`i`, `selected_program_candidate`,
 * `new_program_idx`, `merged_entities`, sums of minibatch rewards). Its pickle, which alone has the scores by instance, is
 * never opened: loading one runs code.
 */
export const readGepaFolder = (candidates: unknown, runLog: unknown): ForeignLineage | NotReadable => {
  const problems: Array<Problem> = []
  if (!Array.isArray(candidates) || candidates.length === 0) {
    return {
      problems: [
        {
          field: "candidates.json",
          what: "has no candidates",
          expected: "a list of objects of texts",
          found: showValue(candidates)
        }
      ]
    }
  }
  const texts = candidates.map((one, at) => {
    const instructions = instructionsOf(one)
    if (instructions === undefined)
      problems.push({
        field: `candidates.json[${at}]`,
        what: "has no text",
        found: showValue(one),
        expected: "an object of component texts"
      })
    return instructions ?? {}
  })
  if (!Array.isArray(runLog) || !runLog.every(isObject))
    problems.push({
      field: "run_log.json",
      what: "is no log of iterations",
      expected: "a list of objects",
      found: showValue(runLog)
    })
  if (problems.length > 0) return { problems }
  const entries = runLog as ReadonlyArray<JsonObject>
  const born = new Map<number, Born>()
  const rejected: Array<RejectedProposal> = []
  for (const [at, entry] of entries.entries()) {
    const iteration = (typeof entry["i"] === "number" && entry["i"] >= 0 ? Math.floor(entry["i"]) : at) + 1
    const child = entry["new_program_idx"]
    const parents = parentsOf(entry)
    const figures = figuresOf(entry)
    if (isIndex(child, candidates.length) && child > 0) {
      born.set(child, {
        at,
        parents,
        iteration,
        origin: parents.length > 1 ? "merge" : "reflection",
        figures
      })
      continue
    }
    rejected.push({
      iteration,
      parent: parents[0] ?? "",
      reason: entry["invoked_merge"] === true ? "merge not accepted" : "not accepted",
      detail: minibatchText(entry)
    })
  }
  const orphans = texts.flatMap((_, at) => (at > 0 && (born.get(at)?.parents.length ?? 0) === 0 ? [at] : []))
  const notKnown: ReadonlyArray<NotKnown> = [
    {
      section: "lineage",
      why: "figures of the minibatch are sums of rewards over n instances, as the log has them, and no rates; the two files have no values of the candidates on the validation set, so no primary and no winner; texts of rejected proposals are not kept either. The pickle beside them has more and is never opened, since loading one runs code"
    },
    ...(["separation", "wall", "optimism", "flips", "cost"] as const).map((section) => ({
      section,
      why: "the folder's JSON files have no judgements of single notes"
    }))
  ]
  const { candidates: sound, warnings } = soundParentage(
    texts.map((instructions, at) => {
      const own = born.get(at)
      return {
        place: own === undefined ? {} : { field: `run_log.json[${own.at}]` },
        candidate: {
          id: String(at),
          name: `#${at}`,
          origin: own?.origin ?? "seed",
          parents: own?.parents ?? [],
          iteration: own?.iteration ?? 0,
          instructions,
          outcomes: null,
          figures: own?.figures ?? {}
        }
      }
    })
  )
  return {
    candidates: sound,
    rejected,
    notKnown,
    warnings: [
      ...warnings,
      ...(orphans.length === 0
        ? []
        : [
            {
              what: `the log does not say where ${orphans.map((at) => `#${at}`).join(", ")} came from; they stand as seeds`
            }
          ])
    ]
  }
}
