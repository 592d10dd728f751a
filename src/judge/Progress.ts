import * as Context from "effect/Context"

/**
 * How far the work at hand is, for views that look at it now and then: a plain object that workers write to, since
 * thousands of judgements a second must not each wake a view.
 */
export interface Progress {
  label: string
  done: number
  total: number
  /** Judgements of this sitting so far, by outcome. */
  scored: number
  unparsed: number
  failed: number
}

export const makeProgress = (): Progress => ({ label: "", done: 0, total: 0, scored: 0, unparsed: 0, failed: 0 })

/** The progress that judges report to; a private one where nobody watches. */
export const CurrentProgress = Context.Reference<Progress>("assize/Progress", { defaultValue: makeProgress })
