import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import { inputError } from "../domain/InputError.ts"
import { plain } from "../domain/plain.ts"
import type { CallGate, Trouble } from "../model/CallGate.ts"

/** When nobody can press a key. */
const defaultPatience = "10 minutes"

export const patienceFlag = Flag.String("patience").pipe(
  Flag.withMetavar("DURATION"),
  Flag.withDescription(
    `How long to wait for a model that answers nothing before ending (default: ${defaultPatience} where nobody can press a key, else until told)`
  ),
  Flag.optional
)

/** Milliseconds; undefined for waiting until told, which takes somebody who can tell. */
export const patienceOf = Effect.fnUntraced(function* (given: Option.Option<string>, attended: boolean) {
  const { durationMs } = yield* Effect.promise(() => import("../domain/Campaign.ts"))
  if (given._tag === "None") return attended ? undefined : durationMs(defaultPatience)
  return yield* Effect.try({
    try: () => durationMs(given.value),
    catch: () =>
      inputError({
        field: "--patience",
        what: "is no duration",
        found: given.value,
        expected: 'a duration such as "90 seconds" or "2 hours"'
      })
  })
})

/** Whether somebody is at a terminal to read lines and press Enter. */
export const isAttended = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true

/** What is said when a model answers nothing, and when it answers again. */
export const troubleLine = (
  trouble: Trouble | undefined,
  attended: boolean,
  patienceMs: number | undefined
): string => {
  if (trouble === undefined) return "going on: the model answers again"
  const until = patienceMs === undefined ? "" : `, for ${Math.round(patienceMs / 6000) / 10} minutes at most`
  const keys = attended ? "; Enter tries now, Ctrl-C stops" : ""
  return `paused: ${plain(trouble.message).replace(/\s+/g, " ")}. Trying again now and then${until}${keys}`
}

/**
 * For the length of the scope, says on standard error when models answer nothing and when they answer again, and lets
 * Enter try at once where somebody is at a terminal.
 */
export const tellTrouble = (gate: CallGate, write: (line: string) => void, patienceMs: number | undefined) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const attended = isAttended()
      let told: string | undefined
      let listening = false
      const onKey = () => gate.resume()
      const listen = (wanted: boolean) => {
        if (!attended || listening === wanted) return
        listening = wanted
        if (wanted) process.stdin.on("data", onKey).resume()
        else process.stdin.off("data", onKey).pause()
      }
      const stop = gate.watch((trouble) => {
        listen(trouble !== undefined)
        const line = troubleLine(trouble, attended, patienceMs)
        // Each attempt in vain comes by here; only what is new is said.
        if (line === told || (trouble === undefined && gate.halted)) return
        told = line
        write(line)
      })
      return () => {
        stop()
        listen(false)
      }
    }),
    (end) => Effect.sync(end)
  )
