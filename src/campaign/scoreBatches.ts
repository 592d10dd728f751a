import * as Effect from "effect/Effect"
import type { ModelConfig } from "../domain/Campaign.ts"
import { designOf } from "../judge/designs/registry.ts"
import { JudgeBroken } from "../judge/Judge.ts"
import { CurrentProgress } from "../judge/Progress.ts"
import { gatherable } from "../judge/requests.ts"
import type { RequestList } from "../model/batch/BatchServer.ts"
import { modelName } from "../model/key.ts"
import { LanguageModel, type ModelRequest } from "../model/LanguageModel.ts"
import type { ScoredJudge, ScoreWork } from "./scoreJudges.ts"

interface Part {
  readonly length: number
  readonly get: (index: number) => ModelRequest
}

/** What the judges ask first, of every note at every run seed, as far as it can be known before any answer. */
export const firstRequests = (
  { items: { items }, seeds }: Pick<ScoreWork, "items" | "seeds">,
  judges: ReadonlyArray<ScoredJudge>
): RequestList => {
  const parts = judges.flatMap(({ instructions, judge, model }): ReadonlyArray<Part> => {
    const requests = gatherable(designOf(judge), items, judge.samples)
    if (requests === undefined) return []
    return seeds.map((seed) => ({
      length: requests.length,
      get: (index) => requests.get(index, model.model, instructions, seed)
    }))
  })
  return {
    length: parts.reduce((sum, { length }) => sum + length, 0),
    get: (index) => {
      let left = index
      for (const part of parts) {
        if (left < part.length) return part.get(left)
        left -= part.length
      }
      throw new RangeError(`there is no request ${index}`)
    }
  }
}

/** For models with `batch`, asks for all first answers together: one wait for all replicates, not one for each. */
export const gatherScore = Effect.fn("gatherScore")(function* (work: Pick<ScoreWork, "items" | "judges" | "seeds">) {
  const language = yield* LanguageModel
  const progress = yield* CurrentProgress
  const { gather } = language
  if (gather === undefined) return
  const byModel = Map.groupBy(work.judges, ({ model }) => model.name)
  for (const judges of byModel.values()) {
    const model: ModelConfig = judges[0]!.model.model
    yield* gather(firstRequests(work, judges), ({ done, status, total }) => {
      Object.assign(progress, { label: `batches at ${modelName(model)} (${status})`, done, total })
    }).pipe(Effect.catchTag("ModelError", ({ message }) => Effect.fail(new JudgeBroken({ message }))))
  }
})
