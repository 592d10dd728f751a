import * as Effect from "effect/Effect"
import { acceptanceGates, type Gate } from "../confirm/gates.ts"
import { Holdout } from "../confirm/holdout.ts"
import { soundLedger } from "../confirm/ledgerFile.ts"
import { seenText } from "../confirm/seenBefore.ts"
import { openings, unfinishedOpening } from "../confirm/verifyLedger.ts"
import type { Budget } from "../domain/Campaign.ts"
import { count } from "../domain/count.ts"
import { InputError } from "../domain/InputError.ts"
import { designOf } from "../judge/designs/registry.ts"
import { inJudge, memberModels } from "../judge/judgePin.ts"
import { checkKeys } from "../model/checkKeys.ts"
import { checkPrices } from "../model/prices.ts"
import type { ConfirmRequest, Promised } from "./confirmPromise.ts"
import { acceptancePart, type Subject } from "./confirmSubject.ts"
import { GateRefused } from "./GateRefused.ts"
import { seenBefore } from "./seenBefore.ts"

/** The acceptance gates of a promise. Nothing is opened for them. */
export const gatesOf = (subject: Subject, { document }: Promised): ReadonlyArray<Gate> =>
  acceptanceGates(acceptancePart(subject, document), document)

/** Refuses to open anything while the acceptance gate is not met. */
export const checkAcceptance = Effect.fn("checkAcceptance")(function* (subject: Subject, promised: Promised) {
  const gates = gatesOf(subject, promised)
  const missed = gates.filter(({ met }) => !met)
  if (missed.length === 0) return
  return yield* new GateRefused({
    run: subject.run.id,
    decision: "gate not met",
    gates,
    message: [
      "the acceptance gate of the pre-registration is not met, so the holdout stays sealed:",
      ...missed.map(gateText)
    ].join("\n")
  })
})

/**
 * Refuses without a reason a second opening of a holdout, and one of which other splits of the same notes gave something
 * away. Going on with an opening that did not come to its end is none.
 */
export const checkOpenings = Effect.fn("checkOpenings")(function* (
  subject: Subject,
  { document, hash, ledger }: Promised,
  { again }: ConfirmRequest
) {
  const { manifest, run } = subject
  const { lines } = yield* soundLedger(ledger)
  const earlier = openings(lines, manifest.hash)
  if (unfinishedOpening(lines, hash) !== undefined || again !== undefined) return
  const last = earlier.at(-1)
  if (last === undefined) {
    const seen = yield* seenBefore(subject, document.candidate.id, undefined)
    if (seen.length === 0) return
    return yield* new GateRefused({
      run: run.id,
      decision: "opened before",
      seen,
      message: `the holdout of split ${manifest.name} is no news: ${seen.map(seenText).join("; ")}. What it says is exploratory. To open it all the same, say why with --again "reason"; every report of it says so. A split of consultations that nobody has seen is better: --exclude of assize split create leaves out what an earlier search has read`
    })
  }
  return yield* new GateRefused({
    run: run.id,
    decision: "opened before",
    message: `the holdout of split ${manifest.name} was opened ${earlier.length === 1 ? "once" : `${earlier.length} times`} already, on ${last.time} by ${last.user}. To open it once more, say why with --again "reason": from then on every report on this split says that it is exploratory. A split of consultations that nobody has seen is better`
  })
})

/** Refuses what cannot be asked before anything is opened: a key that is not set, a budget in money without a price. */
export const checkConfirm = Effect.fn("checkConfirm")(function* ({ campaign }: Subject, budget: Budget) {
  const models = { judge: campaign.models.judge, ...memberModels(campaign.judge) }
  const problems = [...(yield* checkKeys(models)), ...checkPrices(models, budget, campaign.file)]
  if (problems.length > 0) {
    return yield* new InputError({
      problems: problems.map((problem) => ({ file: campaign.file, ...problem, field: inJudge(problem.field) }))
    })
  }
})

/** Refuses judges that could not judge the holdout's notes, by a machine's look at them alone: before any line is written. */
export const checkHoldout = Effect.fn("checkHoldout")(function* ({ campaign }: Subject, { document }: Promised) {
  const holdout = yield* Holdout
  const design = designOf(campaign.judge)
  yield* holdout.check(
    [document.candidate, ...document.baselines].map(({ instructions }) => ({ design, instructions }))
  )
})

/** Whether the holdout is open on the promise already, left so by a process that ended. */
export const isResuming = Effect.fn("isResuming")(function* ({ hash, ledger }: Promised) {
  const { lines } = yield* soundLedger(ledger)
  return unfinishedOpening(lines, hash) !== undefined
})

const points = (share: number): string => (share * 100).toFixed(1).replace("-", "−")

/** A gate in a line: what was asked for, what is. */
export const gateText = ({ above, alpha, measured, met, part, role }: Gate): string => {
  const { consultations, difference, interval, measure, n, p } = measured
  const within = interval === null ? "" : `, 95 % ${points(interval[0])} to ${points(interval[1])}`
  return `${met ? "met" : "not met"}: ${role} measure on the ${part} part (${measure.measure}${measure.classes === undefined ? "" : ` of ${measure.classes.join(", ")}`}): gain ${difference === null ? "unknown" : `${points(difference)} points`}${within}${p === null ? "" : `, p ${p.toFixed(4)}`}, n ${n} of ${count(consultations, "consultation")}; asked for: above ${points(above)} points${alpha === null ? "" : ` and p of at most ${alpha}`}`
}
