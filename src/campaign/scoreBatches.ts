import * as Effect from "effect/Effect"
import { callSeed } from "../domain/Random.ts"
import { JudgeBroken } from "../judge/Judge.ts"
import { CurrentProgress } from "../judge/Progress.ts"
import { judgeRequest, messages } from "../judge/wholeNoteScore.ts"
import type { RequestList } from "../model/batch/BatchServer.ts"
import { modelName } from "../model/key.ts"
import { LanguageModel } from "../model/LanguageModel.ts"
import type { ScoredJudge, ScoreWork } from "./scoreJudges.ts"

/** What the judges ask first, of every note at every run seed. */
export const firstRequests = (
  { items: { items }, samples, seeds }: Pick<ScoreWork, "items" | "samples" | "seeds">,
  judges: ReadonlyArray<ScoredJudge>
): RequestList => ({
  length: judges.length * seeds.length * items.length * samples,
  get: (index) => {
    const note = Math.floor(index / samples)
    const replicate = Math.floor(note / items.length)
    const judge = judges[Math.floor(replicate / seeds.length)]!
    const item = items[note % items.length]!
    const seed = callSeed(seeds[replicate % seeds.length]!, item.key, index % samples)
    return judgeRequest(judge.model.model, messages(item, judge.instruction), seed)
  }
})

/** For models with `batch`, asks for all first answers together: one wait for all replicates, not one for each. */
export const gatherScore = Effect.fn("gatherScore")(function* (
  work: Pick<ScoreWork, "items" | "judges" | "samples" | "seeds">
) {
  const language = yield* LanguageModel
  const progress = yield* CurrentProgress
  const { gather } = language
  if (gather === undefined) return
  const byModel = Map.groupBy(work.judges, ({ model }) => model.name)
  for (const judges of byModel.values()) {
    const { model } = judges[0]!.model
    yield* gather(firstRequests(work, judges), ({ done, status, total }) => {
      Object.assign(progress, { label: `batches at ${modelName(model)} (${status})`, done, total })
    }).pipe(Effect.catchTag("ModelError", ({ message }) => Effect.fail(new JudgeBroken({ message }))))
  }
})
