import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { judgedOfOutcomes, notesOfTable } from "../confirm/acceptancePart.ts"
import type { JudgedPart } from "../confirm/gates.ts"
import { contender } from "../confirm/preregistration.ts"
import type { LineOf } from "../confirm/verifyLedger.ts"
import type { Campaign } from "../domain/Campaign.ts"
import { differences } from "../domain/differences.ts"
import { InputError, inputError, type Problem, showValue } from "../domain/InputError.ts"
import type { Contender, Preregistration } from "../domain/Preregistration.ts"
import { plain } from "../domain/plain.ts"
import { acceptanceOutcomes, type RunEvent } from "../domain/RunEvent.ts"
import type { SplitManifest } from "../domain/Split.ts"
import { designOf } from "../judge/designs/registry.ts"
import { judgePin, promptHash } from "../judge/judgePin.ts"
import { modelPin } from "../model/key.ts"
import { foldRun, type Member, type RunState } from "../optimise/RunState.ts"
import { datasetOf, readManifest } from "../split/manifestFile.ts"
import { manifestProblems } from "../split/verify.ts"
import { EventLog } from "../store/EventLog.ts"
import type { Run } from "../store/Runs.ts"
import { GateRefused } from "./GateRefused.ts"
import { loadCampaign } from "./load.ts"
import { memberNamed } from "./members.ts"
import { findRun } from "./openRun.ts"

/** A run that is over, with the campaign and the split that it was of, as they are now and as they were. */
export interface Subject {
  readonly run: Run
  readonly campaign: Campaign
  readonly manifest: SplitManifest
  readonly dataset: string
  readonly events: ReadonlyArray<RunEvent>
  readonly state: RunState
  readonly warnings: ReadonlyArray<Problem>
}

/** What of the campaign is no longer as the run had it, where it bears on the judge or the split. */
const changes = (run: Run, campaign: Campaign, manifest: SplitManifest): ReadonlyArray<Problem> => {
  const { settings } = run
  const now = {
    split: manifest.hash,
    models: { judge: modelPin(campaign.models.judge) },
    judge: judgePin(campaign.judge),
    objective: campaign.objective,
    prompt: promptHash(designOf(campaign.judge))
  }
  const before = {
    split: settings.split,
    models: { judge: settings.models.judge },
    judge: settings.judge,
    objective: settings.objective,
    prompt: settings.prompt
  }
  return differences(before, now).map(({ before: was, field, now: is }) => ({
    file: campaign.file,
    field,
    what:
      field === "prompt"
        ? "this version of assize puts the judge's question in other words than the run did"
        : `is not what run ${run.id} was made with`,
    found: showValue(is),
    expected: showValue(was),
    hint: "What is confirmed must be what was found: restore it"
  }))
}

/** Reads a run by name, with the campaign that it was of or the one named in its place, and checks that it can be confirmed: over, on the split and by the judge that the campaign has now. */
export const loadSubject = Effect.fn("loadSubject")(function* (name: string, campaignFile?: string) {
  const run = yield* findRun(name)
  const { campaign, warnings } = yield* loadCampaign(campaignFile ?? run.campaignFile)
  const manifest = yield* readManifest(campaign.split)
  const own = manifestProblems(manifest)
  if (own.length > 0)
    return yield* new InputError({ problems: own.map((problem) => ({ ...problem, file: campaign.split })) })
  const changed = changes(run, campaign, manifest)
  if (changed.length > 0) return yield* new InputError({ problems: changed })
  const log = yield* EventLog
  const events = (yield* Stream.runCollect(log.read(run.id))).map(({ event }) => event)
  const state = foldRun(events)
  if (state.stopped === undefined || state.winner === undefined) {
    return yield* inputError({
      what: `run ${run.id} is not over: which candidate it ends with is not known yet`,
      hint: `Go on with it until it says that it is finished or stopped: assize run ${run.campaignFile}`
    })
  }
  return { run, campaign, manifest, dataset: yield* datasetOf(campaign.split, manifest), events, state, warnings }
})

const describe = ({ candidate }: Member): string => `${candidate.name} (${candidate.id})`

/** Better on acceptance, by primary, then secondary. */
const ahead = (a: Member, b: Member): boolean => {
  const primary = (a.figures.primary ?? 0) - (b.figures.primary ?? 0)
  return Math.abs(primary) > 1e-9 ? primary > 0 : (a.figures.secondary ?? 0) - (b.figures.secondary ?? 0) > 1e-9
}

/** Who is confirmed against whom: the winner against the best seed, unless others are named. */
export const contenders = Effect.fn("contenders")(function* (
  { run, state }: Subject,
  asked: { readonly candidate: string | undefined; readonly baselines: ReadonlyArray<string> }
) {
  const candidate = yield* memberNamed(state, asked.candidate ?? "winner", "--candidate")
  const veto = state.remarks.vetoOf(candidate.candidate.id)
  if (veto !== undefined) {
    return yield* new GateRefused({
      run: run.id,
      decision: "vetoed",
      message: plain(
        `${describe(candidate)} of run ${run.id} was vetoed by ${veto.author}: ${veto.reason}. It is not confirmed, and the holdout stays sealed; assize runs veto --undo takes the veto back`
      )
    })
  }
  const seeds = state.members.filter(({ candidate: { origin } }) => origin === "seed")
  if (asked.candidate === undefined && candidate.candidate.origin === "seed") {
    return yield* new GateRefused({
      run: run.id,
      decision: "nothing to confirm",
      message: `run ${run.id} found nothing better than its seed ${candidate.candidate.name}: there is nothing to confirm, and the holdout stays sealed`
    })
  }
  const baselines =
    asked.baselines.length === 0
      ? [seeds.reduce((best, seed) => (ahead(seed, best) ? seed : best))]
      : yield* Effect.forEach(asked.baselines, (name) => memberNamed(state, name, "--baseline"))
  const ids = baselines.map((one) => one.candidate.id)
  const asContender = (one: Member) => contender(one.candidate, state.remarks.authorOf(one.candidate.id))
  if (ids.includes(candidate.candidate.id) || new Set(ids).size < ids.length) {
    return yield* inputError({
      field: "--baseline",
      what: "the candidate and its baselines must all be different",
      found: [candidate, ...baselines].map(describe).join(", ")
    })
  }
  const [first, ...others] = baselines.map(asContender)
  const best = seeds.find((seed) => seed !== candidate && ahead(seed, baselines[0]!))
  if (best !== undefined) {
    const value = ({ figures }: Member) => figures.primary?.toFixed(3) ?? "no value"
    yield* Console.error(
      plain(
        `warning: ${describe(baselines[0]!)} is not the best seed: on the acceptance part it has ${value(baselines[0]!)}, ${describe(best)} ${value(best)}; a gain over it is not a gain over the best that there was`
      )
    )
  }
  return {
    candidate: asContender(candidate),
    baselines: [first!, ...others] as const satisfies readonly [Contender, ...ReadonlyArray<Contender>]
  }
})

/** What the run's own judgements of the acceptance part say of the contenders. */
export const acceptancePart = (
  { events, run }: Pick<Subject, "events" | "run">,
  document: Pick<Preregistration, "baselines" | "candidate">
): JudgedPart => {
  const table = events.flatMap((event) => (event._tag === "started" ? [event.acceptance] : []))[0]!
  const known = acceptanceOutcomes(events)
  const runs = [document.candidate, ...document.baselines].flatMap(({ id, name }) => {
    const outcomes = known.get(id)
    return outcomes === undefined
      ? []
      : [{ judged: judgedOfOutcomes(name, String(run.settings.search.seed), table, outcomes), outcomes }]
  })
  return {
    set: notesOfTable(table),
    runs: runs.map(({ judged }) => judged),
    failed: new Map(
      runs.map(({ judged, outcomes }) => [
        judged.judge,
        [Object.values(outcomes).filter(({ _tag }) => _tag === "failed").length]
      ])
    )
  }
}

export type PreregistrationLine = LineOf<"preregistration">
