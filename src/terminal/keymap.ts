import { type Pane, paneAfter, panes, paneTitle } from "./panes.ts"
import type { RunView } from "./RunView.ts"
import type { Scrolling } from "./scrolling.ts"
import type { Ui } from "./ui.ts"

/** What a key asks of the run. */
export type Action = "pause" | "resume" | "stop-after" | "go-on" | "quit" | "quit-now" | "suspend"

export type KeyName =
  | "up"
  | "down"
  | "left"
  | "right"
  | "page-up"
  | "page-down"
  | "home"
  | "end"
  | "escape"
  | "enter"
  | "tab"
  | "back-tab"
  | "ctrl-c"
  | "ctrl-z"

export interface Pressed {
  readonly ui: Ui
  readonly action?: Action
}

/** What keys look at. */
export interface KeyContext {
  readonly ui: Ui
  readonly view: Pick<RunView, "status" | "stopAsked" | "watching">
  readonly scrolling: Scrolling
}

/** Keys, and what they do now. */
export interface Binding {
  /** For whoever runs, or for whoever only looks on; for both when left out. */
  readonly only?: "runs" | "watches"
  /** Works under help and questions, too. */
  readonly always?: true
  readonly keys: ReadonlyArray<KeyName | (string & {})>
  /** The keys as the footer and the help name them. */
  readonly shown: string
  /** What it does now, for the footer; undefined for a key that only the help names. */
  readonly label?: (context: KeyContext) => string
  /** A line for each thing that it may do. */
  readonly help: ReadonlyArray<string>
  /** Whether it does anything now; always when left out. */
  readonly when?: (context: KeyContext) => boolean
  readonly does: (context: KeyContext, key: string) => Pressed
}

const ending = ({ ui, view }: KeyContext): boolean => ui.quitting || view.status === "draining"
export const isUnderWay = (context: KeyContext): boolean => context.view.status !== "stopped" && !ending(context)
const choosing = ({ scrolling }: KeyContext): boolean => (scrolling.candidates?.length ?? 0) > 0

/** The pane scrolled, or another candidate chosen where the pane lists them. */
const moved = ({ scrolling, ui }: KeyContext, by: number): Pressed => {
  const { candidates, chosen = -1, max } = scrolling
  if (candidates !== undefined && candidates.length > 0 && ui.pane !== "diff") {
    const from = chosen < 0 ? (by > 0 ? -1 : 0) : chosen
    const at = Math.min(candidates.length - 1, Math.max(0, from + by))
    return { ui: { ...ui, chosen: candidates[at], parent: 0 } }
  }
  const first = Math.min(max, Math.max(0, Math.min(ui.scroll[ui.pane], max) + by))
  // At its end the log goes on with what comes.
  const kept = ui.pane === "log" && first === max ? Number.POSITIVE_INFINITY : first
  return { ui: { ...ui, scroll: { ...ui.scroll, [ui.pane]: kept } } }
}

const sideways = ({ scrolling, ui }: KeyContext, by: -1 | 1): Pressed => {
  const { across, candidates, chosen = -1 } = scrolling
  if (across !== undefined)
    return {
      ui: { ...ui, across: Math.min(across.max, Math.max(0, Math.min(ui.across, across.max) + by * across.page)) }
    }
  if (candidates === undefined || candidates.length === 0) return { ui }
  const from = chosen < 0 ? candidates.length : chosen
  const at = Math.min(candidates.length - 1, Math.max(0, from + by))
  return { ui: { ...ui, chosen: candidates[at], parent: 0, scroll: { ...ui.scroll, diff: 0 } } }
}

const toMark = ({ scrolling, ui }: KeyContext, forwards: boolean): Pressed => {
  const { marks = [], max } = scrolling
  const from = Math.min(ui.scroll.diff, max)
  const found = forwards ? marks.find((row) => row > from) : marks.findLast((row) => row < from)
  return found === undefined ? { ui } : { ui: { ...ui, scroll: { ...ui.scroll, diff: Math.min(found, max) } } }
}

const to = (ui: Ui, pane: Pane): Pressed => ({ ui: { ...ui, pane, overlay: "none" } })

const far = 1_000_000

/** The keys in the order of the footer, most wanted first; the first that fits is taken. */
export const keymap: ReadonlyArray<Binding> = [
  {
    only: "runs",
    always: true,
    keys: ["ctrl-c"],
    shown: "Ctrl-C",
    label: () => "leave at once",
    help: [],
    when: ending,
    does: ({ ui }) => ({ ui, action: "quit-now" })
  },
  {
    only: "runs",
    keys: ["p"],
    shown: "p",
    label: ({ view }) => (view.status === "paused" ? "resume" : "pause"),
    help: ["pause: finish calls under way; again: resume", "paused for want of answers: try again now"],
    when: isUnderWay,
    does: ({ ui, view }) => ({ ui, action: view.status === "paused" ? "resume" : "pause" })
  },
  {
    only: "runs",
    keys: ["s"],
    shown: "s",
    label: ({ view }) => (view.stopAsked ? "do not stop" : "stop after iteration"),
    help: ["stop after this iteration; again: take it back"],
    when: isUnderWay,
    does: ({ ui, view }) => ({ ui, action: view.stopAsked ? "go-on" : "stop-after" })
  },
  {
    only: "runs",
    keys: ["q"],
    shown: "q",
    label: () => "quit",
    help: ["quit, asked once; calls under way are kept"],
    when: isUnderWay,
    does: ({ ui }) => ({ ui: { ...ui, overlay: "quit" } })
  },
  {
    only: "runs",
    always: true,
    keys: ["ctrl-c"],
    shown: "Ctrl-C",
    help: ["quit unasked; a second one leaves at once"],
    does: ({ ui }) => ({ ui: { ...ui, overlay: "none", quitting: true }, action: "quit" })
  },
  {
    only: "watches",
    keys: ["q"],
    shown: "q",
    label: ({ view }) => (view.status === "running" ? "detach" : "leave"),
    help: ["leave; the run goes on without you"],
    does: ({ ui }) => ({ ui, action: "quit" })
  },
  {
    only: "watches",
    always: true,
    keys: ["ctrl-c"],
    shown: "Ctrl-C",
    help: ["leave, too"],
    does: ({ ui }) => ({ ui, action: "quit" })
  },
  {
    keys: ["?", "h"],
    shown: "?",
    label: () => "help",
    help: ["open and close this help"],
    does: ({ ui }) => ({ ui: { ...ui, overlay: "help" } })
  },
  {
    keys: ["tab", ...panes.map((_, at) => String(at + 1))],
    shown: "1–6 Tab",
    label: () => "panes",
    help: [panes.map((pane) => paneTitle[pane]).join(", ")],
    does: ({ ui }, key) => to(ui, key === "tab" ? paneAfter(ui.pane, 1) : panes[Number(key) - 1]!)
  },
  {
    keys: ["back-tab"],
    shown: "Shift-Tab",
    help: [],
    does: ({ ui }) => to(ui, paneAfter(ui.pane, -1))
  },
  {
    keys: ["up", "down", "k", "j", "page-up", "page-down", "home", "end", "g", "G"],
    shown: "↑↓",
    label: ({ ui }) => (ui.pane === "frontier" || ui.pane === "lineage" || ui.pane === "heat" ? "choose" : "scroll"),
    help: ["scroll, or choose; j k, PgUp, PgDn, g, G too"],
    when: (context) => context.scrolling.max > 0 || (choosing(context) && context.ui.pane !== "diff"),
    does: (context, key) => {
      const { page } = context.scrolling
      const by: Readonly<Record<string, number>> = { up: -1, k: -1, down: 1, j: 1, "page-up": -page, "page-down": page }
      return moved(context, by[key] ?? (key === "home" || key === "g" ? -far : far))
    }
  },
  {
    keys: ["enter"],
    shown: "Enter",
    label: () => "diff",
    help: ["diff of the chosen candidate's prompt"],
    when: (context) => choosing(context) && context.ui.pane !== "diff",
    does: ({ scrolling, ui }) => {
      const { candidates = [], chosen = -1 } = scrolling
      return {
        ui: { ...ui, pane: "diff", chosen: candidates[Math.max(0, chosen)], scroll: { ...ui.scroll, diff: 0 } }
      }
    }
  },
  {
    keys: ["left", "right"],
    shown: "←→",
    label: ({ ui }) => (ui.pane === "heat" ? "sideways" : "candidate"),
    help: ["heat: further notes; diff: another candidate"],
    when: (context) => (context.scrolling.across?.max ?? 0) > 0 || (context.ui.pane === "diff" && choosing(context)),
    does: (context, key) => sideways(context, key === "left" ? -1 : 1)
  },
  {
    keys: ["n", "N"],
    shown: "n N",
    label: () => "change",
    help: ["diff: the next change, the one before"],
    when: ({ scrolling }) => scrolling.max > 0 && (scrolling.marks?.length ?? 0) > 0,
    does: (context, key) => toMark(context, key === "n")
  },
  {
    keys: ["m"],
    shown: "m",
    label: () => "other parent",
    help: ["diff of a merge: against its other parent"],
    when: ({ scrolling }) => scrolling.otherParent === true,
    does: ({ ui }) => ({ ui: { ...ui, parent: ui.parent + 1, scroll: { ...ui.scroll, diff: 0 } } })
  },
  {
    keys: ["escape"],
    shown: "Esc",
    label: () => "follow newest",
    help: ["choose no candidate: follow the newest again"],
    when: ({ ui }) => ui.chosen !== undefined,
    does: ({ ui }) => ({ ui: { ...ui, chosen: undefined, parent: 0, scroll: { ...ui.scroll, diff: 0 } } })
  },
  {
    keys: ["ctrl-z"],
    shown: "Ctrl-Z",
    help: ["suspend this process; fg goes on"],
    does: ({ ui }) => ({ ui, action: "suspend" })
  }
]
