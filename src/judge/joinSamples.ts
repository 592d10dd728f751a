import type { Outcome } from "../domain/Judgement.ts"
import type { ModelError } from "../model/LanguageModel.ts"
import type { Conclusion, Design } from "./Design.ts"
import type { Concluded } from "./runStages.ts"

export type Sample = Concluded | { readonly kind: "failed"; readonly error: ModelError }

/** Whether the sample's call failed in a way that may pass. */
export const mayPass = (sample: Sample | undefined): boolean => sample?.kind === "failed" && sample.error.retryable

const reasonLength = 600
const replyLength = 600

/** More than half of those that have a rule say so; undefined where none has. */
export const majority = (flags: ReadonlyArray<boolean | undefined>): boolean | undefined => {
  const said = flags.filter((flag) => flag !== undefined)
  return said.length === 0 ? undefined : said.filter(Boolean).length * 2 > said.length
}

const meanDetails = (conclusions: ReadonlyArray<Conclusion>): Readonly<Record<string, number>> | undefined => {
  const names = new Set(conclusions.flatMap(({ details }) => Object.keys(details ?? {})))
  if (names.size === 0) return undefined
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      conclusions.reduce((sum, { details }) => sum + (details?.[name] ?? 0), 0) / conclusions.length
    ])
  )
}

/** A scored outcome, without the fields that say nothing. */
export const scored = (fields: {
  readonly score: number
  readonly reason?: string | undefined
  readonly findings?: Conclusion["findings"] | undefined
  readonly flagged?: boolean | undefined
  readonly details?: Readonly<Record<string, number>> | undefined
}): Outcome => ({
  _tag: "scored",
  score: fields.score,
  ...(fields.reason === undefined ? {} : { reason: fields.reason.slice(0, reasonLength) }),
  ...(fields.findings === undefined ? {} : { findings: fields.findings }),
  ...(fields.flagged === undefined ? {} : { flagged: fields.flagged }),
  ...(fields.details === undefined ? {} : { details: fields.details })
})

/**
 * The outcome of an item from its samples, when at least half of them could be read: the scores joined as the design
 * says, the flag of the majority, the findings of the sample whose score is nearest to the joined one.
 */
export const joinSamples = (design: Pick<Design, "join">, samples: ReadonlyArray<Sample>): Outcome => {
  const readable = samples.flatMap((sample) => (sample.kind === "concluded" ? [sample.conclusion] : []))
  if (readable.length > 0 && readable.length * 2 >= samples.length) {
    const score = design.join(readable.map((one) => one.score))
    const distance = (one: Conclusion) => Math.abs(one.score - score)
    return scored({
      score,
      reason: readable.find(({ reason }) => reason !== undefined)?.reason,
      findings: readable.reduce((best, one) => (distance(one) < distance(best) ? one : best)).findings,
      flagged: majority(readable.map(({ flagged }) => flagged)),
      details: meanDetails(readable)
    })
  }
  // When calls failed, the judge is not to blame for what is missing.
  const failure = samples.find((sample) => sample.kind === "failed")
  if (failure !== undefined) return { _tag: "failed", cause: failure.error.message }
  const unreadable = samples.find((sample) => sample.kind === "unreadable")
  return { _tag: "unparsed", reply: (unreadable?.reply ?? "").slice(0, replyLength) }
}
