import * as Result from "effect/Result"
import { parseJson } from "../../dataset/parseJson.ts"
import type { Origin } from "../../domain/Candidate.ts"
import { type Problem, showValue } from "../../domain/InputError.ts"
import type { NotKnown, RejectedProposal } from "../Audit.ts"
import type { AuditCandidate } from "../AuditInput.ts"
import {
  endlessOf,
  type ForeignLineage,
  idText,
  isObject,
  type JsonObject,
  type NotReadable,
  numbersOf
} from "./ForeignLineage.ts"
import { soundParentage } from "./parentage.ts"

/** Under which names a candidate's own figure of merit stands, first come first taken; the first three are OmissionBench's campaigns 3, 2 and 1. */
const primaryNames = ["paired_omit", "disc_omit", "J", "mean_reward", "primary", "score", "val_score", "mean"]
const secondaryNames = ["det10", "secondary"]

interface Line {
  readonly number: number
  readonly value: JsonObject
}

const eventOf = ({ event, instruction }: JsonObject): string =>
  typeof event === "string" ? event : typeof instruction === "string" ? "candidate" : ""

const originOf = (kind: unknown, parents: ReadonlyArray<string>): Origin =>
  kind === "merge" || parents.length > 1 ? "merge" : kind === "seed" || parents.length === 0 ? "seed" : "reflection"

/** `parent` or `parents`; of a merge, `origin` names both as `#3+#5`. */
const parentsOf = ({ origin, parent, parents }: JsonObject): ReadonlyArray<string> => {
  const named = (Array.isArray(parents) ? parents : Array.isArray(parent) ? parent : [parent]).flatMap(
    (one) => idText(one) ?? []
  )
  const both = typeof origin === "string" ? [...origin.matchAll(/#([\w-]+)/g)].map(([, id]) => id!) : []
  return [...new Set([...named, ...both])]
}

/** Values by instance: a list, or an object by instance name. `rewards` is what a search selects on; else `scores`. */
const instancesOf = ({ rewards, scores }: JsonObject): ReadonlyMap<string, number | null> | undefined => {
  const values = rewards ?? scores
  const numeric = (value: unknown) => (typeof value === "number" && Number.isFinite(value) ? value : null)
  if (Array.isArray(values)) return new Map(values.map((value, at) => [String(at), numeric(value)]))
  return isObject(values) ? new Map(Object.entries(values).map(([name, value]) => [name, numeric(value)])) : undefined
}

const firstOf = (figures: Readonly<Record<string, number>>, names: ReadonlyArray<string>): string | undefined =>
  names.find((name) => figures[name] !== undefined)

const whole = (value: unknown): number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : 0

const linesOf = (text: string): { readonly lines: ReadonlyArray<Line>; readonly problems: ReadonlyArray<Problem> } => {
  const lines: Array<Line> = []
  const problems: Array<Problem> = []
  for (const [at, body] of text.split("\n").entries()) {
    if (body.trim() === "") continue
    const parsed = parseJson(body)
    if (Result.isFailure(parsed)) problems.push({ ...parsed.failure, line: at + 1 })
    else if (isObject(parsed.success)) lines.push({ number: at + 1, value: parsed.success })
    else problems.push({ line: at + 1, what: "is no JSON object", found: showValue(parsed.success) })
  }
  return { lines, problems }
}

const rejectedOf = ({ value }: Line, event: string): RejectedProposal => {
  const { mb_child: child, mb_parent: parent, why } = value
  const figures =
    typeof parent === "number" && typeof child === "number" ? `on its minibatch ${child}, the parent ${parent}` : ""
  return {
    iteration: whole(value["iter"] ?? value["iteration"]),
    parent: parentsOf(value)[0] ?? "",
    reason: event,
    detail: typeof why === "string" ? why : figures
  }
}

/**
 * Reads a lineage of JSON Lines: an object a line with at least an `instruction`, and as far as they are there `id`,
 * `name`, `kind` (seed, mutation, merge), `parent` or `parents`, `iter`, `vec` (figures by name), `scores` or `rewards`
 * (a figure, or values by instance). Lines with an `event` are read as OmissionBench's campaigns write them: `candidate`;
 * `rejected_…` and `mutation_…`; `test` and `final…`; others are passed over. A file with several legs, which are
 * different judges, needs `leg`.
 */
export const readJsonLines = (text: string, leg: string | undefined): ForeignLineage | NotReadable => {
  const { lines: all, problems } = linesOf(text)
  if (problems.length > 0) return { problems }
  const legs = [...new Set(all.flatMap(({ value }) => (typeof value["leg"] === "string" ? [value["leg"]] : [])))]
  if (leg === undefined && legs.length > 1) {
    return {
      problems: [
        {
          field: "--leg",
          what: `the file has ${legs.length} legs, which are different judges and have candidates of the same numbers`,
          expected: `--leg and one of ${legs.join(", ")}`
        }
      ]
    }
  }
  if (leg !== undefined && !legs.includes(leg)) {
    return {
      problems: [
        {
          field: "--leg",
          what: "the file has no such leg",
          found: showValue(leg),
          expected: legs.join(", ") || "no --leg: the file names none"
        }
      ]
    }
  }
  const lines = leg === undefined ? all : all.filter(({ value }) => value["leg"] === leg)
  const found: Array<{
    readonly line: number
    readonly candidate: AuditCandidate
    readonly values: ReadonlyMap<string, number | null> | undefined
  }> = []
  const rejected: Array<RejectedProposal> = []
  const tests = new Map<string, Readonly<Record<string, number>>>()
  const seen = new Map<string, number>()
  const wrong: Array<Problem> = []
  const warnings: Array<Problem> = []
  for (const line of lines) {
    const { number, value } = line
    const event = eventOf(value)
    for (const field of ["vec", "score", "scores", "rewards"].flatMap((name) =>
      typeof value[name] === "number" && !Number.isFinite(value[name]) ? [name] : endlessOf(value[name], name)
    )) {
      warnings.push({
        line: number,
        field,
        what: `of ${showValue(idText(value["id"]) ?? idText(value["name"]) ?? event)} is beyond all numbers and is left out`,
        expected: "a finite number"
      })
    }
    if (/^(?:rejected|mutation|merge)_/.test(event)) rejected.push(rejectedOf(line, event))
    if (/^(?:test|final)/.test(event))
      tests.set(idText(value["name"]) ?? idText(value["id"]) ?? "", numbersOf(value["vec"]))
    if (event !== "candidate") continue
    const { instruction } = value
    if (typeof instruction !== "string" || instruction.trim() === "") {
      wrong.push({
        line: number,
        field: "instruction",
        what: "a candidate needs its text",
        found: showValue(instruction)
      })
      continue
    }
    const id = idText(value["id"]) ?? String(found.length)
    if (seen.has(id)) {
      wrong.push({
        line: number,
        field: "id",
        what: `two candidates are called ${showValue(id)}`,
        found: `the first on line ${seen.get(id)}`
      })
      continue
    }
    seen.set(id, number)
    const parents = parentsOf(value)
    const score = value["score"] ?? value["scores"]
    const figures = {
      ...numbersOf(value["vec"]),
      ...(typeof score === "number" && Number.isFinite(score) ? { score } : {})
    }
    found.push({
      line: number,
      values: instancesOf(value),
      candidate: {
        id,
        name: idText(value["name"]) ?? `#${id}`,
        origin: originOf(value["kind"], parents),
        parents,
        iteration: whole(value["iter"] ?? value["iteration"]),
        instructions: { [idText(value["module"]) ?? "judge"]: instruction },
        outcomes: null,
        figures
      }
    })
  }
  if (wrong.length > 0) return { problems: wrong }
  if (found.length === 0) {
    return {
      problems: [
        {
          what: "there is no candidate in it",
          expected: 'a JSON object a line, with "instruction" and, where lines have it, "event": "candidate"'
        }
      ]
    }
  }
  const names = [...new Set(found.flatMap(({ values }) => [...(values?.keys() ?? [])]))].sort()
  const first = found
    .map(({ candidate }) => firstOf(candidate.figures ?? {}, primaryNames))
    .find((one) => one !== undefined)
  const meanOf = (values: ReadonlyMap<string, number | null> | undefined): number | null => {
    const known = [...(values?.values() ?? [])].flatMap((value) => value ?? [])
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
  }
  const second = found
    .map(({ candidate }) => firstOf(candidate.figures ?? {}, secondaryNames))
    .find((one) => one !== undefined)
  const sound = soundParentage(found.map(({ candidate, line }) => ({ candidate, place: { line, field: "parent" } })))
  const candidates = found.map(({ values }, at): AuditCandidate => {
    const candidate = sound.candidates[at]!
    const figures = candidate.figures ?? {}
    const test = tests.get(candidate.name) ?? tests.get(candidate.id)
    return {
      ...candidate,
      primary: (first === undefined ? undefined : figures[first]) ?? meanOf(values),
      secondary: (second === undefined ? undefined : figures[second]) ?? null,
      ...(values === undefined ? {} : { instances: names.map((name) => values.get(name) ?? null) }),
      figures: {
        ...figures,
        ...Object.fromEntries(Object.entries(test ?? {}).map(([name, value]) => [`test.${name}`, value]))
      }
    }
  })
  const noScores = "the file has no judgements of single notes"
  const notKnown: ReadonlyArray<NotKnown> = [
    {
      section: "lineage",
      why: `primary is the file's own ${first ?? "mean of the values by instance"}, as it stands there; gains by class and trace with intervals need judgements of single notes`
    },
    { section: "separation", why: noScores },
    { section: "wall", why: noScores },
    { section: "flips", why: noScores },
    { section: "cost", why: "the file does not say what each candidate's judgements cost" },
    ...(names.length === 0 ? [{ section: "optimism", why: "the file has no values by instance" } as const] : [])
  ]
  return { candidates, rejected, notKnown, warnings: [...warnings, ...sound.warnings] }
}
