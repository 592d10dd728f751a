import type { RunView } from "./RunView.ts"

/** What the view itself remembers; everything else comes from the run. */
export interface Ui {
  readonly overlay: "none" | "help" | "quit"
  /** First row of the frontier that is shown. */
  readonly scroll: number
  /** Whether this view has asked the run to end. */
  readonly quitting: boolean
}

export const initialUi: Ui = { overlay: "none", scroll: 0, quitting: false }

/** What a key asks of the run. */
export type Action = "pause" | "resume" | "stop-after" | "go-on" | "quit" | "quit-now"

export type KeyName = "up" | "down" | "page-up" | "page-down" | "home" | "end" | "escape" | "ctrl-c"

export interface Pressed {
  readonly ui: Ui
  readonly action?: Action
}

/** How far the frontier can be scrolled, and by how much a page is. */
export interface Scrolling {
  readonly max: number
  readonly page: number
}

const ending = (view: Pick<RunView, "status">, ui: Ui) => ui.quitting || view.status === "draining"

/** What a key does now. `key` is a character as typed, or the name of a key that types none. */
export const press = (
  ui: Ui,
  key: KeyName | (string & {}),
  view: Pick<RunView, "status" | "stopAsked">,
  { max, page }: Scrolling
): Pressed => {
  if (key === "ctrl-c")
    return ending(view, ui)
      ? { ui, action: "quit-now" }
      : { ui: { ...ui, overlay: "none", quitting: true }, action: "quit" }
  if (ui.overlay === "quit") {
    if (key === "q" && !ending(view, ui)) return { ui: { ...ui, overlay: "none", quitting: true }, action: "quit" }
    return key === "escape" ? { ui: { ...ui, overlay: "none" } } : { ui }
  }
  if (ui.overlay === "help" && (key === "escape" || key === "?" || key === "q"))
    return { ui: { ...ui, overlay: "none" } }
  const scrolled = (by: number): Pressed => ({
    ui: { ...ui, scroll: Math.min(max, Math.max(0, Math.min(ui.scroll, max) + by)) }
  })
  switch (key) {
    case "?":
    case "h":
      return { ui: { ...ui, overlay: "help" } }
    case "up":
    case "k":
      return scrolled(-1)
    case "down":
    case "j":
      return scrolled(1)
    case "page-up":
      return scrolled(-page)
    case "page-down":
      return scrolled(page)
    case "home":
    case "g":
      return scrolled(-max)
    case "end":
    case "G":
      return scrolled(max)
  }
  if (view.status === "stopped" || ending(view, ui)) return { ui }
  switch (key) {
    case "p":
      return { ui, action: view.status === "paused" ? "resume" : "pause" }
    case "s":
      return { ui, action: view.stopAsked ? "go-on" : "stop-after" }
    case "q":
      return { ui: { ...ui, overlay: "quit" } }
  }
  return { ui }
}

/** The keys that do something now, for the footer, most wanted first. */
export const keysNow = (
  ui: Ui,
  view: Pick<RunView, "status" | "stopAsked">,
  canScroll: boolean
): ReadonlyArray<string> => {
  if (ui.overlay === "help") return ["Esc close"]
  const always = [...(canScroll ? ["↑↓ scroll"] : []), "? help"]
  if (view.status === "stopped") return always
  if (ending(view, ui)) return ["Ctrl-C leave at once", ...always]
  return [
    view.status === "paused" ? "p resume" : "p pause",
    view.stopAsked ? "s do not stop" : "s stop after iteration",
    "q quit",
    ...always
  ]
}

export const quitQuestion = "q again to stop after the calls under way; Esc to keep running"

export const help: ReadonlyArray<readonly [string, string]> = [
  ["p", "pause: no new calls, those under way finish; p again resumes"],
  ["", "paused for want of answers: p tries again now"],
  ["s", "stop after this iteration; s again takes it back"],
  ["q", "quit, asked once: finish calls under way, keep everything"],
  ["Ctrl-C", "quit without being asked; a second one leaves at once"],
  ["↑ ↓ j k", "scroll the frontier; PgUp, PgDn, g and G for more"],
  ["? Esc", "open and close this help"],
  ["", ""],
  ["", "However it ends, the same command goes on with the run."],
  ["", "Nothing that was bought is bought again."]
]
