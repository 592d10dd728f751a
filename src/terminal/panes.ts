/** The panes of a live view, in the order of their number keys. */
export const panes = ["overview", "frontier", "lineage", "heat", "diff", "log"] as const
export type Pane = (typeof panes)[number]

export const paneTitle: Readonly<Record<Pane, string>> = {
  overview: "overview",
  frontier: "frontier",
  lineage: "lineage",
  heat: "heat",
  diff: "diff",
  log: "log"
}

/** The pane so many places further on, around the end. */
export const paneAfter = (pane: Pane, by: number): Pane =>
  panes[(panes.indexOf(pane) + by + panes.length) % panes.length]!
