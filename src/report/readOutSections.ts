import type { Gate } from "../confirm/gates.ts"
import { humanSentences } from "../confirm/preregistration.ts"
import type { ReadOut } from "../confirm/readOut.ts"
import { isExploratory, seenText } from "../confirm/seenBefore.ts"
import type { Measure } from "../domain/Campaign.ts"
import { rescuesSections } from "./rescuesText.ts"
import {
  bounds,
  fixed,
  interval,
  intervalRemarks,
  none,
  plural,
  pText,
  rate,
  type Section,
  signed,
  threshold
} from "./scoreFormat.ts"
import { scoreSections } from "./scoreSections.ts"

const measureName = ({ classes, measure }: Measure): string =>
  `${measure}${classes === undefined ? "" : ` of ${classes.join(", ")}`}`

const because = ({ again }: ReadOut["opening"]): string =>
  again === null ? "" : `, made because: ${again.replace(/\s+/g, " ")}`

/** The first lines of every report of a confirmation: what it may be called, and what it is of. */
export const readOutHead = (
  { model, opening, preregistration: { document, hash }, decision }: ReadOut,
  openings: number
): ReadonlyArray<string> => [
  openings > 1
    ? `EXPLORATORY: the holdout of split ${document.split.name} has been opened ${openings} times, so nothing said of it confirms anything any more (this is the read-out of opening ${opening.number}${because(opening)})`
    : isExploratory({ opening }, openings)
      ? `EXPLORATORY: the holdout of split ${document.split.name} was no news when it was opened, so this confirms nothing${because(opening)}`
      : `confirmatory: the holdout of split ${document.split.name} was opened once, for this question, which was written down before`,
  `${document.candidate.name} (${document.candidate.id}) against ${document.baselines.map(({ name }) => name).join(", ")}; run ${document.run}; model ${model.name}, ${plural(document.judge.samples, "sample")} a note, run seeds ${document.replicates.join(", ")}`,
  ...(opening.seen ?? []).map((one) => `of the holdout, ${seenText(one)}`),
  ...humanSentences(document),
  `pre-registration ${hash.slice(0, 12)}${opening.promises > 1 ? `, the last of ${opening.promises} that were entered for this split before it was opened` : ""}; opened ${opening.time}; decision: ${decision}`,
  ...(model.embedded
    ? ["the embedded model is a stand-in for learning the tool: these figures say nothing about real models"]
    : [])
]

const gateRow = ({ above, alpha, measured, met, part, role }: Gate) => [
  part,
  role,
  measureName(measured.measure),
  fixed(measured.a),
  fixed(measured.b),
  signed(measured.difference),
  bounds(measured),
  measured.p === null ? none : pText(measured.p),
  `${measured.n} of ${measured.consultations}`,
  `> ${fixed(above)}${alpha === null ? "" : `, p ≤ ${alpha}`}`,
  met ? "met" : "NOT MET"
]

const gates = ({ gates, preregistration: { document } }: ReadOut): Section => {
  const rows = gates.map(gateRow)
  const measures = new Set(gates.map(({ measured }) => measured.measure.measure))
  return {
    title: "The gate that was set beforehand",
    keys: 2,
    rows: [
      ["part", "role", "measure", "candidate", "baseline", "gain", "95 %", "p", "n of consultations", "asked for", ""],
      ...rows
    ],
    remarks: [
      ...intervalRemarks(rows),
      `p: two-sided, by ${document.tests.primary === "cluster-swap" ? "the promised permutation test" : "a permutation test"} that swaps the two judges consultation by consultation`,
      ...(measures.has("detection")
        ? [
            "detection: over all replicates, each at its own operating point; its test and interval choose both thresholds anew in each arrangement and resample, since thresholds fitted on these notes are chance too (McNemar's test and the intervals below take them as given)"
          ]
        : []),
      ...(measures.has("auc") ? ["AUC: mean over all replicates; its test swaps ranks within each judge"] : []),
      "the acceptance part chose the candidate, so its gain is flattered and its p is no test of it: it stands here to be on record"
    ]
  }
}

const noise = ({ gates, noise: { baseline, ratio }, preregistration: { document } }: ReadOut): Section => ({
  title: "Noise floor",
  rows: [],
  remarks: [
    baseline.n < 2
      ? "one replicate only: there is no noise floor to hold the difference against"
      : `${document.baselines[0].name}, asked ${baseline.n} times: paired discrimination ${baseline.values.map((value) => fixed(value)).join(", ")} (mean ${fixed(baseline.mean)}, SD ${fixed(baseline.sd)})`,
    ...(ratio === null
      ? []
      : [
          `the holdout difference of ${signed(gates.find(({ part }) => part === "holdout")!.measured.difference)} is ${fixed(ratio, 1)} times the range of these replicates`
        ])
  ]
})

const secondary = ({ secondary }: ReadOut): ReadonlyArray<Section> =>
  secondary.length === 0
    ? []
    : [
        {
          title: "Secondary tests",
          rows: [
            ["test", "difference", "p", "Holm", "n"],
            ...secondary.map(({ difference, holm, n, name, p }) => [name, signed(difference), pText(p), pText(holm), n])
          ],
          remarks: [`Holm's adjustment over these ${plural(secondary.length, "test")}; they decide nothing`]
        }
      ]

const transfer = ({ transfer }: ReadOut): ReadonlyArray<Section> =>
  transfer.length === 0
    ? []
    : [
        {
          title: "The acceptance part's threshold on the holdout",
          rows: [
            [
              "judge",
              "flag below",
              "false alarms there",
              "on the holdout",
              "95 %",
              "detected there",
              "on the holdout",
              "95 %"
            ],
            ...transfer.map((one) => [
              one.judge,
              threshold(one.threshold),
              rate(one.calibrated.falseAlarms),
              rate(one.held.falseAlarms),
              interval(one.held.falseAlarms.interval),
              rate(one.calibrated.detection),
              rate(one.held.detection),
              interval(one.held.detection.interval)
            ])
          ],
          remarks: ["what a threshold promised on one set of notes, it keeps or not on another; Wilson's intervals"]
        }
      ]

const cost = ({ cost: { answers, tokens, unpriced, usd } }: ReadOut): Section => ({
  title: "Cost",
  rows: [],
  remarks: [
    `${plural(answers, "answer")}, ${tokens.toLocaleString("en-GB")} tokens, ${unpriced === answers && answers > 0 ? "price unknown" : `$${usd.toFixed(4)}${unpriced === 0 ? "" : ` and ${plural(unpriced, "answer")} of unknown price`}`}; answers from the store are counted at what they cost when they were bought`
  ]
})

const within = (title: string, sections: ReadonlyArray<Section>): ReadonlyArray<Section> =>
  sections.map((section) => ({
    ...section,
    title: `${title}: ${section.title.charAt(0).toLowerCase()}${section.title.slice(1)}`
  }))

/** What of the acceptance part's figures is shown at length nowhere but in files: it chose the candidate, and proves nothing. */
const inFilesAlone = /verdicts of a pair|replicates|breakdown/i

/**
 * The read-out in sections, rounded: verdict and gate first, then what they rest on. `whole` for files; a terminal is
 * spared the finer figures of the acceptance part.
 */
export const readOutSections = (read: ReadOut, options: { readonly whole: boolean }): ReadonlyArray<Section> => [
  { title: "Verdict", rows: [], remarks: read.verdict },
  gates(read),
  noise(read),
  ...secondary(read),
  ...transfer(read),
  ...rescuesSections(read.rescues ?? []),
  ...within("Holdout", scoreSections(read.holdout)),
  ...within(
    "Acceptance",
    scoreSections(read.acceptance).filter(({ title }) => options.whole || !inFilesAlone.test(title))
  ),
  cost(read)
]
