import * as Effect from "effect/Effect"
import { CallLog } from "../store/CallLog.ts"
import { Sessions } from "../store/Sessions.ts"

/** What a run has bought so far, over all its sittings, as views show it. */
export const usageOf = Effect.fn("usageOf")(function* (run: string) {
  const calls = yield* CallLog
  const sessions = yield* Sessions
  const roles = yield* calls.usage(run)
  const sum = (of: (role: (typeof roles)[number]) => number) => roles.reduce((total, role) => total + of(role), 0)
  const unpriced = sum(({ costUnknown }) => costUnknown)
  const answered = sum(({ calls, failed, unsettled }) => calls - failed - unsettled)
  return {
    calls: sum(({ calls }) => calls),
    tokens: sum(({ input, output }) => input + output),
    usd: unpriced > 0 && unpriced === answered ? null : sum(({ cost }) => cost),
    unpriced,
    seconds: (yield* sessions.elapsed(run)) / 1000
  }
})
