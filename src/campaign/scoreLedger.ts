import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CallLog, type Charge } from "../store/CallLog.ts"
import { Sessions } from "../store/Sessions.ts"

/** What one scoring has bought: requests sent and money, where prices are known. */
export interface Bought {
  calls: number
  tokens: number
  usd: number
  /** Answered calls without a known price. */
  unpriced: number
}

/**
 * The book-keeping of one scoring, kept in memory: a scoring is no run, has no events to go on from, and its budget is
 * of this one command. What it buys is in the judgement store all the same.
 */
export const scoreLedger = () => {
  const bought: Bought = { calls: 0, tokens: 0, usd: 0, unpriced: 0 }
  const charges = new Map<number, Charge>()
  let sent = 0
  const calls = CallLog.of({
    sent: ({ charge }) =>
      Effect.sync(() => {
        charges.set(++sent, charge)
        bought.calls++
        return sent
      }),
    settle: (id, { charge, cost, outcome }) =>
      Effect.sync(() => {
        charges.delete(id)
        // A call for which there was no key was never sent.
        if (outcome === "no-key") bought.calls--
        bought.tokens += charge.tokens
        bought.usd += cost ?? 0
        if (outcome === "ok" && cost === null) bought.unpriced++
      }),
    spent: () => Effect.sync(() => ({ calls: bought.calls, tokens: bought.tokens, usd: bought.usd })),
    usage: () => Effect.succeed([])
  })
  const sessions = Sessions.of({
    open: () => Effect.map(Clock.currentTimeMillis, (started) => ({ id: 1, started, earlierMs: 0 })),
    seen: () => Effect.void,
    elapsed: () => Effect.succeed(0)
  })
  return { bought, layer: Layer.mergeAll(Layer.succeed(CallLog, calls), Layer.succeed(Sessions, sessions)) }
}
