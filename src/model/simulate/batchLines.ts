import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Api } from "./Api.ts"
import type { Exchanging } from "./exchange.ts"

/** One line of a batch's input file. */
export interface BatchLine {
  readonly customId: string
  readonly model: string
  /** The request's body, as JSON. */
  readonly body: string
}

/** Why a batch fails validation, as OpenAI says it. */
export interface BatchProblem {
  readonly code: string
  readonly message: string
  readonly param: string | null
  /** 1-based; null for the file. */
  readonly line: number | null
}

const Line = Schema.Struct({
  custom_id: Schema.NonEmptyString.check(Schema.isMaxLength(512)),
  method: Schema.Literal("POST"),
  url: Schema.String,
  body: Schema.Struct({ model: Schema.NonEmptyString })
})
const decodeLine = Schema.decodeUnknownResult(Line)

const mostLines = 50_000

const problem = (code: string, message: string, param: string | null, line: number | null): BatchProblem => ({
  code,
  message,
  param,
  line
})

/** A line's value and its body as JSON again, or undefined for what is no JSON, or nested too deeply to be written. */
const parseLine = (text: string): { readonly value: unknown; readonly body: string } | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return { value, body: JSON.stringify((value as { readonly body?: unknown } | null)?.body ?? null) }
  } catch {
    return undefined
  }
}

/** The lines of an input file, or everything that OpenAI finds wrong with it. `endpoint` is as given with the batch. */
export const readLines = (
  content: string,
  endpoint: string
): Result.Result<ReadonlyArray<BatchLine>, ReadonlyArray<BatchProblem>> => {
  const texts = content.split("\n").map((text) => text.trim())
  while (texts.at(-1) === "") texts.pop()
  if (texts.length === 0) {
    return Result.fail([
      problem(
        "empty_file",
        "The batch input file is empty. Please ensure that the batch contains at least one request.",
        null,
        null
      )
    ])
  }
  if (texts.length > mostLines) {
    return Result.fail([
      problem(
        "too_many_tasks",
        `The batch input file contains too many requests for the batch. The maximum is ${mostLines} requests per batch.`,
        null,
        null
      )
    ])
  }
  const lines: Array<BatchLine> = []
  const problems: Array<BatchProblem> = []
  const seen = new Set<string>()
  texts.forEach((text, index) => {
    const number = index + 1
    const parsed = parseLine(text)
    if (parsed === undefined) {
      problems.push(problem("invalid_json_line", "This line is not parseable as valid JSON.", null, number))
      return
    }
    const decoded = decodeLine(parsed.value)
    if (Result.isFailure(decoded)) {
      problems.push(problem("invalid_request", `This line is not a request: ${decoded.failure.message}`, null, number))
      return
    }
    const { body, custom_id: customId, url } = decoded.success
    if (seen.has(customId)) {
      problems.push(
        problem(
          "duplicate_custom_id",
          `The custom_id '${customId}' for this request is a duplicate of another request. The custom_id parameter must be unique for each request in a batch.`,
          "custom_id",
          number
        )
      )
    }
    seen.add(customId)
    if (url !== endpoint) {
      problems.push(
        problem("url_mismatch", "The URL provided for this request does not match the batch endpoint.", "url", number)
      )
    }
    const first = lines[0]
    if (first !== undefined && first.model !== body.model) {
      problems.push(
        problem(
          "model_mismatch",
          `The model '${body.model}' for this request does not match the rest of the batch. Each batch must contain requests for a single model.`,
          "body.model",
          number
        )
      )
    }
    lines.push({ customId, model: body.model, body: parsed.body })
  })
  return problems.length === 0 ? Result.succeed(lines) : Result.fail(problems)
}

/** What became of a line: where it is written, and the text. Lost lines are in neither file. */
export interface LineOutcome {
  readonly file: "output" | "error" | "none"
  readonly text: string
  /** Of the request, when it was answered as it should be. */
  readonly answered: string | undefined
  readonly usage: LineUsage | undefined
}

/** As either API counts. */
export interface LineUsage {
  readonly input: number
  readonly cached: number
  readonly output: number
  readonly reasoning: number
}

const count = (value: unknown): number => (typeof value === "number" && value >= 0 ? value : 0)

const usageOf = (body: string): LineUsage | undefined => {
  const { usage } = JSON.parse(body) as { readonly usage?: Readonly<Record<string, unknown>> }
  if (usage === undefined) return undefined
  const detail = (names: ReadonlyArray<string>, field: string) =>
    names.map((name) => usage[name] as Readonly<Record<string, unknown>> | undefined).find((one) => one)?.[field]
  return {
    input: count(usage["prompt_tokens"] ?? usage["input_tokens"]),
    cached: count(detail(["prompt_tokens_details", "input_tokens_details"], "cached_tokens")),
    output: count(usage["completion_tokens"] ?? usage["output_tokens"]),
    reasoning: count(detail(["completion_tokens_details", "output_tokens_details"], "reasoning_tokens"))
  }
}

const lost: LineOutcome = { file: "none", text: "", answered: undefined, usage: undefined }
const lossy: ReadonlySet<string> = new Set(["reset", "hang", "cut", "stall"])

/** Answers one line. `id` is of the line's result. A fault that breaks a body's JSON breaks the line's. */
export const answerLine = (
  exchange: Exchanging,
  api: Api,
  { body, customId }: BatchLine,
  id: string,
  authorization: string
): LineOutcome => {
  const { hash, wire } = exchange(api, body, { authorization, batch: true })
  if (lossy.has(wire.delivery)) return lost
  const json = wire.headers["content-type"]?.startsWith("application/json") === true
  const raw = json ? wire.body : JSON.stringify(wire.body)
  const request = JSON.stringify(wire.headers["x-request-id"] ?? `req_${id}`)
  return {
    file: wire.status < 400 ? "output" : "error",
    text: `{"id":${JSON.stringify(id)},"custom_id":${JSON.stringify(customId)},"response":{"status_code":${wire.status},"request_id":${request},"body":${raw}},"error":null}`,
    answered: wire.answers ? hash : undefined,
    usage: wire.answers ? usageOf(wire.body) : undefined
  }
}

export const expiredLine = ({ customId }: BatchLine, id: string): string =>
  JSON.stringify({
    id,
    custom_id: customId,
    response: null,
    error: {
      code: "batch_expired",
      message: "This request could not be executed before the completion window expired."
    }
  })
