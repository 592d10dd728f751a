import { type ErrorClass, type Pair, Severity, type Trace } from "../../domain/Dataset.ts"

const folded = (label: string | null | undefined): string => (label ?? "").trim().toLowerCase()

const levels: ReadonlyMap<string, Trace> = new Map([
  ["complete", "complete"],
  ["omit-complete", "complete"],
  ["partial-weak", "fragment"],
  ["partial-strong", "restated"]
])

/** Of what survives, by its strongest mention: a fragment, or the fact in its own or other words. */
const strengths: ReadonlyMap<string, Trace> = new Map([
  ["partial", "fragment"],
  ["explicit", "restated"],
  ["paraphrase", "restated"]
])

const classOf = (label: string): ErrorClass | undefined =>
  label === "add" ? "addition" : label === "change" ? "alteration" : /^omit/.test(label) ? "omission" : undefined

/** Class and trace in the dataset's words; undefined of a class that is none of OmissionBench's. */
export const labelsOf = (given: {
  readonly type?: string | null | undefined
  readonly class?: string | null | undefined
  readonly level?: string | null | undefined
  readonly strength?: string | null | undefined
}): Pick<Pair, "class" | "trace"> | undefined => {
  const named = classOf(folded(given.class)) ?? classOf(folded(given.type))
  if (named !== "omission") return named === undefined ? undefined : { class: named }
  const trace =
    levels.get(folded(given.level)) ?? levels.get(folded(given.class)) ?? strengths.get(folded(given.strength))
  return { class: named, ...(trace === undefined ? {} : { trace }) }
}

export const severityOf = (label: string | null | undefined): Severity | undefined =>
  Severity.literals.find((severity) => severity === folded(label))
