import * as Effect from "effect/Effect"
import type { Mounted, RunControls } from "./LiveRun.tsx"
import type { RunView } from "./RunView.ts"
import { oneLine } from "./width.ts"

export type { RunControls } from "./LiveRun.tsx"

/**
 * Runs `run` with its view on the terminal, and gives the terminal back when it ends, fails or is interrupted. Prints
 * nothing of its own afterwards. A view that breaks is taken off; the run goes on without it. Loads Ink on first use.
 */
export const runLive = <A, E, R>(
  read: () => RunView,
  controls: RunControls,
  run: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.promise(async () => {
      // Ink and React read it as they load; the development build takes twice the time.
      process.env["NODE_ENV"] ??= "production"
      const { mount } = await import("./LiveRun.tsx")
      const mounted: Mounted = mount({ read, controls, colour: (process.env["NO_COLOR"] ?? "") === "" })
      mounted.gone.catch((error: unknown) => {
        process.stderr.write(`the live view broke (${oneLine(String(error))}); the run goes on without it\n`)
      })
      return mounted
    }),
    () => run,
    (mounted) => Effect.promise(() => mounted.unmount())
  )
