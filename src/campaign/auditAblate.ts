import * as Effect from "effect/Effect"
import type { AuditInput } from "../audit/AuditInput.ts"
import { type AddedParagraph, ablationOf, addedParagraphs } from "../audit/ablation.ts"
import { sizer, wholeText } from "../audit/lineage.ts"
import { itemSet } from "../dataset/itemSet.ts"
import type { Budget } from "../domain/Campaign.ts"
import { differences } from "../domain/differences.ts"
import { InputError, showValue } from "../domain/InputError.ts"
import type { ItemSet } from "../domain/Item.ts"
import type { Outcome, Outcomes } from "../domain/Judgement.ts"
import { judgePin } from "../judge/judgePin.ts"
import type { JudgedNotes } from "../measure/scoredNotes.ts"
import { modelName, modelPin } from "../model/key.ts"
import { loadOptimisationParts } from "../split/parts.ts"
import type { AuditedRun } from "./auditRun.ts"
import { classesOf } from "./prepare.ts"
import { checkScore, planScore, runJudges, type ScoredJudge, type ScorePlan } from "./scoreJudges.ts"

const outcomesOf = ({ items }: ItemSet, { judged, scores }: JudgedNotes): Outcomes =>
  Object.fromEntries(
    items.map(({ id }, at): [string, Outcome] => [
      id,
      judged[at] === 0
        ? { _tag: "failed", cause: "the call failed" }
        : Number.isNaN(scores[at]!)
          ? { _tag: "unparsed", reply: "" }
          : { _tag: "scored", score: scores[at]! }
    ])
  )

export interface AblationWork {
  readonly paragraphs: ReadonlyArray<AddedParagraph>
  readonly items: ItemSet
  readonly model: string
  readonly plan: ScorePlan
}

interface Asked {
  readonly budget: Budget
  readonly patienceMs: number | undefined
}

const judgesOf = ({ campaign }: AuditedRun, paragraphs: ReadonlyArray<AddedParagraph>): ReadonlyArray<ScoredJudge> =>
  paragraphs.map(({ without }, at) => ({
    name: `without paragraph ${at + 1}`,
    judge: campaign.judge,
    instructions: without,
    model: { name: "judge", model: campaign.models.judge }
  }))

const workOf = (
  audited: AuditedRun,
  { items, paragraphs }: Pick<AblationWork, "items" | "paragraphs">,
  asked: Asked
) => ({
  ...asked,
  items,
  judges: judgesOf(audited, paragraphs),
  seeds: [audited.run.settings.search.seed]
})

/**
 * What an ablation will judge: the candidate without each paragraph that no seed has, on the acceptance part, with the
 * run's own seed, so that what differs is the paragraph alone. Refused where the campaign's judge is no longer the run's.
 */
export const planAblation = Effect.fn("planAblation")(function* (audited: AuditedRun, asked: Asked) {
  const { campaign, member, run, state } = audited
  const now = { models: { judge: modelPin(campaign.models.judge) }, judge: judgePin(campaign.judge) }
  const before = { models: { judge: run.settings.models.judge }, judge: run.settings.judge }
  const changed = differences(before, now)
  if (changed.length > 0) {
    return yield* new InputError({
      problems: changed.map(({ before: was, field, now: is }) => ({
        file: campaign.file,
        field,
        what: `is not what run ${run.id} was judged with, so an ablation would compare two judges`,
        found: showValue(is),
        expected: showValue(was)
      }))
    })
  }
  const seeds = state.members.filter(
    ({ candidate }) => candidate.origin === "seed" && candidate.id !== member.candidate.id
  )
  const paragraphs = addedParagraphs(
    member.candidate.instructions,
    seeds.map(({ candidate }) => wholeText(candidate))
  )
  const { acceptance } = yield* loadOptimisationParts(campaign.split, campaign.dataset)
  const { primary, secondary } = campaign.objective
  const items: ItemSet = itemSet(acceptance, classesOf([primary, secondary]))
  const plan = yield* planScore(workOf(audited, { items, paragraphs }, asked))
  yield* checkScore(plan.toAsk, asked.budget, () => `${campaign.file}: models.judge`)
  return { paragraphs, items, plan, model: modelName(campaign.models.judge) } satisfies AblationWork
})

/** Judges what was planned, out of the store where it has been bought before, and ranks the paragraphs. */
export const runAblation = Effect.fn("runAblation")(function* (
  audited: AuditedRun,
  work: AblationWork,
  asked: Asked,
  told: (what: { readonly judge: string }) => Effect.Effect<void>
) {
  const { input } = audited
  const { runs } = yield* work.paragraphs.length === 0
    ? Effect.succeed({ runs: [] })
    : runJudges(
        { ...workOf(audited, work, asked), items: Effect.succeed(work.items) },
        { sealed: false, told, place: () => `${audited.campaign.file}: models.judge` }
      )
  const paragraphs = work.paragraphs.map((paragraph, at) => ({
    paragraph,
    outcomes: outcomesOf(work.items, runs[at]!.notes)
  }))
  return { ...input, ablation: ablationOf(input, paragraphs, sizer(input.tokens)) } satisfies AuditInput
})
