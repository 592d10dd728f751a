import * as Effect from "effect/Effect"
import { InputError, type Problem } from "../domain/InputError.ts"
import { checkPrices } from "../model/prices.ts"
import { type Forecast, forecast } from "./forecast.ts"
import type { Prepared } from "./prepare.ts"

/** The forecast of a prepared campaign, with tokens counted by a real tokenizer. */
export const forecastOf = ({ campaign, task }: Prepared): Effect.Effect<Forecast> =>
  Effect.promise(async () => {
    const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base")
    // A note may hold text such as <|endoftext|>, which is no special token here.
    return forecast(campaign, task, (text) => countTokens(text, { disallowedSpecial: new Set() }))
  })

/** Refuses a campaign whose budget buys no proposal, and one with a budget in money whose prices nobody knows. */
export const affordable = (
  { campaign }: Prepared,
  { proposals, rejectedProposal, start }: Forecast
): Effect.Effect<void, InputError> => {
  const problems: Array<Problem> = [
    ...checkPrices(
      { "models.judge": campaign.models.judge, "models.reflection": campaign.models.reflection },
      campaign.budget,
      campaign.file
    )
  ]
  if (proposals.ifAllRejected < 1) {
    const needs = `${Math.ceil(start.calls + rejectedProposal.calls)} calls, ${Math.ceil(start.tokens + rejectedProposal.tokens)} tokens${start.usd === null || rejectedProposal.usd === null ? "" : `, $${(start.usd + rejectedProposal.usd).toFixed(2)}`}`
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
