import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import { appendToLedger, ledgerPath } from "../confirm/ledgerFile.ts"
import {
  type Choices,
  digestOf,
  preregistration,
  preregistrationHash,
  preregistrationPath,
  preregistrationText
} from "../confirm/preregistration.ts"
import { linesOf, openPreregistration, unfinishedOpening } from "../confirm/verifyLedger.ts"
import { writeNewFile } from "../dataset/write.ts"
import type { Budget } from "../domain/Campaign.ts"
import { differences } from "../domain/differences.ts"
import { InputError, showValue } from "../domain/InputError.ts"
import type { LedgerLine } from "../domain/Ledger.ts"
import type { Preregistration } from "../domain/Preregistration.ts"
import type { Confirmations } from "../store/Confirmations.ts"
import type { StoreError } from "../store/errors.ts"
import { knownLedger, now, purposeOf, remember, who } from "./confirmLedger.ts"
import { contenders, type PreregistrationLine, type Subject } from "./confirmSubject.ts"
import type { GateRefused } from "./GateRefused.ts"
import { ledgerProblems } from "./ledgerProblems.ts"

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
): Effect.fn.Return<
  Promised,
  InputError | GateRefused | StoreError,
  FileSystem.FileSystem | Path.Path | Confirmations
> {
  const { campaign, manifest, run } = subject
  const ledger = ledgerPath(campaign.split)
  const { lines } = yield* knownLedger(ledger, manifest.hash)
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

/** Whether the run has a promise that waits for its read-out. */
export const hasOpenPromise = ({ manifest, run }: Subject, lines: ReadonlyArray<LedgerLine>): boolean =>
  openPreregistration(lines, manifest.hash, run.id) !== undefined
