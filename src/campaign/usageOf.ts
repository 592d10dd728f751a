import * as Effect from "effect/Effect"
import { CallLog } from "../store/CallLog.ts"
import { usageTotals } from "../store/roleUsage.ts"
import { Sessions } from "../store/Sessions.ts"

/** What a run has bought so far, over all its sittings, as views show it. */
export const usageOf = Effect.fn("usageOf")(function* (run: string) {
  const calls = yield* CallLog
  const sessions = yield* Sessions
  const roles = yield* calls.usage(run)
  return { ...usageTotals(roles), seconds: (yield* sessions.elapsed(run)) / 1000, roles }
})
