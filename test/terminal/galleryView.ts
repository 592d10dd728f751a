import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import { loadCampaign } from "../../src/campaign/load.ts"
import type { RunEvent } from "../../src/domain/RunEvent.ts"
import { makeProgress } from "../../src/judge/Progress.ts"
import { RunState } from "../../src/optimise/RunState.ts"
import { frame, type Size } from "../../src/terminal/frame.ts"
import { RunLog } from "../../src/terminal/RunLog.ts"
import { type RunView, viewOf } from "../../src/terminal/RunView.ts"
import type { Ui } from "../../src/terminal/ui.ts"
import { galleryEvents, galleryTime } from "./gallery.ts"
import { campaignFile } from "./galleryStore.ts"

const { campaign } = await Effect.runPromise(loadCampaign(campaignFile).pipe(Effect.provide(NodeServices.layer)))
const nothing = { calls: 0, tokens: 0, usd: 0, unpriced: 0, seconds: 0 }

/** The gallery as `runs watch` sees it when nothing was bought. */
export const galleryView = (events: ReadonlyArray<RunEvent> = galleryEvents, alive = false): RunView => {
  const state = new RunState()
  const log = new RunLog()
  const { iterations, stall } = campaign.search
  for (const [sequence, event] of events.entries()) {
    state.apply(event)
    log.seen(event, state, new Date(galleryTime(sequence)), { runId: "gallery-1", campaignFile, iterations })
  }
  return viewOf(state, makeProgress(), {
    runId: "gallery-1",
    iterations,
    stall,
    limits: campaign.budget,
    usage: nothing,
    watched: { alive },
    log
  })
}

/** The screen as text, without spaces at line ends. */
export const screenOf = (view: RunView, ui: Ui, size: Size): string =>
  frame(view, ui, size)
    .lines.map((line) =>
      line
        .map(({ text }) => text)
        .join("")
        .trimEnd()
    )
    .join("\n")

/** The sizes that snapshots are kept of. */
export const sizes: ReadonlyArray<Size> = [
  { columns: 80, rows: 24 },
  { columns: 60, rows: 16 },
  { columns: 200, rows: 50 }
]

export const snapshotFile = (size: Size, pane: string): string =>
  `${import.meta.dirname}/screens/${size.columns}x${size.rows}-${pane}.txt`
