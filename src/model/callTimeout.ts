import { durationMs, type ModelConfig } from "../domain/Campaign.ts"

const defaultTimeoutMs = 120_000

/** How long a whole call to the model may take, in milliseconds. */
export const callTimeoutMs = (model: ModelConfig): number =>
  model.timeout === undefined ? defaultTimeoutMs : durationMs(model.timeout)
