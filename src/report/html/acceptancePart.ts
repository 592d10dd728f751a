import { judgedOfOutcomes, notesOfTable } from "../../confirm/acceptancePart.ts"
import { acceptanceOutcomes, type ItemTable } from "../../domain/RunEvent.ts"
import { type ScoreReport, scoreReport } from "../../measure/scoreReport.ts"
import { usualResampling } from "../../measure/usualResampling.ts"
import type { RunState } from "../../optimise/RunState.ts"
import { modelName, usesEmbedded } from "../../terminal/words.ts"
import { headLines, scoreSections } from "../scoreSections.ts"
import { baselineOf } from "./buildData.ts"
import { details, foreign, type Html, html, nothing, sectionHtml } from "./markup.ts"
import type { ReportInput } from "./ReportInput.ts"

/** Winner and seeds on the acceptance part by every measure of `assize score`; undefined before anything is evaluated. */
export const acceptanceReport = (input: ReportInput, state: RunState): ScoreReport | undefined => {
  const { index, winner } = state
  if (index === undefined || winner === undefined || index.table.pairs.length === 0) return undefined
  const { judge, models, objective, search } = input.run.settings
  const baseline = baselineOf(state)
  const shown = [...new Set([winner, ...(baseline === undefined ? [] : [baseline])])]
  const table: ItemTable = index.table
  const known = acceptanceOutcomes(input.logged.map(({ event }) => event))
  const runs = shown.flatMap(({ candidate }) => {
    const outcomes = known.get(candidate.id)
    return outcomes === undefined ? [] : [judgedOfOutcomes(candidate.name, String(search.seed), table, outcomes)]
  })
  const origins = new Map(
    shown.map(({ candidate, figures }) => [
      candidate.name,
      {
        model: modelName(models.judge),
        embedded: usesEmbedded(input.run.settings),
        samples: judge.samples,
        failed: [figures.failed],
        chosenBy: winner.candidate === candidate ? input.run.id : null
      }
    ])
  )
  const capped = [objective.secondary, objective.primary].find((measure) => measure?.measure === "detection")
  return scoreReport(
    {
      source: `run ${input.run.id}, acceptance part`,
      set: notesOfTable(table),
      runs,
      origins,
      compare: shown.length < 2 ? [] : [[shown[0]!.candidate.name, shown[1]!.candidate.name]]
    },
    {
      cap: capped?.measure === "detection" ? capped.maxFalseAlarms : 0.1,
      ...usualResampling,
      ...(objective.primary.classes === undefined ? {} : { classes: objective.primary.classes })
    }
  )
}

/** The same in tables, folded. */
export const acceptancePart = (report: ScoreReport | undefined): Html =>
  report === undefined
    ? nothing
    : details(
        "Winner and best seed at length: separation, detection, verdicts, breakdowns, comparison",
        html`${headLines(report).map((line) => html`<p class="note">${foreign(line)}</p>`)}${scoreSections(report).map(sectionHtml)}`
      )
