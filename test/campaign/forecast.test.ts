import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { affordable, forecastOf } from "../../src/campaign/affordable.ts"
import { type Prepared, prepareCampaign } from "../../src/campaign/prepare.ts"
import type { Budget, ModelConfig } from "../../src/domain/Campaign.ts"
import { pricesAsOf } from "../../src/model/priceTable.ts"

const quickstart = join(import.meta.dirname, "../../campaigns/quickstart/campaign.yaml")
const embedded: ModelConfig = { provider: "embedded", model: "lexical-1" }
const mini: ModelConfig = { provider: "openai", model: "gpt-5.4-mini" }
const ours: ModelConfig = { provider: "openai", model: "ours", baseUrl: "http://gpu-1:8000" }

const withModels = (judge: ModelConfig, reflection: ModelConfig, budget: Budget = {}) =>
  Effect.map(
    prepareCampaign(quickstart),
    (prepared): Prepared => ({
      ...prepared,
      campaign: { ...prepared.campaign, models: { judge, reflection }, budget }
    })
  ).pipe(Effect.provide(NodeServices.layer))
const forecastWith = (judge: ModelConfig, reflection: ModelConfig, budget?: Budget) =>
  Effect.flatMap(withModels(judge, reflection, budget), forecastOf)

describe("a forecast", () => {
  it.effect("prices acceptance evaluations at half where they go by batch, and nothing else", () =>
    Effect.gen(function* () {
      const plain = yield* forecastWith(mini, embedded)
      const { acceptedProposal, expected, prices, rejectedProposal, start } = yield* forecastWith(
        { ...mini, batch: true },
        embedded
      )
      assert.isUndefined(plain.start.batchUsd)
      assert.strictEqual(start.usd, plain.start.usd)
      assert.approximately(start.batchUsd!, start.usd! / 2, 1e-9)
      assert.approximately(rejectedProposal.batchUsd!, rejectedProposal.usd!, 1e-9)
      const evaluation = acceptedProposal.usd! - rejectedProposal.usd!
      assert.approximately(acceptedProposal.batchUsd!, acceptedProposal.usd! - evaluation / 2, 1e-9)
      assert.isBelow(expected.batchUsd!, expected.usd!)
      assert.strictEqual(prices.batchShare, 0.5)
      assert.strictEqual(prices.listedAsOf, pricesAsOf)
      const quarter = { ...mini, batch: true, price: { input: 0.75, output: 4.5, batch: 0.25 } }
      const own = yield* forecastWith(quarter, embedded)
      assert.approximately(own.start.batchUsd!, start.usd! / 4, 1e-9)
      assert.isNull(own.prices.listedAsOf)
    })
  )

  it.effect("buys more proposals where batches are cheaper", () =>
    Effect.gen(function* () {
      const budget = { usd: 10 }
      const single = yield* forecastWith(mini, embedded, budget)
      const batch = yield* forecastWith({ ...mini, batch: true }, embedded, budget)
      assert.isAbove(batch.proposals.ifAllAccepted, single.proposals.ifAllAccepted)
      assert.strictEqual(batch.proposals.ifAllRejected >= single.proposals.ifAllRejected, true)
    })
  )

  it.effect("of an unknown price is unknown, not nothing", () =>
    Effect.gen(function* () {
      const { expected, prices, rejectedProposal, start } = yield* forecastWith({ ...ours, batch: true }, embedded)
      assert.deepStrictEqual(
        [start.usd, start.batchUsd, rejectedProposal.usd, expected.batchUsd],
        [null, null, null, null]
      )
      assert.isNull(prices.judge)
    })
  )

  it.effect("takes each model's own time", () =>
    Effect.gen(function* () {
      const both = yield* forecastWith(embedded, embedded)
      const reflecting = yield* forecastWith(embedded, mini)
      assert.approximately(both.rejectedProposal.seconds, both.rejectedProposal.calls * 0.005, 1e-9)
      assert.approximately(reflecting.rejectedProposal.seconds, both.rejectedProposal.judge.calls * 0.005 + 20, 1e-6)
    })
  )
})

describe("affordable", () => {
  it.effect("names the field of the price that is missing", () =>
    Effect.gen(function* () {
      const prepared = yield* withModels(ours, embedded, { usd: 5 })
      const { problems } = yield* Effect.flip(affordable(prepared, yield* forecastOf(prepared)))
      assert.deepStrictEqual(
        problems.map(({ field }) => field),
        ["models.judge.price"]
      )
    })
  )
})
