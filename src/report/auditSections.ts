import type {
  Audit,
  Change,
  Flip,
  Leak,
  LookedAt,
  Separation,
  SeparationVerdict,
  SpecificContent
} from "../audit/Audit.ts"
import { ablationSection } from "./auditAblationSection.ts"
import { lineageSections } from "./auditLineageSections.ts"
import { namesOf } from "./auditNames.ts"
import { differenceText } from "./differenceText.ts"
import {
  bounds,
  fixed,
  intervalRemarks,
  none,
  plural,
  pText,
  rateWithBounds,
  type Section,
  signed,
  threshold
} from "./scoreFormat.ts"

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim()
const quote = (text: string): string => `“${oneLine(text)}”`

/** The difference with its interval in one cell. */
const changeCell = (change: Change, digits = 3): string =>
  change.difference === null ? none : `${signed(change.difference)} ${bounds(change, digits)}`

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

const leaks = ({ leakage }: Audit): Section => {
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

const content = ({ content }: Audit): Section => ({
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

const separationRow = (name: (id: string) => string, one: Separation) => [
  name(one.candidate),
  name(one.seed),
  one.verdict,
  changeCell(one.paired),
  changeCell(one.auc),
  changeCell(one.meanScore.clean, 2),
  changeCell(one.meanScore.flawed, 2),
  changeCell(one.flagRate.clean),
  changeCell(one.flagRate.flawed),
  `${one.paired.n} of ${one.paired.consultations}`
]

const shownCandidates = 12

const separation = (audit: Audit): ReadonlyArray<Section> => {
  if (audit.separation === null || audit.separation.length === 0) return []
  const name = namesOf(audit)
  const shown = audit.separation.slice(0, shownCandidates)
  const rows = shown.map((one) => separationRow(name, one))
  const more = audit.separation.length - shown.length
  const thresholds = [...new Set(shown.map(({ flagRate }) => threshold(flagRate.threshold)))]
  return [
    {
      title: "Separation or relocation: changes against the seed",
      rows: [
        [
          "candidate",
          "seed",
          "verdict",
          "paired",
          "AUC",
          "clean score",
          "flawed score",
          "clean flagged",
          "flawed flagged",
          "pairs of consultations"
        ],
        ...rows
      ],
      remarks: [
        ...intervalRemarks(rows),
        `flagged: below the seed's own operating point, ${thresholds.join(", ")}, for both`,
        "verdicts by the intervals alone: a gain is one of paired discrimination or AUC above zero (together at most 5 % by chance); with a gain the clean notes must have stayed for separation; without one, any score or flag rate that moved is relocation",
        ...(audit.subject.kind === "run"
          ? [
              "the acceptance part chose the candidate, so its gain is flattered: see the selection optimism, and confirm on the holdout"
            ]
          : []),
        ...(audit.separation.length > 1
          ? [`not adjusted for looking at ${plural(audit.separation.length, "candidate")}`]
          : []),
        ...(more > 0 ? [`${plural(more, "more candidate")} in --json`] : [])
      ]
    }
  ]
}

const wall = (audit: Audit): ReadonlyArray<Section> => {
  const { wall } = audit
  if (wall === null) return []
  const name = namesOf(audit)
  const wanted = new Set([audit.subject.candidate, audit.subject.seed, wall.bestFixed, wall.bestOwn])
  const shown = [
    ...wall.points.filter(({ candidate }) => wanted.has(candidate)),
    ...wall.points.filter(({ candidate }) => !wanted.has(candidate))
  ].slice(0, shownCandidates)
  return [
    {
      title: "The wall: detection against false alarms",
      rows: [
        [
          "candidate",
          "detected",
          "false alarms",
          `≤ ${wall.cap * 100} %`,
          "own threshold",
          "detected there",
          "false alarms there"
        ],
        ...shown.map(({ candidate, fixed, own }) => [
          name(candidate),
          rateWithBounds(fixed?.detection),
          rateWithBounds(fixed?.falseAlarms),
          fixed === null ? none : fixed.feasible ? "yes" : "no",
          threshold(own?.threshold),
          rateWithBounds(own?.detection),
          rateWithBounds(own?.falseAlarms)
        ])
      ],
      remarks: [
        `at one threshold for all, ${threshold(wall.threshold)}, the seed's operating point: ${wall.feasible} of ${plural(wall.of, "candidate")} keep false alarms within ${wall.cap * 100} %${wall.bestFixed === null ? "" : `; of them ${name(wall.bestFixed)} detects most`}`,
        ...(wall.bestOwn === null
          ? []
          : [`each at its own best threshold under the cap: ${name(wall.bestOwn)} detects most`]),
        ...(wall.points.length > shown.length
          ? [`${plural(wall.points.length - shown.length, "more point")} in --json`]
          : [])
      ]
    }
  ]
}

const optimism = (audit: Audit): ReadonlyArray<Section> => {
  const one = audit.optimism
  if (one === null) return []
  const name = namesOf(audit)
  return [
    {
      title: "Selection optimism",
      rows: [
        ["", "where it was chosen", "on those left out", "difference"],
        [
          "winner chosen anew in each resample",
          fixed(one.inSample),
          fixed(one.outOfBag),
          signed(one.inSample - one.outOfBag)
        ],
        ...(one.unselected === null
          ? []
          : [
              [
                `${name(one.unselected.candidate)}, never chosen`,
                fixed(one.unselected.inSample),
                fixed(one.unselected.outOfBag),
                signed(one.unselected.inSample - one.unselected.outOfBag)
              ]
            ])
      ],
      remarks: [
        `${name(one.winner)} has ${fixed(one.apparent)} on all of them; less the optimism of ${fixed(one.optimism)} that is ${fixed(one.corrected)}. The middle 95 % of single resamples: [${fixed(one.spread[0])}, ${fixed(one.spread[1])}]`,
        `${one.resamples} resamples of ${one.drawn} ${one.units}, ${plural(one.candidates, "candidate")}; chosen most often: ${one.selected
          .slice(0, 4)
          .map(({ candidate, share }) => `${name(candidate)} ${Math.round(share * 100)} %`)
          .join(", ")}`,
        ...(one.units === "instances"
          ? [
              "the source does not say which instances share a consultation, so single instances were drawn: the optimism is likely to be larger"
            ]
          : [])
      ]
    }
  ]
}

const flipLines = (flip: Flip): ReadonlyArray<string> => [
  `${oneLine(flip.pair)}: ${[flip.class, flip.trace, flip.severity].filter((one) => one !== null).join(", ")}; scores flawed/clean ${fixed(flip.before.flawed, 2)}/${fixed(flip.before.clean, 2)} before, ${fixed(flip.after.flawed, 2)}/${fixed(flip.after.clean, 2)} after${flip.fact === null ? "" : `; about: ${quote(flip.fact)}`}`,
  ...(flip.texts === null ? [] : [`   clean to flawed: ${differenceText(flip.texts.difference)}`])
]

const shownFlips = 5

const flips = (audit: Audit): ReadonlyArray<Section> => {
  const found = audit.flips
  if (found === null) return []
  const each = (title: string, some: ReadonlyArray<Flip>): ReadonlyArray<string> =>
    some.length === 0
      ? []
      : [
          `${title}:`,
          ...some.slice(0, shownFlips).flatMap(flipLines),
          ...(some.length > shownFlips
            ? [`   and ${some.length - shownFlips} more in --json, with both notes whole`]
            : [])
        ]
  return [
    {
      title: "Flips: pairs that the seed and the candidate order differently",
      rows: [],
      remarks: [
        `of ${plural(found.pairs, "pair")} of ${plural(found.consultations, "consultation")}: ${found.gained.length} gained, ${found.lost.length} lost, ${found.bothRight} right for both, ${found.neitherRight} for neither${found.p === null ? "" : `; with ties as half right ${found.better} better, ${found.worse} worse: exact sign test p = ${pText(found.p)}, which takes pairs for independent`}`,
        ...each("gained", found.gained),
        ...each("lost", found.lost)
      ]
    }
  ]
}

const tokens = (value: number | null): string | number => (value === null ? none : Math.round(value))

const cost = (audit: Audit): Section => {
  const name = namesOf(audit)
  const wanted = new Set([audit.subject.candidate, audit.subject.seed])
  const shown = [
    ...audit.cost.filter(({ candidate }) => wanted.has(candidate)),
    ...audit.cost.filter(({ candidate }) => !wanted.has(candidate))
  ].slice(0, shownCandidates)
  const more = audit.cost.length - shown.length
  return {
    title: "Cost against gain",
    rows: [
      [
        "candidate",
        "characters",
        "tokens",
        "primary",
        "gain on seed",
        "longer by",
        "input a note",
        "output a note",
        "$ a 1,000 notes"
      ],
      ...shown.map((one) => [
        name(one.candidate),
        one.size.characters,
        one.size.tokens,
        fixed(one.primary),
        one.growth === 0 && one.gain === 0 ? none : signed(one.gain),
        one.growth === 0 && one.gain === 0 ? none : one.growth,
        tokens(one.inputTokens),
        tokens(one.outputTokens),
        one.usd === null ? none : (one.usd * 1000).toFixed(4)
      ])
    ],
    remarks: [
      "characters and tokens of the instruction (tokens by o200k, an estimate for other makers' models); input and output per note over all its judgements, samples together",
      ...(more > 0 ? [`${plural(more, "more candidate")} in --json`] : [])
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
