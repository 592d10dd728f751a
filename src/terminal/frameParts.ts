import { firstThatFits } from "./fitted.ts"
import { duration, integer, money, percent, share } from "./format.ts"
import { bar, ends, type Line, lineWidth, span, type Tone } from "./line.ts"
import { type Pane, panes, paneTitle } from "./panes.ts"
import type { BudgetLine, OutcomeRow, RunView, Status } from "./RunView.ts"
import { cell, fit, widthOf } from "./width.ts"
import { embeddedLabel } from "./words.ts"

const statusTones: Readonly<Record<Status, Tone>> = {
  starting: "dim",
  running: "good",
  paused: "warn",
  stopping: "warn",
  draining: "warn",
  stopped: "inverse",
  interrupted: "warn"
}

/** Who runs what, its state, and the label that its figures need. */
export const titleLines = (view: RunView, width: number, withModels: boolean): ReadonlyArray<Line> => {
  const name = [span("assize ", "dim"), span(view.campaign, "bold"), span(`  run ${view.runId}`, "dim")]
  const state = view.status.toUpperCase()
  // The note gives way to the names, down to a quarter of the line.
  const forNote = Math.max(Math.floor(width / 4), width - lineWidth(name) - state.length - 3)
  const status = [
    span(state, statusTones[view.status]),
    // The log has the whole note; its first half says why by itself.
    ...(view.statusNote === ""
      ? []
      : [
          span(
            ` ${fit(firstThatFits(forNote, [view.statusNote, view.statusNote.replace(/^((?:broken: )?[^:]*): .*$/, "$1")]), forNote)}`
          )
        ])
  ]
  return [
    ends(name, status, width),
    ...(withModels
      ? [[span("judge ", "dim"), span(view.judge), span("  reflection ", "dim"), span(view.reflection)]]
      : []),
    ...(view.embedded ? [[span(`[${embeddedLabel}]`, "warn")]] : [])
  ]
}

export const iterationLine = (view: RunView, width: number): Line => {
  const { done, total } = view.iteration
  const counts = `  ${view.accepted} accepted, ${view.rejected} rejected`
  const progress = total === null ? `${done}` : `${done}/${total}`
  // The figures say more than the bar does.
  const room = Math.min(barWidth(width), width - 13 - progress.length - counts.length)
  return [
    span("iterations ", "dim"),
    ...(room < 6 || total === null ? [] : [span(`${bar(total === 0 ? 0 : done / total, room)} `, "accent")]),
    span(progress, "bold"),
    span(counts)
  ]
}

const barWidth = (width: number): number => Math.max(8, Math.min(24, Math.floor(width / 5)))

/** Why proposals were rejected, and how near the run is to giving up. */
export const rejectionLine = (view: RunView): Line => {
  if (view.rejections.length === 0) return [span("rejected   –", "dim")]
  const reasons = view.rejections.map(({ count, reason }) => `${reason} ${count}`).join(", ")
  const row = view.stall === null ? "" : `${view.rejectionsInARow} of ${view.stall} in a row; `
  return [span("rejected   ", "dim"), span(row), span(reasons)]
}

/** What became of the run's judgements, and how many are of this sitting where there were others. */
export const judgementLines = ({ judgements, sitting }: RunView): ReadonlyArray<Line> => {
  const { failed, scored, unparsed } = judgements
  return [
    [
      span("judgements ", "dim"),
      span(`${integer(scored)} scored, `),
      span(`${integer(unparsed)} unreadable, ${integer(failed)} failed`, unparsed + failed > 0 ? "warn" : undefined),
      span(
        sitting === null ? "" : `; this sitting ${integer(sitting.scored + sitting.unparsed + sitting.failed)}`,
        "dim"
      )
    ]
  ]
}

export const stepLine = (view: RunView, width: number): Line => {
  const { done, label, total } = view.step
  if (view.trouble !== undefined) return [span("trouble    ", "dim"), span(view.trouble, "warn")]
  if (label === "") return [span("now        ", "dim"), span("–", "dim")]
  if (total === 0) return [span("now        ", "dim"), span(label)]
  const size = barWidth(width)
  return [
    span("now        ", "dim"),
    span(bar(done / total, size), "accent"),
    span(` ${done}/${total}`, "bold"),
    span(` ${label}`)
  ]
}

const nearLimit = (share: number | null): Tone | undefined => (share !== null && share >= 0.9 ? "warn" : undefined)

/** What may be spent yet; empty where a price is unknown or nothing costs anything. */
const toCome = ({ left, usedUsd }: RunView): string =>
  left === null || left.usd === null || usedUsd === null || (left.usd === 0 && usedUsd === 0)
    ? ""
    : `, about ${money(left.usd)} more, ${money(usedUsd + left.usd)} in all`

const left = (view: RunView): string | undefined =>
  view.left === null
    ? undefined
    : `about ${duration(view.left.seconds)} left${view.left.endsBy === "iterations" ? "" : `, until the ${view.left.endsBy} limit`}${toCome(view)}`

const budgetEntries = (lines: ReadonlyArray<BudgetLine>, withShares: boolean): Line =>
  lines.flatMap(({ limit, name, share: of, used }, at) => [
    span(`${at === 0 ? "" : "  "}${name} `, "dim"),
    span(
      `${used}${limit === null ? "" : `/${limit}`}${of === null || !withShares ? "" : ` ${percent(of)}`}`,
      nearLimit(of)
    )
  ])

/**
 * The budget on one line: the limits first, the nearest before the others since it may end the run, then money, which
 * people ask for. Where that is too wide, the shares go, then what comes last; no figure is cut.
 */
export const budgetLine = (view: RunView, width: number): Line => {
  const rank = ({ limit, name }: BudgetLine) => (limit !== null ? 0 : name === "money" ? 1 : 2)
  const sorted = [...view.budget].sort((a, b) => rank(a) - rank(b) || (b.share ?? 0) - (a.share ?? 0))
  const wordings = [
    budgetEntries(sorted, width >= 78),
    ...sorted.map((_, less) => {
      const line = budgetEntries(sorted.slice(0, sorted.length - less), false)
      return less === 0 ? line : [...line, span("  …", "dim")]
    })
  ]
  return wordings.find((line) => lineWidth(line) <= width) ?? wordings.at(-1)!
}

/** How long it may take yet, as much of it as has room. */
const leftSpans = (view: RunView, width: number): Line => {
  const [text, basis] = [left(view) ?? "not known yet", view.left === null ? "" : ` (${view.left.basis})`]
  if (widthOf(text + basis) <= width) return [span(text), span(basis, "dim")]
  return [span(firstThatFits(width, [text, text.replace(/, [^,]* in all$/, ""), text.replace(/, about .*$/, "")]))]
}

export const leftLine = (view: RunView, width: number): Line => [
  span("left       ", "dim"),
  ...leftSpans(view, width - 11)
]

/** Where the run stands, in the one line that panes have for it: as much as has room. */
export const standingLine = (view: RunView, width: number): Line => {
  const { done, total } = view.iteration
  const cost = view.budget.find(({ name }) => name === "money")
  const parts = [
    `${done}${total === null ? "" : `/${total}`} iterations, ${view.accepted} accepted`,
    ...(view.trouble === undefined ? [] : [view.trouble]),
    ...(cost === undefined ? [] : [`cost ${cost.used}${cost.limit === null ? "" : ` of ${cost.limit}`}`]),
    ...(view.left === null ? [] : [left(view)!]),
    ...(view.step.label === "" ? [] : [`now ${view.step.label}`])
  ]
  let text = ""
  for (const part of parts) {
    const next = text === "" ? part : `${text}; ${part}`
    if (widthOf(next) > width && text !== "") break
    text = next
  }
  return [span(text, view.trouble === undefined ? "dim" : "warn")]
}

/** The panes by their number keys; the one that is shown stands in brackets. */
export const tabLine = (shown: Pane): Line =>
  panes.flatMap((pane, at): Line => {
    const title = `${at + 1} ${paneTitle[pane]}`
    return pane === shown ? [span(`[${title}]`, "bold")] : [span(` ${title} `, "dim")]
  })

/** The budget with a bar for each limit; where that is too wide, without the shares that the bars show, or the bars. */
export const budgetBlock = (view: RunView, width: number): ReadonlyArray<Line> => {
  const size = Math.max(8, Math.min(16, width - 34))
  return [
    ...view.budget.map(({ limit, name, share: of, used }): Line => {
      const figures = limit === null ? used : `${used} of ${limit}`
      const room = width - 8 - (of === null ? 0 : size + 1)
      const text = firstThatFits(room, [
        `${figures}${of === null || limit === null ? "" : ` (${percent(of)})`}`,
        figures
      ])
      return [
        span(cell(name, 8), "dim"),
        ...(of === null || widthOf(text) > room ? [] : [span(`${bar(of, size)} `, nearLimit(of) ?? "accent")]),
        span(text, nearLimit(of))
      ]
    }),
    [span(cell("left", 8), "dim"), ...leftSpans(view, width - 8)]
  ]
}

/** The parent of a proposal; both of a merge, each with half of the room. */
const parentsText = ({ parent, partner }: OutcomeRow, room: number): string => {
  if (partner === undefined) return fit(parent, Math.min(room, 20))
  const half = Math.max(Math.floor((room - 1) / 2), room - 1 - Math.min(widthOf(parent), widthOf(partner)))
  return `${fit(parent, half)}+${fit(partner, room - 1 - widthOf(fit(parent, half)))}`
}

/** One decided iteration. */
export const outcomeLine = (row: OutcomeRow, width: number): Line => {
  const rewards = row.childReward === null ? "" : ` reward ${share(row.parentReward)} → ${share(row.childReward)}`
  const short = width < 78
  const verdict = row.accepted || short ? row.reason : `rejected ${row.reason}`
  return [
    span(cell(String(row.iteration), 4, "right"), "dim"),
    span(row.accepted ? " ✓ " : " ✗ ", row.accepted ? "good" : "dim"),
    span(cell(verdict, short ? 17 : 26), row.accepted ? "good" : undefined),
    span(` from ${parentsText(row, short ? 10 : width < 100 ? 20 : 41)}`),
    span(rewards === "" ? `: ${row.detail}` : rewards, "dim")
  ]
}
