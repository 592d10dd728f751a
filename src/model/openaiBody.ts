import type { ChatCompletionCreateParamsNonStreaming } from "openai/resources/chat/completions"
import type { ResponseCreateParamsNonStreaming } from "openai/resources/responses/responses"
import type { OpenAiModel } from "../domain/Campaign.ts"
import { answerAskedFor } from "./key.ts"
import type { AnswerSchema, Message, ModelRequest } from "./LanguageModel.ts"
import type { Dialect, Optional } from "./openaiDialect.ts"

type OpenAi = typeof OpenAiModel.Type

/** The body of a request, to be sent as JSON. */
export type Body = Readonly<Record<string, unknown>>

/** Servers refuse half a character pair. */
const wellFormed = ({ content, role }: Message) => ({ role, content: content.toWellFormed() })

const chatBody = (
  model: OpenAi,
  request: ModelRequest,
  answer: AnswerSchema | undefined,
  dialect: Dialect
): ChatCompletionCreateParamsNonStreaming => {
  const has = (optional: Optional) => !dialect.leftOut.has(optional)
  return {
    model: model.model,
    messages: request.messages.map(wellFormed),
    ...(model.maxOutputTokens === undefined ? {} : { [dialect.tokens]: model.maxOutputTokens }),
    ...(model.temperature !== undefined && has("temperature") ? { temperature: model.temperature } : {}),
    ...(model.reasoningEffort !== undefined && has("reasoning") ? { reasoning_effort: model.reasoningEffort } : {}),
    ...(has("seed") ? { seed: request.seed } : {}),
    ...(answer !== undefined && has("answer")
      ? {
          response_format: {
            type: "json_schema",
            json_schema: { name: answer.name, strict: true, schema: answer.schema }
          }
        }
      : {})
  }
}

/** The responses API knows no seed. What it is asked is not to be kept by the server. */
const responsesBody = (
  model: OpenAi,
  request: ModelRequest,
  answer: AnswerSchema | undefined,
  dialect: Dialect
): ResponseCreateParamsNonStreaming => {
  const has = (optional: Optional) => !dialect.leftOut.has(optional)
  const messages = request.messages.map(wellFormed)
  const first = messages.findIndex(({ role }) => role !== "system")
  const instructions = messages.slice(0, first === -1 ? messages.length : first).map(({ content }) => content)
  return {
    model: model.model,
    ...(instructions.length === 0 ? {} : { instructions: instructions.join("\n\n") }),
    input: messages.slice(instructions.length),
    ...(model.maxOutputTokens === undefined ? {} : { max_output_tokens: model.maxOutputTokens }),
    ...(model.temperature !== undefined && has("temperature") ? { temperature: model.temperature } : {}),
    ...(model.reasoningEffort !== undefined && has("reasoning")
      ? { reasoning: { effort: model.reasoningEffort } }
      : {}),
    ...(answer !== undefined && has("answer")
      ? { text: { format: { type: "json_schema", name: answer.name, strict: true, schema: { ...answer.schema } } } }
      : {}),
    ...(has("store") ? { store: false } : {})
  }
}

/** The body in the form that the model's server has been found to want, with the campaign's own fields over it. */
export const bodyOf = (model: OpenAi, request: ModelRequest, dialect: Dialect): Body => {
  const answer = answerAskedFor(request)
  const body =
    dialect.api === "responses"
      ? responsesBody(model, request, answer, dialect)
      : chatBody(model, request, answer, dialect)
  return model.body === undefined ? { ...body } : { ...body, ...model.body }
}
