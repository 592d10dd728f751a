import type { Audit, Leak, LookedAt, SpecificContent } from "../audit/Audit.ts"
import { oneLine, quote } from "./auditCells.ts"
import { plural, type Section } from "./scoreFormat.ts"

const lookedText = ({ consultations, notLookedAt, part, texts }: LookedAt): string =>
  notLookedAt === null
    ? `${part}: ${plural(texts, "text")} of ${plural(consultations, "consultation")} were looked through`
    : `${part}: NOT looked at: ${notLookedAt}`

const leakLines = (leak: Leak, number: number): ReadonlyArray<string> => [
  `${number}. ${leak.kind} ${quote(leak.shared)}, line ${leak.place.line} of the instruction: ${quote(leak.place.context)}`,
  ...leak.sources
    .slice(0, 3)
    .map(
      ({ consultation, document, note, part, quote: text }) =>
        `   ${part}, consultation ${oneLine(consultation)}, ${document === "transcript" ? "transcript" : `note ${oneLine(note ?? "")}`}: ${quote(text)}`
    ),
  `   in all: ${leak.found.map(({ consultations, part, places }) => `${part} ${plural(places, "text")} of ${plural(consultations, "consultation")}`).join(", ")}`
]

export const leaks = ({ leakage }: Audit): Section => {
  const open = leakage.leaks.filter(({ excuse }) => excuse === null)
  const excused = Map.groupBy(
    leakage.leaks.filter(({ excuse }) => excuse !== null),
    ({ excuse }) => excuse!
  )
  const others = leakage.others.filter((one) => one.leaks > 0)
  return {
    title: "Leakage",
    rows: [],
    remarks: [
      ...leakage.looked.map(lookedText),
      ...open.flatMap((leak, at) => leakLines(leak, at + 1)),
      ...(leakage.looked.some(({ notLookedAt }) => notLookedAt === null) && open.length === 0
        ? ["no words, numbers with units or names are shared that would tell of one consultation"]
        : []),
      ...[...excused].map(
        ([excuse, some]) =>
          `not counted (${excuse}): ${some
            .slice(0, 8)
            .map(({ shared }) => quote(shared))
            .join(", ")}${some.length > 8 ? `, and ${some.length - 8} more` : ""}`
      ),
      ...(others.length === 0
        ? []
        : [`other candidates with leaks: ${plural(others.length, "candidate")} of ${leakage.others.length}`]),
      ...leakage.rules
    ]
  }
}

const contentWords: Readonly<Record<SpecificContent["kind"], string>> = {
  instance: "one instance",
  id: "id",
  placeholder: "placeholder",
  contract: "contract",
  threshold: "threshold"
}

export const content = ({ content }: Audit): Section => ({
  title: "Content that is of no use beyond these data",
  rows:
    content.length === 0
      ? []
      : [
          ["kind", "line", "text", "why", "in the seed"],
          ...content.map(({ inSeed, kind, place, text, why }) => [
            contentWords[kind],
            place.line,
            oneLine(text),
            why,
            inSeed ? "yes" : "no"
          ])
        ],
  remarks: [content.length === 0 ? "none found by its patterns" : "found by patterns: a reader decides"]
})
