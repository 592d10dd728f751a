import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { RejectedProposal } from "../audit/Audit.ts"
import type { AuditCandidate, AuditInput, AuditUsage } from "../audit/AuditInput.ts"
import { capOf } from "../audit/judged.ts"
import { wholeText } from "../audit/lineage.ts"
import type { Campaign, Objective } from "../domain/Campaign.ts"
import { inputError, showValue } from "../domain/InputError.ts"
import type { Outcomes } from "../domain/Judgement.ts"
import { acceptanceOutcomes, type RunEvent } from "../domain/RunEvent.ts"
import { fixedWords } from "../judge/scaleOf.ts"
import { tokenCounter } from "../model/tokens.ts"
import { foldRun, type Member, type RunState } from "../optimise/RunState.ts"
import { EventLog } from "../store/EventLog.ts"
import type { CorruptStore, StoreError } from "../store/errors.ts"
import { type Run, Runs } from "../store/Runs.ts"
import { Uses } from "../store/Uses.ts"
import { dataOfSplit } from "./auditData.ts"
import { loadCampaign } from "./load.ts"
import { memberNamed } from "./members.ts"
import { findRun } from "./openRun.ts"

export interface AuditChoices {
  readonly seed: number
  readonly resamples: number
}

/** A run that is audited, with what its ablation needs. */
export interface AuditedRun {
  readonly input: AuditInput
  readonly run: Run
  readonly campaign: Campaign
  readonly state: RunState
  readonly member: Member
  readonly outcomes: Outcomes
}

const isEmbedded = (model: unknown): boolean =>
  typeof model === "object" && model !== null && "provider" in model && model.provider === "embedded"

/** Proposals that were not accepted, and members whose evaluation was cut short by a race. */
const rejectedOf = (events: ReadonlyArray<RunEvent>): ReadonlyArray<RejectedProposal> => {
  const born = new Map(
    events.flatMap((event) => (event._tag === "candidate" ? [[event.candidate.id, event.candidate] as const] : []))
  )
  return events.flatMap((event): ReadonlyArray<RejectedProposal> => {
    if (event._tag === "raced") {
      const candidate = born.get(event.candidate)
      return [
        {
          iteration: candidate?.iteration ?? 0,
          parent: candidate?.parents[0] ?? "",
          reason: "raced",
          detail: `${candidate?.name ?? event.candidate}: ${event.detail}`
        }
      ]
    }
    if (event._tag !== "decided" || event.accepted) return []
    return [
      { iteration: event.iteration, parent: event.parent, reason: event.reason ?? "rejected", detail: event.detail }
    ]
  })
}

interface EarlierSearches {
  /** The run's seeds that a search on its own split made. */
  readonly searched: ReadonlySet<string>
  /** What the seeds of that search say, and of those before it. */
  readonly seeds: ReadonlyArray<string>
}

/**
 * Of a run that was branched from another: which of its seeds that other search made. Where the store does not have the
 * other run, nobody knows what its split was or its seeds were, and nothing is excused by what was taken from it.
 */
export const earlierSearches: (run: Run) => Effect.Effect<EarlierSearches, StoreError | CorruptStore, Runs | EventLog> =
  Effect.fn("earlierSearches")(function* ({ created, settings }: Run) {
    const { branch } = settings
    if (branch === undefined) return { searched: new Set<string>(), seeds: [] }
    const unknown = { searched: new Set<string>(branch.candidates), seeds: [] }
    const found = yield* (yield* Runs).find(branch.run)
    // A run of the same name that came later is another one, of a store that has been begun anew.
    if (Option.isNone(found) || found.value.created > created) return unknown
    const log = yield* EventLog
    const state = foldRun((yield* Stream.runCollect(log.read(branch.run))).map(({ event }) => event))
    if (!branch.candidates.every((id) => state.born(id))) return unknown
    if (found.value.settings.split !== settings.split) return { searched: new Set<string>(), seeds: [] }
    const before = yield* earlierSearches(found.value)
    const seeds = state.members.filter(({ candidate: { id, origin } }) => origin === "seed" && !before.searched.has(id))
    const own = new Set<string>(seeds.map(({ candidate }) => candidate.id))
    return {
      searched: new Set<string>(branch.candidates.filter((id) => !own.has(id))),
      seeds: [...before.seeds, ...seeds.map(({ candidate }) => wholeText(candidate))]
    }
  })

/**
 * Reads a run with the campaign that it was of (or the one named in its place), its split and its data, as an audit needs
 * them. Refused where the campaign's split is no longer the one that the run was made on: its texts would be other ones.
 */
export const loadAuditedRun = Effect.fn("loadAuditedRun")(function* (
  name: string,
  options: AuditChoices & { readonly candidate: string; readonly campaign: string | undefined }
) {
  const run = yield* findRun(name)
  const log = yield* EventLog
  const events = (yield* Stream.runCollect(log.read(run.id))).map(({ event }) => event)
  const state = foldRun(events)
  const member = yield* memberNamed(state, options.candidate, "--candidate")
  const { campaign, warnings } = yield* loadCampaign(options.campaign ?? run.campaignFile)
  const data = yield* dataOfSplit(campaign.split, campaign.dataset)
  if (data.split !== run.settings.split) {
    return yield* inputError({
      file: campaign.split,
      what: `is not the split that run ${run.id} was made on`,
      found: showValue(data.split?.slice(0, 12)),
      expected: showValue(run.settings.split.slice(0, 12)),
      hint: "Restore it, or name the campaign as it was with --campaign"
    })
  }
  const usage = yield* Uses.use((uses) => uses.byCandidate(run.id))
  const outcomes = acceptanceOutcomes(events)
  const { objective } = run.settings
  const { candidate } = member
  const earlier = yield* earlierSearches(run)
  const input: AuditInput = {
    subject: {
      kind: "run",
      name: run.id,
      campaign: run.settings.campaign,
      candidate: candidate.id,
      objective: objective as Objective,
      embedded: isEmbedded(run.settings.models.judge)
    },
    candidates: state.members.map(
      ({ candidate: { id, instructions, iteration, name, origin, parents } }): AuditCandidate => ({
        id,
        name,
        origin,
        parents,
        iteration,
        instructions,
        outcomes: outcomes.get(id) ?? null,
        ...(state.isVetoed(id) ? { vetoed: true } : {}),
        ...(earlier.searched.has(id) ? { searched: true } : {})
      })
    ),
    earlierSeeds: earlier.seeds,
    rejected: rejectedOf(events),
    table: state.index?.table ?? null,
    notes: data.notes,
    facts: data.facts,
    indices: data.indices,
    ids: data.ids,
    tokens: yield* Effect.promise(tokenCounter),
    fixed: fixedWords(run.settings.judge.design),
    usage: new Map(usage.map((one): readonly [string, AuditUsage] => [one.candidate, one])),
    ablation: null,
    settings: {
      seed: options.seed,
      resamples: options.resamples,
      cap: capOf([objective.secondary, objective.primary] as ReadonlyArray<Objective["secondary"]>)
    },
    notKnown: []
  }
  return {
    audited: { input, run, campaign, state, member, outcomes: outcomes.get(candidate.id) ?? {} } satisfies AuditedRun,
    warnings: [...warnings, ...data.warnings]
  }
})
