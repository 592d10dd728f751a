import type { Pane } from "./panes.ts"

/** What the view itself remembers; everything else comes from the run. */
export interface Ui {
  readonly overlay: "none" | "help" | "quit"
  readonly pane: Pane
  /** First row shown, by pane; beyond the last means at the end, and staying there. */
  readonly scroll: Readonly<Record<Pane, number>>
  /** First column of the heat map that is shown. */
  readonly across: number
  /** The candidate that somebody chose, by id; undefined follows what is newest. */
  readonly chosen: string | undefined
  /** Which of a candidate's parents it is held against. */
  readonly parent: number
  /** Whether this view has asked the run to end. */
  readonly quitting: boolean
}

export const initialUi: Ui = {
  overlay: "none",
  pane: "overview",
  scroll: { overview: 0, frontier: 0, lineage: 0, heat: 0, diff: 0, log: Number.POSITIVE_INFINITY },
  across: 0,
  chosen: undefined,
  parent: 0,
  quitting: false
}
