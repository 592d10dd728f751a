import * as Effect from "effect/Effect"
import type { JudgedPart } from "../confirm/gates.ts"
import { Holdout } from "../confirm/holdout.ts"
import { appendToLedger, ledgerPath, soundLedger } from "../confirm/ledgerFile.ts"
import { type ConfirmationCost, type ReadOut, readOut } from "../confirm/readOut.ts"
import { linesOf, openings, unfinishedOpening } from "../confirm/verifyLedger.ts"
import { canonicalJson, hashOf } from "../domain/hash.ts"
import { inputError } from "../domain/InputError.ts"
import type { LedgerLine } from "../domain/Ledger.ts"
import type { Contender, Preregistration } from "../domain/Preregistration.ts"
import { type AnswerUse, UseRecorder } from "../judge/UseRecorder.ts"
import { modelName } from "../model/key.ts"
import { Confirmations } from "../store/Confirmations.ts"
import { JudgementStore } from "../store/JudgementStore.ts"
import { checkAcceptance, checkHoldout, checkOpenings } from "./confirmChecks.ts"
import { knownLedger, now, purposeOf, remember, who } from "./confirmLedger.ts"
import type { ConfirmRequest, Promised } from "./confirmPromise.ts"
import { acceptancePart, type Subject } from "./confirmSubject.ts"
import { noteSetOf } from "./scoreItems.ts"
import { failedJudgements, runJudges, type ScoredJudge } from "./scoreJudges.ts"
import { seenBefore } from "./seenBefore.ts"

/** The read-out that a run has come to on this split, the newest; undefined when it has none. */
export const finishedReadOut = Effect.fn("finishedReadOut")(function* ({ campaign, manifest, run }: Subject) {
  const ledger = ledgerPath(campaign.split)
  const { lines } = yield* knownLedger(ledger, manifest.hash)
  const last = linesOf(lines, "read-out").findLast((line) => {
    const promised = linesOf(lines, "preregistration").find((one) => one.preregistration === line.preregistration)
    return line.split === manifest.hash && promised?.document.run === run.id
  })
  if (last === undefined) return undefined
  const kept = yield* (yield* Confirmations).find(last.unsealing)
  if (kept === undefined) {
    return yield* inputError({
      file: ledger,
      line: last.line,
      what: `run ${run.id} was confirmed on ${last.time}, and its read-out is not in this store`,
      hint: "Name the store that it was made with, with --store"
    })
  }
  const read = JSON.parse(kept.readOut) as ReadOut
  if (hashOf(read) !== last.readOut) {
    return yield* inputError({
      file: ledger,
      line: last.line,
      what: "the read-out in the store is not the one that the ledger was told of",
      hint: "Find out which of the two was changed: assize store verify, assize split verify"
    })
  }
  return { readOut: read, openings: openings(lines, manifest.hash).length }
})

const costOf = Effect.fn("costOf")(function* (
  keys: ReadonlySet<string>
): Effect.fn.Return<ConfirmationCost, Effect.Error<ReturnType<JudgementStore["Service"]["get"]>>, JudgementStore> {
  const store = yield* JudgementStore
  const cost = { answers: 0, tokens: 0, usd: 0, unpriced: 0 }
  for (const key of keys) {
    const reply = yield* store.get(key)
    if (reply === undefined) continue
    cost.answers++
    cost.tokens += reply.usage === null ? 0 : reply.usage.input + reply.usage.output
    cost.usd += reply.cost ?? 0
    if (reply.cost === null) cost.unpriced++
  }
  return cost
})

const judgesOf = ({ campaign }: Subject, { baselines, candidate }: Preregistration): ReadonlyArray<ScoredJudge> =>
  [candidate, ...baselines].map(({ instructions, name }: Contender) => ({
    name,
    instructions,
    judge: campaign.judge,
    model: { name: "judge", model: campaign.models.judge }
  }))

export interface Confirmed {
  readonly readOut: ReadOut
  /** How often the split's holdout has been opened by now. */
  readonly openings: number
  readonly resumed: boolean
  /** What is to be said of judgements that are missing. */
  readonly warning: string | undefined
}

/**
 * Opens the holdout for a promise and reads out: the ledger line is written and synced before the first note is read,
 * and the acceptance gates are checked before that. An opening that did not come to its end is gone on with. To be
 * called under the split's lock, with the `Holdout` of the subject's split.
 */
export const confirmRun = Effect.fn("confirmRun")(function* (
  subject: Subject,
  promised: Promised,
  request: ConfirmRequest,
  told: (what: { readonly judge: string; readonly seed: number }) => Effect.Effect<void>
) {
  const { campaign, manifest, run } = subject
  const { document, hash, ledger } = promised
  yield* checkOpenings(subject, promised, request)
  yield* checkAcceptance(subject, promised)
  const { lines } = yield* soundLedger(ledger)
  const unfinished = unfinishedOpening(lines, hash)
  if (unfinished === undefined) yield* checkHoldout(subject, promised)
  const holdout = yield* Holdout
  const confirmations = yield* Confirmations
  const keys = new Set<string>()
  let opened: Effect.Success<ReturnType<typeof holdout.open>> | undefined
  const items = Effect.gen(function* () {
    opened = yield* holdout.open(
      {
        kind: "unsealing",
        time: yield* now,
        user: who(),
        split: manifest.hash,
        preregistration: hash,
        candidate: document.candidate.id,
        purpose: purposeOf(document),
        again: request.again ?? null
      },
      unfinished?.hash
    )
    yield* remember(opened.line)
    return opened.items
  })
  const { runs } = yield* runJudges(
    {
      judges: judgesOf(subject, document),
      seeds: document.replicates,
      budget: request.budget,
      patienceMs: request.patienceMs,
      items
    },
    // Of an opening that is gone on with, everything may have been bought before.
    { sealed: unfinished === undefined, told, place: () => `${campaign.file}: models.judge` }
  ).pipe(
    Effect.provideService(UseRecorder, (uses: ReadonlyArray<AnswerUse>) =>
      Effect.suspend(() => {
        const more = uses.map(({ key }) => key)
        for (const key of more) keys.add(key)
        // Only prunes look at this; what is not noted is still in the store.
        return Effect.ignore(confirmations.note(opened!.line.hash, more), { log: "Warn" })
      })
    ),
    // What only an answer brings into a prompt cannot be known before the holdout is open.
    Effect.catchTag("BlindnessViolation", ({ message }) =>
      Effect.fail(
        inputError({
          what: message,
          hint: `This prompt is made of a model's answer, so it could not be looked at while the holdout was sealed. The opening${opened === undefined ? "" : ` (line ${opened.line.line} of the ledger)`} is not read out; what was bought is kept, and the same command goes on with it. If it stops here again, confirm with a design that may see both, and say so with --again`
        })
      )
    )
  )
  const { items: set, line } = opened!
  const failures = runs.reduce((sum, { failed }) => sum + failed, 0)
  if (failures > 0 && !request.acceptFailed) {
    return yield* inputError({
      what: `${failures} of ${runs.length * set.items.length} judgements could not be had: calls failed`,
      found: runs.find(({ failure }) => failure !== undefined)?.failure ?? "no reason",
      hint: "Nothing is read out yet, and what was bought is kept: run the same command again, which asks for the missing ones only; or go on without them with --accept-failed"
    })
  }
  const judged: JudgedPart = {
    set: noteSetOf(set),
    runs: runs.map(({ notes }) => notes),
    failed: Map.groupBy(runs, ({ notes }) => notes.judge)
      .entries()
      .map(([judge, some]) => [judge, some.map(({ failed }) => failed)] as const)
      .reduce((map, [judge, failed]) => map.set(judge, failed), new Map<string, ReadonlyArray<number>>())
  }
  const seen = yield* seenBefore(subject, document.candidate.id, line.time)
  const read = readOut({
    document,
    hash,
    opening: {
      hash: line.hash,
      time: line.time,
      again: line.again,
      number: numberOf(lines, line, manifest.hash),
      promises: promisesBefore(lines, line, manifest.hash),
      ...(seen.length === 0 ? {} : { seen })
    },
    holdout: judged,
    acceptance: acceptancePart(subject, document),
    model: { name: modelName(campaign.models.judge), embedded: campaign.models.judge.provider === "embedded" },
    cost: yield* costOf(keys),
    judgements: new Map(
      [...Map.groupBy(runs, ({ notes }) => notes.judge)].map(([judge, some]) => [
        judge,
        some.flatMap(({ outcomes }) =>
          set.items.map(({ consultation, id }) => ({ consultation, outcome: outcomes[id] }))
        )
      ])
    )
  })
  yield* confirmations.keep({
    opening: line.hash,
    run: run.id,
    split: manifest.hash,
    preregistration: hash,
    readOut: canonicalJson(read)
  })
  // What was kept first stands, also where a later version of assize would read out otherwise.
  const kept = yield* confirmations.find(line.hash)
  return {
    readOut: JSON.parse(kept!.readOut) as ReadOut,
    openings: openings((yield* soundLedger(ledger)).lines, manifest.hash).length,
    resumed: unfinished !== undefined,
    warning: failedJudgements(runs)
  } satisfies Confirmed
})

/** Tells the ledger what a read-out came to. The last step: an opening without it is gone on with. */
export const closeOpening = Effect.fn("closeOpening")(function* (
  { manifest }: Subject,
  { ledger }: Promised,
  read: ReadOut
) {
  yield* appendToLedger(ledger, {
    kind: "read-out",
    time: yield* now,
    user: who(),
    split: manifest.hash,
    preregistration: read.preregistration.hash,
    candidate: read.preregistration.document.candidate.id,
    purpose: read.verdict[2]!,
    unsealing: read.opening.hash,
    readOut: hashOf(read),
    decision: read.decision
  }).pipe(Effect.flatMap(remember))
})

const numberOf = (lines: ReadonlyArray<LedgerLine>, line: LedgerLine, split: string): number => {
  const at = openings(lines, split).findIndex(({ hash }) => hash === line.hash)
  return at === -1 ? openings(lines, split).length + 1 : at + 1
}

/** Pre-registrations of a split that had been entered when its holdout was opened. */
const promisesBefore = (lines: ReadonlyArray<LedgerLine>, opening: LedgerLine, split: string): number =>
  linesOf(lines, "preregistration").filter((one) => one.split === split && one.line < opening.line).length
