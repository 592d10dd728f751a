import * as Effect from "effect/Effect"
import { count } from "../domain/count.ts"
import { InputError, type Problem } from "../domain/InputError.ts"
import { inJudge, memberModels } from "../judge/judgePin.ts"
import { checkPrices } from "../model/prices.ts"
import { type Forecast, forecast } from "./forecast.ts"
import type { Prepared } from "./prepare.ts"

/**
 * The forecast of a prepared campaign, with tokens counted by a real tokenizer: seconds for notes by the thousand, which
 * `compute` does.
 */
export const forecastOf = (
  { campaign, task }: Prepared,
  compute: (work: () => Forecast) => Effect.Effect<Forecast> = Effect.sync
): Effect.Effect<Forecast> =>
  Effect.promise(async () => (await import("../model/tokens.ts")).tokenCounter()).pipe(
    Effect.flatMap((count) => compute(() => forecast(campaign, task, count)))
  )

/** Refuses a campaign whose budget buys no proposal, and one with a budget in money whose prices nobody knows. */
export const affordable = (
  { campaign }: Prepared,
  { proposals, rejectedProposal, start }: Forecast
): Effect.Effect<void, InputError> => {
  const problems: Array<Problem> = [
    ...checkPrices(
      { judge: campaign.models.judge, reflection: campaign.models.reflection, ...memberModels(campaign.judge) },
      campaign.budget,
      campaign.file
    ).map((problem) => ({ ...problem, field: inJudge(problem.field) }))
  ]
  if (proposals.ifAllRejected < 1) {
    const usd = [start, rejectedProposal].map(({ batchUsd, usd }) => (batchUsd === undefined ? usd : batchUsd))
    const money = usd.includes(null) ? "" : `, $${usd.reduce<number>((sum, one) => sum + (one ?? 0), 0).toFixed(2)}`
    const needs = `${count(Math.ceil(start.calls + rejectedProposal.calls), "call")}, ${count(Math.ceil(start.tokens + rejectedProposal.tokens), "token")}${money}`
    problems.push({
      file: campaign.file,
      field: "budget",
      what: "the budget buys no proposal: judging the seeds and one minibatch costs more",
      found: JSON.stringify(campaign.budget),
      expected: `at least about ${needs}`,
      hint: "Raise the limit, or use fewer seeds or a smaller acceptance part"
    })
  }
  return problems.length > 0 ? Effect.fail(new InputError({ problems })) : Effect.void
}
