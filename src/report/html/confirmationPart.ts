import { signed } from "../../terminal/format.ts"
import { confirmationsTable, type KnownConfirmation } from "../confirmationsTable.ts"
import { readOutHead, readOutSections } from "../readOutSections.ts"
import { pText } from "../scoreFormat.ts"
import { type ForestRow, forest } from "./forest.ts"
import { details, foreign, type Html, html, nothing, sectionHtml } from "./markup.ts"
import { measureName } from "./summaryPart.ts"

/** What is read first; the rest is there for those who ask. */
const first = /^(verdict|the gate|noise floor|secondary tests)/i

const rowsOf = ({ readOut }: KnownConfirmation): ReadonlyArray<ForestRow> =>
  readOut.gates.flatMap(({ above, measured, part, role }) =>
    measured.difference === null
      ? []
      : [
          {
            name: `${part}, ${role}: ${measureName(measured.measure.measure)}`.replace(", primary", "").slice(0, 44),
            difference: measured.difference,
            interval: measured.interval,
            above,
            words: `${signed(measured.difference)} ${measured.interval === null ? "[–]" : `[${signed(measured.interval[0], 2)}, ${signed(measured.interval[1], 2)}]`}${measured.p === null ? "" : `, p ${measured.p < 0.0001 ? "" : "= "}${pText(measured.p)}`}`
          }
        ]
  )

const one = (confirmation: KnownConfirmation): Html => {
  const { openings, readOut } = confirmation
  const sections = readOutSections(readOut, { whole: true })
  const at = (wanted: boolean) => sections.filter(({ title }) => first.test(title) === wanted)
  return html`<article>${readOutHead(readOut, openings ?? 1).map((line, place) =>
    openings === null && place === 0
      ? html`<p>How often the holdout of this split has been opened is not known: its ledger is not at hand, or lacks lines.</p>`
      : html`<p>${foreign(line)}</p>`
  )}${forest(rowsOf(confirmation), "Gain over the baseline with 95 % intervals")}<p class="note">Squares: the gain; lines: 95 %, by a bootstrap of consultations; dashed: what the gate asked for. The acceptance part chose the candidate, so its gain is flattered.</p>${at(true).map(sectionHtml)}${details("All figures of the read-out: holdout and acceptance, cost", html`${at(false).map(sectionHtml)}`)}</article>`
}

/** What the holdout said, each finished confirmation of the run; the newest first. */
export const confirmationPart = (known: ReadonlyArray<KnownConfirmation>, run: string): Html =>
  known.length === 0
    ? html`<p class="empty">This run has not been confirmed. The holdout’s notes are sealed, and no figure of them exists. <code>assize confirm ${run}</code> writes down what will be tested, opens the holdout once, and decides.</p>`
    : html`${known.length === 1 ? nothing : sectionHtml(confirmationsTable(known))}${known.map(one)}`
