import type { Audit, SeparationVerdict } from "../audit/Audit.ts"
import { ablationSection } from "./auditAblationSection.ts"
import { content, leaks } from "./auditLeakSections.ts"
import { lineageSections } from "./auditLineageSections.ts"
import { namesOf } from "./auditNames.ts"
import { cost, flips, optimism } from "./auditSelectionSections.ts"
import { separation, wall } from "./auditSeparationSections.ts"
import { fixed, plural, pText, type Section } from "./scoreFormat.ts"

const verdictWords: Readonly<Record<SeparationVerdict, string>> = {
  separation: "separation: it ranks better, and clean notes stand where they stood",
  relocation: "relocation: scores moved, and no better ranking is shown",
  both: "both: it ranks better, and clean notes moved too",
  lost: "lost: it ranks worse",
  neither: "neither: no change is shown",
  unknown: "not known: too few consultations"
}

/** The first lines of an audit: what it is of. */
export const auditHead = (audit: Audit): ReadonlyArray<string> => {
  const { subject } = audit
  const name = namesOf(audit)
  const pairs = audit.lineage.nodes.find(({ id }) => id === subject.candidate)?.pairs
  return [
    `audit of ${name(subject.candidate)}${subject.kind === "run" ? ` of run ${subject.name}` : ` of ${subject.name}`}, ${subject.seed === null ? "which has no seed to be held against" : `against its seed ${name(subject.seed)}`}; ${plural(audit.lineage.nodes.length, "candidate")}${pairs === undefined || pairs === null ? "" : `, ${plural(pairs, "pair")} of the acceptance part`}`,
    ...(audit.separation === null
      ? []
      : [
          `intervals: 95 %; of rates Wilson's, of all other figures by a bootstrap of consultations (${audit.settings.resamples.toLocaleString("en-GB")} resamples, seed ${audit.settings.seed})`
        ]),
    ...(subject.embedded
      ? ["the embedded model is a stand-in for learning the tool: these figures say nothing about real models"]
      : [])
  ]
}

const summary = (audit: Audit): Section => {
  const own = audit.separation?.find(({ candidate }) => candidate === audit.subject.candidate)
  const { content, flips, leakage, optimism } = audit
  const looked = leakage.looked.filter(({ notLookedAt }) => notLookedAt === null)
  const added = content.filter(({ inSeed }) => !inSeed)
  return {
    title: "Findings",
    rows: [],
    remarks: [
      looked.length === 0
        ? "leaks: not looked for, there are no data to look in"
        : leakage.count === 0
          ? `leaks: none found in ${looked.map(({ part }) => part).join(", ")}`
          : `leaks: ${plural(leakage.count, "LEAK")} from the data in the instruction`,
      `content that is of no use beyond these data: ${added.length === 0 ? "none found" : plural(added.length, "place")}`,
      ...(own === undefined ? [] : [verdictWords[own.verdict]]),
      ...(optimism === null
        ? []
        : [
            `selection: of the value ${fixed(optimism.apparent)} that ${optimism.winner === audit.subject.candidate ? "the winner" : "the best"} has where it was chosen, about ${fixed(optimism.optimism)} is luck of the choice; ${fixed(optimism.corrected)} is left`
          ]),
      ...(flips === null
        ? []
        : [
            `flips: ${flips.gained.length} pairs gained, ${flips.lost.length} lost, of ${flips.pairs}${flips.p === null ? "" : ` (${flips.better} better, ${flips.worse} worse; sign test p = ${pText(flips.p)})`}`
          ])
    ]
  }
}

const notKnown = ({ notKnown }: Audit): ReadonlyArray<Section> =>
  notKnown.length === 0
    ? []
    : [{ title: "What is not known", rows: [], remarks: notKnown.map(({ section, why }) => `${section}: ${why}`) }]

/** The audit in sections, rounded: findings first, then what they rest on. */
export const auditSections = (audit: Audit): ReadonlyArray<Section> => [
  summary(audit),
  leaks(audit),
  content(audit),
  ...separation(audit),
  ...optimism(audit),
  ...wall(audit),
  ...ablationSection(audit),
  ...flips(audit),
  ...lineageSections(audit),
  cost(audit),
  ...notKnown(audit)
]
