import type { Audit, Change, Leak, Place, Separation } from "../../audit/Audit.ts"
import { integer, pValue, signed } from "../../terminal/format.ts"
import { bounds, fixed, intervalRemarks, plural, rateWithBounds } from "../scoreFormat.ts"
import { details, foreign, type Html, html, nothing, remarks, table } from "./markup.ts"
import type { ReportInput } from "./ReportInput.ts"

const nameOf = ({ lineage }: Audit) => {
  const names = new Map(lineage.nodes.map(({ id, name }) => [id, name]))
  return (id: string): string => names.get(id) ?? id
}

const changeRow = (name: string, change: Change) => [
  name,
  fixed(change.before),
  fixed(change.after),
  change.difference === null ? "–" : signed(change.difference),
  bounds(change),
  `${change.n} of ${change.consultations}`
]

const verdictWords: Readonly<Record<Separation["verdict"], string>> = {
  separation: "Separation: it ranks better, and clean notes stand where they stood.",
  relocation: "Relocation: the scores moved, and no better ranking is shown.",
  both: "Both: it ranks better, and the scores moved.",
  lost: "Lost: it ranks worse.",
  neither: "Neither: no change is shown.",
  unknown: "Not known: too few data for an interval."
}

const separationHtml = (audit: Audit): Html => {
  const [own, ...others] = audit.separation ?? []
  if (own === undefined) return nothing
  const name = nameOf(audit)
  const { flagRate, meanScore } = own
  const rows = [
    changeRow("paired discrimination", own.paired),
    changeRow("AUC", own.auc),
    changeRow("mean score, all notes", meanScore.all),
    changeRow("mean score, flawed", meanScore.flawed),
    changeRow("mean score, clean", meanScore.clean),
    changeRow("flag rate, all notes", flagRate.all),
    changeRow("flag rate, flawed", flagRate.flawed),
    changeRow("flag rate, clean", flagRate.clean)
  ]
  return html`<section class="sub"><h3>Separation or relocation?</h3><p><b>${verdictWords[own.verdict]}</b> ${foreign(name(own.candidate))} against its seed ${foreign(name(own.seed))}.</p>${table(
    [["figure", "before", "after", "difference", "95 %", "n of consultations"], ...rows],
    { caption: "What moved between the seed and the candidate" }
  )}${remarks([
    ...(flagRate.threshold === null
      ? []
      : [
          `flag rate: the share of notes below the seed’s own operating point, ${Number(flagRate.threshold.toFixed(4))}`
        ]),
    ...intervalRemarks(rows)
  ])}${
    others.length === 0
      ? nothing
      : details(
          `The other ${plural(others.length, "candidate")}`,
          table(
            [
              ["candidate", "seed", "verdict", "paired difference", "95 %", "n", "mean score", "95 %"],
              ...others.map((one) => [
                name(one.candidate),
                name(one.seed),
                one.verdict,
                one.paired.difference === null ? "–" : signed(one.paired.difference),
                bounds(one.paired),
                one.paired.n,
                one.meanScore.all.difference === null ? "–" : signed(one.meanScore.all.difference),
                bounds(one.meanScore.all)
              ])
            ],
            { caption: "Each candidate against the seed that it descends from" }
          )
        )
  }</section>`
}

const placeWords = ({ line, module }: Place): string => `${module}, line ${line}`

const excuses: Readonly<Record<NonNullable<Leak["excuse"]>, string>> = {
  seed: "the seed has it already",
  contract: "the fixed prompt says so",
  common: "common to many consultations"
}

const leakHtml = (leak: Leak): Html =>
  html`<li><p><q>${foreign(leak.shared)}</q> <span class="tag">${leak.kind}</span>${leak.excuse === null ? html` <span class="tag bad">leak</span>` : html` <span class="tag">${excuses[leak.excuse]}</span>`} <small>${placeWords(leak.place)}</small></p>${leak.sources.map(
    ({ consultation, document, note, part, quote }) =>
      html`<blockquote><small>${part}, ${foreign(consultation)}, ${document}${note === null ? "" : ` ${note}`}</small><br>${foreign(quote)}</blockquote>`
  )}<p><small>In all: ${leak.found.map(({ consultations, part, places }) => `${part} ${plural(places, "text")} in ${plural(consultations, "consultation")}`).join("; ")}</small></p></li>`

const leakageHtml = (audit: Audit, quotes: boolean): Html => {
  const { leakage } = audit
  const kept = leakage.leaks.filter(({ excuse }) => excuse === null)
  const excused = leakage.leaks.filter(({ excuse }) => excuse !== null)
  const list = (leaks: ReadonlyArray<Leak>) => html`<ul class="leaks">${leaks.map(leakHtml)}</ul>`
  return html`<section class="sub"><h3>Leakage</h3><p><b>${leakage.count === 0 ? "None found" : plural(leakage.count, "leak")}</b> in the candidate’s instruction.</p>${table(
    [
      ["part", "consultations", "texts", "looked at"],
      ...leakage.looked.map(({ consultations, notLookedAt, part, texts }) => [
        part,
        consultations,
        texts,
        notLookedAt === null ? "yes" : `no: ${notLookedAt}`
      ])
    ],
    { caption: "What the instruction was held against" }
  )}${remarks(leakage.rules)}${
    quotes
      ? html`${kept.length === 0 ? nothing : list(kept)}${excused.length === 0 ? nothing : details(`${plural(excused.length, "hit")} that are no leaks, and why`, list(excused))}`
      : leakage.leaks.length === 0
        ? nothing
        : html`<p>The quotes are left out, since they are of the data.</p>`
  }</section>`
}

const contentHtml = ({ content }: Audit): Html =>
  html`<section class="sub"><h3>Content that belongs in no general instruction</h3>${
    content.length === 0
      ? html`<p>None found.</p>`
      : table(
          [
            ["kind", "words", "why", "in the seed", "where"],
            ...content.map(({ inSeed, kind, place, text, why }) => [
              kind,
              text,
              why,
              inSeed ? "yes" : "no",
              placeWords(place)
            ])
          ],
          { caption: "Instances, ids, placeholders, the contract said again, thresholds" }
        )
  }</section>`

const optimismHtml = (audit: Audit): Html => {
  const { optimism } = audit
  if (optimism === null) return nothing
  const name = nameOf(audit)
  return html`<section class="sub"><h3>Selection optimism</h3><p>The winner’s value of ${fixed(optimism.apparent)} on the notes that chose it is, by re-selection, optimistic by about <b>${fixed(optimism.optimism)}</b> (middle 95 % of ${integer(optimism.resamples)} resamples [${fixed(optimism.spread[0])}, ${fixed(optimism.spread[1])}], a spread and no confidence interval); corrected ${fixed(optimism.corrected)}. n = ${optimism.drawn} ${optimism.units}, ${plural(optimism.candidates, "candidate")}.</p>${table(
    [
      ["", "on those drawn", "on those left out"],
      ["the re-selected winner", fixed(optimism.inSample), fixed(optimism.outOfBag)],
      ...(optimism.unselected === null
        ? []
        : [
            [
              `${name(optimism.unselected.candidate)}, selected by nobody`,
              fixed(optimism.unselected.inSample),
              fixed(optimism.unselected.outOfBag)
            ]
          ])
    ],
    { caption: `Means over the resamples of ${optimism.units}` }
  )}${table(
    [
      ["candidate", "selected"],
      ...optimism.selected
        .slice(0, 12)
        .map(({ candidate, share }) => [name(candidate), `${(100 * share).toFixed(1)} %`])
    ],
    { caption: "How often each is selected" }
  )}</section>`
}

const wallHtml = (audit: Audit): Html => {
  const { wall } = audit
  if (wall === null) return nothing
  const name = nameOf(audit)
  return html`<section class="sub"><h3>The wall</h3><p>At the seed’s fixed threshold${wall.threshold === null ? "" : ` ${Number(wall.threshold.toFixed(4))}`}, <b>${wall.feasible} of ${wall.of}</b> candidates keep to false alarms of at most ${Math.round(wall.cap * 100)} %.${wall.bestFixed === null ? "" : ` ${name(wall.bestFixed)} detects most of them.`}</p>${details(
    "Every candidate at that threshold",
    table(
      [
        ["candidate", "detection 95 %", "n", "false alarms 95 %", "n", "under the cap"],
        ...wall.points.flatMap(({ candidate, fixed: at }) =>
          at === null
            ? []
            : [
                [
                  name(candidate),
                  rateWithBounds(at.detection),
                  at.detection.n,
                  rateWithBounds(at.falseAlarms),
                  at.falseAlarms.n,
                  at.feasible ? "yes" : "no"
                ]
              ]
        )
      ],
      { caption: "Detection and false alarms at one fixed threshold; Wilson’s intervals" }
    )
  )}</section>`
}

const flipsLine = ({ flips }: Audit): Html =>
  flips === null
    ? nothing
    : html`<p>Flips against the seed: ${flips.gained.length} pairs gained, ${flips.lost.length} lost, of ${flips.pairs} that both have scores for (${plural(flips.consultations, "consultation")}); ${flips.p === null ? "nothing to test" : `sign test ${pValue(flips.p)}`}.</p>`

const costHtml = (audit: Audit): Html =>
  audit.cost.length === 0
    ? nothing
    : html`<section class="sub"><h3>Cost against gain</h3>${table(
        [
          [
            "candidate",
            "characters",
            "tokens",
            "answers",
            "input a note",
            "output a note",
            "dollars a note",
            "primary",
            "gain",
            "growth"
          ],
          ...audit.cost.map((one) => [
            nameOf(audit)(one.candidate),
            integer(one.size.characters),
            integer(one.size.tokens),
            one.answers,
            one.inputTokens === null ? "unknown" : one.inputTokens.toFixed(0),
            one.outputTokens === null ? "unknown" : one.outputTokens.toFixed(0),
            one.usd === null ? "unknown" : `$${one.usd.toFixed(5)}`,
            fixed(one.primary),
            one.gain === null ? "–" : signed(one.gain),
            `${one.growth < 0 ? "−" : "+"}${integer(Math.abs(one.growth))}`
          ])
        ],
        {
          caption:
            "What a note costs with each candidate; tokens of the instruction are counted by a tokenizer of other models"
        }
      )}</section>`

const ablationHtml = ({ ablation }: Audit): Html => {
  if (ablation === null) return nothing
  const rows = ablation.paragraphs.map((one) => [
    one.text.length > 240 ? `${one.text.slice(0, 240)}…` : one.text,
    one.verdict,
    one.carries.difference === null ? "–" : signed(one.carries.difference),
    bounds(one.carries),
    `${one.carries.n} of ${one.carries.consultations}`,
    one.size.characters
  ])
  return html`<section class="sub"><h3>What each paragraph carries</h3>${table(
    [["paragraph", "verdict", "carries", "95 %", "n of consultations", "characters"], ...rows],
    { caption: `${ablation.measure.measure} with the paragraph less that without it, on the acceptance part` }
  )}${remarks([
    ...(ablation.failed === 0 ? [] : [`${plural(ablation.failed, "judgement")} could not be had, and is left out`]),
    ...intervalRemarks(rows)
  ])}</section>`
}

/** Findings of the audit. `quotes`: whether what it quotes of the data may be shown. */
export const auditPart = (audit: ReportInput["audit"], run: string, options: { readonly quotes: boolean }): Html => {
  if (typeof audit === "string")
    return html`<p class="empty">This report is without an audit: ${foreign(audit)} <code>assize audit ${run}</code> says what of an evolved instruction is real.</p>`
  const { notKnown, subject } = audit
  return html`<p>Of ${foreign(nameOf(audit)(subject.candidate))}${subject.seed === null ? "" : ` against its seed ${nameOf(audit)(subject.seed)}`}. Bootstraps: ${integer(audit.settings.resamples)} resamples of consultations, seed ${audit.settings.seed}.</p>${separationHtml(audit)}${leakageHtml(audit, options.quotes)}${contentHtml(audit)}${optimismHtml(audit)}${wallHtml(audit)}${flipsLine(audit)}${costHtml(audit)}${ablationHtml(audit)}${remarks(notKnown.map(({ section, why }) => `${section}: not known, ${why}`))}`
}
