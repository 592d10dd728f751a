import type { Line } from "../line.ts"
import type { Scrolling } from "../scrolling.ts"

/** What a pane shows in its room, and how it can be moved through. */
export interface PaneFrame {
  readonly lines: ReadonlyArray<Line>
  readonly scrolling: Scrolling
}
