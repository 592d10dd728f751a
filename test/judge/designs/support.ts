import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { JudgeConfig, ModelConfig } from "../../../src/domain/Campaign.ts"
import type { Instructions } from "../../../src/domain/Candidate.ts"
import type { Item } from "../../../src/domain/Item.ts"
import { designJudge } from "../../../src/judge/designJudge.ts"
import { Judge } from "../../../src/judge/Judge.ts"
import { type AnswerUse, UseRecorder } from "../../../src/judge/UseRecorder.ts"
import { requestKey } from "../../../src/model/key.ts"
import { type Completion, LanguageModel, ModelError, type ModelRequest } from "../../../src/model/LanguageModel.ts"

export const model: ModelConfig = { provider: "openai", model: "m", concurrency: 4 }

export const item = (id: string, note: string, more: Partial<Item> = {}): Item =>
  ({
    id,
    key: `key of ${id}`,
    consultation: id.split("/")[0]!,
    transcript: "Doctor: What brings you? Patient: My left knee hurts. I am allergic to penicillin.",
    note,
    ...more
  }) as unknown as Item

/** Which stage a prompt is of, by the words of its preamble and contract. */
export const stageOf = ({ messages: [first] }: ModelRequest): string => {
  const text = first!.content
  if (text.startsWith("You list what")) return "extract"
  if (text.startsWith("You audit a list")) return "audit"
  if (text.startsWith("You look once more")) return "second-look"
  if (text.includes("against a list of facts")) return "check"
  if (text.includes("by one criterion")) return "criterion"
  if (text.includes("Write down the questions")) return "checklist"
  if (text.includes("Answer whether the note has an error")) return "yes-no"
  return "score"
}

export const isRetry = ({ messages }: ModelRequest): boolean => messages.length > 1

export type Script = (request: ModelRequest, stage: string) => unknown

/** Judges the items by a model that answers as the script says: a text, a value as JSON, or a failure. */
export const judged = (
  judge: JudgeConfig,
  items: ReadonlyArray<Item>,
  script: Script,
  options: { readonly instructions?: Instructions; readonly seed?: number; readonly candidate?: string } = {}
) => {
  const asked: Array<ModelRequest> = []
  const uses: Array<AnswerUse> = []
  const languageModel = LanguageModel.of({
    complete: (request) =>
      Effect.suspend(() => {
        asked.push(request)
        const given = script(request, stageOf(request))
        if (given instanceof ModelError) return Effect.fail(given)
        return Effect.succeed<Completion>({
          text: typeof given === "string" ? given : JSON.stringify(given),
          finish: "stop",
          usage: null,
          servedModel: null,
          key: requestKey(request).key,
          reused: false,
          cost: null,
          latencyMs: 1
        })
      })
  })
  return Judge.use((service) =>
    service.evaluate(options.instructions ?? {}, items, { label: "test", candidate: options.candidate ?? "c" })
  ).pipe(
    Effect.provide(
      designJudge({ judge, model, seed: options.seed ?? 11 }).pipe(
        Layer.provide(Layer.succeed(LanguageModel, languageModel))
      )
    ),
    Effect.provideService(UseRecorder, (more) => Effect.sync(() => void uses.push(...more))),
    Effect.result,
    Effect.map((result) => ({ result, outcomes: result._tag === "Success" ? result.success : {}, asked, uses }))
  )
}

export const keysOf = (asked: ReadonlyArray<ModelRequest>, stage: string): ReadonlySet<string> =>
  new Set(asked.filter((request) => stageOf(request) === stage).map((request) => requestKey(request).key))
