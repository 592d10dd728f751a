import * as Effect from "effect/Effect"
import type { Budget, ModelConfig } from "../domain/Campaign.ts"
import { canonicalJson } from "../domain/hash.ts"
import { makeProviders } from "../model/providers.ts"
import type { Section } from "./Check.ts"
import { type AskedModel, modelSection } from "./modelSection.ts"

/** Models that are configured alike are asked once. */
export const distinctModels = (
  models: ReadonlyArray<{ readonly name: string; readonly model: ModelConfig }>
): ReadonlyArray<AskedModel> =>
  [...Map.groupBy(models, ({ model }) => canonicalJson(model)).values()].map((alike) => ({
    names: alike.map(({ name }) => name),
    model: alike[0]!.model
  }))

/** Asks the models one after the other, so that none waits for another's answer and counts the time as its own. */
export const modelSections = Effect.fn("modelSections")(function* (
  models: ReadonlyArray<AskedModel>,
  budget: Budget
): Effect.fn.Return<ReadonlyArray<Section>> {
  const providers = yield* makeProviders
  return yield* Effect.forEach(models, (model) => modelSection(model, budget, providers))
})

/** Whether a check says no. */
export const saysNo = (sections: ReadonlyArray<Section>): boolean =>
  sections.some(({ checks }) => checks.some(({ level }) => level === "no"))
