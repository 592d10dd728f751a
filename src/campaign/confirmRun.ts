import { userInfo } from "node:os"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import { acceptanceGates, type Gate, type JudgedPart } from "../confirm/gates.ts"
import { Holdout } from "../confirm/holdout.ts"
import { appendToLedger, ledgerPath, soundLedger } from "../confirm/ledgerFile.ts"
import {
  type Choices,
  digestOf,
  preregistration,
  preregistrationHash,
  preregistrationPath,
  preregistrationText
} from "../confirm/preregistration.ts"
import { type ConfirmationCost, type ReadOut, readOut } from "../confirm/readOut.ts"
import { linesOf, openings, openPreregistration, unfinishedOpening } from "../confirm/verifyLedger.ts"
import { writeNewFile } from "../dataset/write.ts"
import type { Budget } from "../domain/Campaign.ts"
import { differences } from "../domain/differences.ts"
import { canonicalJson, hashOf } from "../domain/hash.ts"
import { InputError, inputError, showValue } from "../domain/InputError.ts"
import type { LedgerLine } from "../domain/Ledger.ts"
import type { Contender, Preregistration } from "../domain/Preregistration.ts"
import { type AnswerUse, UseRecorder } from "../judge/UseRecorder.ts"
import { checkKeys } from "../model/checkKeys.ts"
import { modelName } from "../model/key.ts"
import { checkPrices } from "../model/prices.ts"
import { Confirmations } from "../store/Confirmations.ts"
import { JudgementStore } from "../store/JudgementStore.ts"
import { acceptancePart, contenders, type PreregistrationLine, type Subject } from "./confirmSubject.ts"
import { GateRefused } from "./GateRefused.ts"
import { ledgerProblems } from "./ledgerProblems.ts"
import { noteSetOf } from "./scoreItems.ts"
import { failedJudgements, runJudges, type ScoredJudge } from "./scoreJudges.ts"

/** What the user asks for; `undefined` where the defaults, or what was pre-registered earlier, hold. */
export interface ConfirmRequest {
  readonly candidate: string | undefined
  readonly baselines: ReadonlyArray<string>
  readonly choices: Partial<Choices>
  /** Why the holdout is to be opened once more. */
  readonly again: string | undefined
  /** Read out although calls failed; their notes are then as if they had not been judged. */
  readonly acceptFailed: boolean
  readonly budget: Budget
  /** How long a model that gives no answers is waited for; as long as it takes, where nothing is said. */
  readonly patienceMs: number | undefined
}

/** A promise that is in the ledger. */
export interface Promised {
  readonly document: Preregistration
  readonly hash: string
  readonly file: string
  readonly ledger: string
  /** Whether it was entered now. */
  readonly isNew: boolean
}

const who = (): string => {
  try {
    return process.env["USER"] ?? userInfo().username
  } catch {
    return "unknown"
  }
}

const now = Effect.map(Clock.currentTimeMillis, (time) => new Date(time).toISOString())

const asksForSomething = ({ baselines, candidate, choices }: ConfirmRequest): boolean =>
  candidate !== undefined || baselines.length > 0 || Object.values(choices).some((choice) => choice !== undefined)

/**
 * The promise that stands, or the one that is to be entered. `anew`: what is asked for takes the place of an open one.
 * Writes nothing.
 */
export const draftPromise = Effect.fn("draftPromise")(function* (
  subject: Subject,
  request: ConfirmRequest,
  defaults: Choices,
  anew: boolean
): Effect.fn.Return<Promised, InputError | GateRefused, FileSystem.FileSystem | Path.Path> {
  const { campaign, manifest, run } = subject
  const ledger = ledgerPath(campaign.split)
  const { lines } = yield* soundLedger(ledger)
  const problems = yield* ledgerProblems(campaign.split, manifest, lines)
  if (problems.length > 0) return yield* new InputError({ problems })

  const open = openPreregistration(lines, manifest.hash, run.id)
  const found = (line: PreregistrationLine): Promised => ({
    document: line.document,
    hash: line.preregistration,
    file: preregistrationPath(campaign.split, line.preregistration),
    ledger,
    isNew: false
  })
  if (open !== undefined && !asksForSomething(request)) return found(open)

  const choices = { ...defaults, ...JSON.parse(JSON.stringify(request.choices)) } as Choices
  const document = preregistration({
    run: run.id,
    settings: run.settings,
    manifest,
    choices,
    ...(yield* contenders(subject, request))
  })
  const hash = preregistrationHash(document)
  const same = linesOf(lines, "preregistration").findLast((line) => line.preregistration === hash)
  if (same !== undefined) return found(same)
  if (open !== undefined && (!anew || unfinishedOpening(lines, open.preregistration) !== undefined)) {
    return yield* new InputError({
      problems: differences(open.document, document)
        .filter(({ field }) => field !== "summary")
        .map(({ before, field, now: asked }) => ({
          file: preregistrationPath(campaign.split, open.preregistration),
          field,
          what: "is not what was pre-registered",
          found: showValue(asked),
          expected: showValue(before),
          hint: anew
            ? "The holdout is open on this pre-registration: finish it first, with assize confirm and nothing else"
            : "Leave the options away to go on as pre-registered, or pre-register anew with --preregister"
        }))
    })
  }
  return { document, hash, file: preregistrationPath(campaign.split, hash), ledger, isNew: true }
})

/** Lines that were written are known to the store too, so that a ledger with its end cut off is found out. */
const remember = (line: LedgerLine) => Confirmations.use((confirmations) => confirmations.anchor(line))

const purposeOf = ({ baselines, candidate }: Preregistration): string =>
  `is ${candidate.name} a better judge than ${baselines[0].name}?`

/** Writes a new promise beside the split and enters it into the ledger. One that stands is left as it is. */
export const enterPromise = Effect.fn("enterPromise")(function* (
  { manifest }: Subject,
  { document, file, hash, isNew, ledger }: Promised
) {
  if (!isNew) return
  yield* writeNewFile(file, "the pre-registration", preregistrationText(document), { force: true })
  yield* appendToLedger(ledger, {
    kind: "preregistration",
    time: yield* now,
    user: who(),
    split: manifest.hash,
    preregistration: hash,
    candidate: document.candidate.id,
    purpose: purposeOf(document),
    digest: digestOf(manifest),
    document
  }).pipe(Effect.flatMap(remember))
})

/** The read-out that a run has come to on this split, the newest; undefined when it has none. */
export const finishedReadOut = Effect.fn("finishedReadOut")(function* ({ campaign, manifest, run }: Subject) {
  const ledger = ledgerPath(campaign.split)
  const { lines } = yield* soundLedger(ledger)
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

/** The acceptance gates of a promise. Nothing is opened for them. */
export const gatesOf = (subject: Subject, { document }: Promised): ReadonlyArray<Gate> =>
  acceptanceGates(acceptancePart(subject, document), document)

/** Refuses to open anything while the acceptance gate is not met. */
export const checkAcceptance = Effect.fn("checkAcceptance")(function* (subject: Subject, promised: Promised) {
  const missed = gatesOf(subject, promised).filter(({ met }) => !met)
  if (missed.length === 0) return
  return yield* new GateRefused({
    message: [
      "the acceptance gate of the pre-registration is not met, so the holdout stays sealed:",
      ...missed.map(gateText)
    ].join("\n")
  })
})

/** Refuses a second opening of a holdout without a reason. Going on with one that did not come to its end is none. */
export const checkOpenings = Effect.fn("checkOpenings")(function* (
  { manifest }: Subject,
  { hash, ledger }: Promised,
  { again }: ConfirmRequest
) {
  const { lines } = yield* soundLedger(ledger)
  const earlier = openings(lines, manifest.hash)
  if (unfinishedOpening(lines, hash) !== undefined || earlier.length === 0 || again !== undefined) return
  const last = earlier.at(-1)!
  return yield* new GateRefused({
    message: `the holdout of split ${manifest.name} was opened ${earlier.length === 1 ? "once" : `${earlier.length} times`} already, on ${last.time} by ${last.user}. To open it once more, say why with --again "reason": from then on every report on this split says that it is exploratory. A split of consultations that nobody has seen is better`
  })
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
    instruction: Object.values(instructions)[0]!,
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
      samples: document.judge.samples,
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
  const read = readOut({
    document,
    hash,
    opening: { hash: line.hash, time: line.time, again: line.again, number: numberOf(lines, line, manifest.hash) },
    holdout: judged,
    acceptance: acceptancePart(subject, document),
    model: { name: modelName(campaign.models.judge), embedded: campaign.models.judge.provider === "embedded" },
    cost: yield* costOf(keys)
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

const points = (share: number): string => `${(share * 100).toFixed(1)}`

/** A gate in a line: what was asked for, what is. */
export const gateText = ({ above, alpha, measured, met, part, role }: Gate): string => {
  const { consultations, difference, interval, measure, n, p } = measured
  const within = interval === null ? "" : `, 95 % ${points(interval[0])} to ${points(interval[1])}`
  return `${met ? "met" : "not met"}: ${role} measure on the ${part} part (${measure.measure}${measure.classes === undefined ? "" : ` of ${measure.classes.join(", ")}`}): gain ${difference === null ? "unknown" : `${points(difference)} points`}${within}${p === null ? "" : `, p ${p.toFixed(4)}`}, n ${n} of ${consultations} consultations; asked for: above ${points(above)} points${alpha === null ? "" : ` and p of at most ${alpha}`}`
}

/** Whether the run has a promise that waits for its read-out. */
export const hasOpenPromise = ({ manifest, run }: Subject, lines: ReadonlyArray<LedgerLine>): boolean =>
  openPreregistration(lines, manifest.hash, run.id) !== undefined

/** Whether the holdout is open on the promise already, left so by a process that ended. */
export const isResuming = Effect.fn("isResuming")(function* ({ hash, ledger }: Promised) {
  const { lines } = yield* soundLedger(ledger)
  return unfinishedOpening(lines, hash) !== undefined
})

/** Refuses what cannot be asked before anything is opened: a key that is not set, a budget in money without a price. */
export const checkConfirm = Effect.fn("checkConfirm")(function* ({ campaign }: Subject, budget: Budget) {
  const models = { judge: campaign.models.judge }
  const problems = [...(yield* checkKeys(models)), ...checkPrices(models, budget, campaign.file)]
  if (problems.length > 0) {
    return yield* new InputError({ problems: problems.map((problem) => ({ file: campaign.file, ...problem })) })
  }
})
