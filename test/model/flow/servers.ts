import { mulberry32 } from "../../../src/domain/Random.ts"
import { RateController, type RateOutcome } from "../../../src/model/rate.ts"

/** Something that goes wrong, after `ms` if not after what an answer takes. */
export interface Fault {
  readonly outcome: RateOutcome
  readonly ms?: number
}

/** Whether a server takes a request at `now`; else milliseconds until it would take the next, or what goes wrong with it. */
export type Limit = (now: number) => number | Fault | undefined

export const fixedWindow = (requests: number, windowMs: number): Limit => {
  let window = -1
  let taken = 0
  return (now) => {
    const current = Math.floor(now / windowMs)
    if (current !== window) taken = 0
    window = current
    return taken++ < requests ? undefined : (window + 1) * windowMs - now
  }
}

export const slidingWindow = (requests: number, windowMs: number): Limit => {
  let taken: Array<number> = []
  return (now) => {
    taken = taken.filter((time) => time > now - windowMs)
    if (taken.length >= requests) return taken[0]! + windowMs - now
    taken.push(now)
    return undefined
  }
}

export const tokenBucket = (perSecond: number, size: number): Limit => {
  let tokens = size
  let last = 0
  return (now) => {
    tokens = Math.min(size, tokens + ((now - last) * perSecond) / 1000)
    last = now
    if (tokens < 1) return ((1 - tokens) / perSecond) * 1000
    tokens--
    return undefined
  }
}

/** Refuses at random, whatever the rate. */
export const whim = (share: number, seed = 5): Limit => {
  const next = mulberry32(seed)
  return () => (next() < share ? 500 : undefined)
}

/** Of so many requests, one of the faults, each as often, whatever the load. */
export const faulty = (share: number, faults: ReadonlyArray<Fault>, seed: number): Limit => {
  const next = mulberry32(seed)
  return () => (next() < share ? faults[Math.floor(next() * faults.length)] : undefined)
}

export interface Load {
  readonly concurrency: number
  readonly latencyMs: (draw: number) => number
  /** How a refusal says when to come back: not at all, exactly, or in whole seconds as `retry-after` does. */
  readonly advice: "none" | "exact" | "seconds"
  readonly seconds: number
}

export interface Seen {
  /** Times of requests, in milliseconds. */
  readonly served: ReadonlyArray<number>
  readonly refused: ReadonlyArray<number>
  /** The controller's rate at the end. */
  readonly rate: number
}

interface Due {
  readonly at: number
  readonly run: () => void
}

/** A model asked without end by a controller, event by event. Timers come up to 2 ms late, as they do. */
export const load = (limit: Limit, { advice, concurrency, latencyMs, seconds }: Load): Seen => {
  const controller = new RateController({ concurrency })
  const next = mulberry32(1)
  const due: Array<Due> = []
  const served: Array<number> = []
  const refused: Array<number> = []
  let now = 0
  let timer = -1
  const send = () => {
    for (let at = controller.readyAt(now); ; at = controller.readyAt(now)) {
      if (at > now) {
        if (Number.isFinite(at) && at !== timer) {
          timer = at
          due.push({ at: at + next() * 2, run: send })
        }
        return
      }
      const sentAt = now
      const ticket = controller.send(now)
      const wait = limit(now)
      const fault = typeof wait === "object" ? wait : undefined
      due.push({
        at: now + (fault?.ms ?? latencyMs(next())),
        run: () => {
          if (typeof wait === "object") controller.settle(now, ticket, wait.outcome)
          else if (wait === undefined) {
            served.push(sentAt)
            controller.settle(now, ticket, { _tag: "served" })
          } else {
            refused.push(sentAt)
            const retryAfterMs =
              advice === "none" ? undefined : advice === "exact" ? wait : Math.ceil(wait / 1000) * 1000
            controller.settle(now, ticket, { _tag: "refused", retryAfterMs })
          }
          send()
        }
      })
    }
  }
  send()
  while (due.length > 0) {
    let first = 0
    for (let at = 1; at < due.length; at++) if (due[at]!.at < due[first]!.at) first = at
    const [event] = due.splice(first, 1)
    if (event!.at > seconds * 1000) break
    now = event!.at
    event!.run()
  }
  return { served, refused, rate: controller.rate(now) }
}

/** What came of the time after the first `fromSeconds`: the share of the allowance that was served, and of requests that were refused. */
export const sharesOf = ({ refused, served }: Seen, allowed: number, fromSeconds: number, seconds: number) => {
  const after = (times: ReadonlyArray<number>) => times.filter((time) => time >= fromSeconds * 1000).length
  return {
    served: after(served) / (allowed * (seconds - fromSeconds)),
    refused: after(refused) / Math.max(1, after(refused) + after(served))
  }
}
