import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { auditOf } from "../audit/auditOf.ts"
import { itemSet } from "../dataset/itemSet.ts"
import { type InputError, inputError, problemLine } from "../domain/InputError.ts"
import type { ReportInput, ReportTexts } from "../report/html/ReportInput.ts"
import { loadOptimisationParts } from "../split/parts.ts"
import { callSeries } from "../store/callSeries.ts"
import { EventLog, type LoggedEvent } from "../store/EventLog.ts"
import type { Run } from "../store/Runs.ts"
import { version } from "../version.ts"
import { loadAuditedRun } from "./auditRun.ts"
import { knownConfirmations } from "./knownConfirmations.ts"
import { loadCampaign } from "./load.ts"
import { usageOf } from "./usageOf.ts"

/** The first thing that is wrong, as one sentence. */
const firstProblem = ({ problems }: InputError): string =>
  problems[0] === undefined ? "the campaign cannot be read" : problemLine(problems[0])

/**
 * The acceptance part's texts, as the run had them: read by the wall's own reader, and only where split and data set are
 * still what the run was of.
 */
const acceptanceTexts = Effect.fn("acceptanceTexts")(function* (
  split: string,
  dataset: string,
  { settings }: Run
): Effect.fn.Return<ReportTexts, never, Effect.Services<ReturnType<typeof loadOptimisationParts>>> {
  const read = yield* Effect.result(loadOptimisationParts(split, dataset))
  if (Result.isFailure(read)) return { kind: "not-at-hand", why: firstProblem(read.failure) }
  const { acceptance, manifest } = read.success
  if (manifest.hash !== settings.split)
    return { kind: "not-at-hand", why: `the split ${manifest.name} is not the one that the run was started with` }
  const { items, pairs } = itemSet(acceptance)
  return {
    kind: "known",
    texts: {
      notes: new Map(items.map(({ id, note }) => [id, note])),
      pairs: new Map(pairs.map(({ fact, id, residual }) => [id, { residual, ...(fact === undefined ? {} : { fact }) }]))
    }
  }
})

/** As `assize audit` has them when nobody gives others. */
const auditChoices = { seed: 11, resamples: 2000, candidate: "winner", campaign: undefined }

/** The audit of the winner, or why there is none: the report of a run whose data are gone is still a report. */
const auditOfWinner = Effect.fn("auditOfWinner")(function* (run: Run, logged: ReadonlyArray<LoggedEvent>) {
  if (!logged.some(({ event }) => event._tag === "evaluated")) return "no candidate has been evaluated."
  const loaded = yield* Effect.result(loadAuditedRun(run.id, auditChoices))
  if (Result.isSuccess(loaded)) return auditOf(loaded.success.audited.input)
  return loaded.failure._tag === "InputError" ? `${firstProblem(loaded.failure)}.` : yield* loaded.failure
})

/** All that the report of a run is made of. What is gone or changed since leaves a gap that the report names, and no error. */
export const reportSources = Effect.fn("reportSources")(function* (run: Run, options: { readonly texts: boolean }) {
  const log = yield* EventLog
  const logged = yield* Stream.runCollect(log.read(run.id))
  if (logged.length === 0) {
    return yield* inputError({
      what: `run ${run.id} has no event yet, so there is nothing to report`,
      hint: "Start it with: assize run CAMPAIGN"
    })
  }
  const loaded = yield* Effect.result(loadCampaign(run.campaignFile))
  const campaign = Result.isSuccess(loaded) ? loaded.success.campaign : null
  const texts: ReportTexts = !options.texts
    ? { kind: "left-out" }
    : campaign === null
      ? { kind: "not-at-hand", why: Result.isFailure(loaded) ? firstProblem(loaded.failure) : "" }
      : yield* acceptanceTexts(campaign.split, campaign.dataset, run)
  return {
    version,
    made: new Date(yield* Clock.currentTimeMillis).toISOString(),
    run,
    logged,
    usage: yield* usageOf(run.id),
    series: yield* callSeries(run.id),
    campaign: campaign === null ? null : { budget: campaign.budget, iterations: campaign.search.iterations },
    confirmations: yield* knownConfirmations([run.id]),
    texts,
    audit: yield* auditOfWinner(run, logged)
  } satisfies ReportInput
})
