import * as Result from "effect/Result"
import { type Problem, showValue } from "../../domain/InputError.ts"
import type { Api, Asked } from "./Api.ts"
import { type Refusal, refusal } from "./protocol.ts"

/** Parameters that servers are known to refuse. */
export const parameterNames = [
  "temperature",
  "top_p",
  "seed",
  "max_tokens",
  "max_completion_tokens",
  "max_output_tokens",
  "response_format",
  "reasoning_effort"
] as const
export type ParameterName = (typeof parameterNames)[number]

/** `temperature,seed` to names, or what is wrong with it. */
export const parseRefused = (spec: string): Result.Result<ReadonlyArray<ParameterName>, Problem> => {
  const names = spec.split(",").map((name) => name.trim())
  const known = names.filter((name): name is ParameterName => (parameterNames as ReadonlyArray<string>).includes(name))
  const unknown = names.find((name) => !(known as ReadonlyArray<string>).includes(name))
  return unknown === undefined
    ? Result.succeed(known)
    : Result.fail({
        field: "--refuses",
        what: "is not usable",
        found: showValue(unknown),
        expected: `names out of ${parameterNames.join(", ")}, joined by commas`
      })
}

const at = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined

/** The value in a body, and the parameter's name in the API; undefined where it is absent or null. */
const given = (api: Api, body: unknown, name: ParameterName): readonly [param: string, value: unknown] | undefined => {
  const [param, value] =
    api.name === "chat-completions"
      ? [name, at(body, name)]
      : name === "response_format"
        ? ["text.format", at(at(body, "text"), "format")]
        : name === "reasoning_effort"
          ? ["reasoning.effort", at(at(body, "reasoning"), "effort")]
          : [name, at(body, name)]
  return value === undefined || value === null ? undefined : [param, value]
}

const unsupported = (param: string, value: unknown): Refusal => {
  if (param === "temperature" || param === "top_p") {
    const message = `Unsupported value: '${param}' does not support ${JSON.stringify(value)} with this model. Only the default (1) value is supported.`
    return refusal(400, "unsupported_value", message, "invalid_request_error", param)
  }
  if (param === "max_completion_tokens") {
    return refusal(400, null, `Unrecognized request argument supplied: ${param}`)
  }
  const instead = param === "max_tokens" ? " Use 'max_completion_tokens' instead." : ""
  const message = `Unsupported parameter: '${param}' is not supported with this model.${instead}`
  return refusal(400, "unsupported_parameter", message, "invalid_request_error", param)
}

/** The refusal of the first of these parameters that a body has. */
export const refusedParameter = (api: Api, body: unknown, names: ReadonlyArray<ParameterName>): Refusal | undefined => {
  for (const name of names) {
    const [param, value] = given(api, body, name) ?? []
    const theDefault = (name === "temperature" || name === "top_p") && value === 1
    if (param !== undefined && !theDefault) return unsupported(param, value)
  }
  return undefined
}

/** Those that a body has of the optional parameters, in their fixed order. */
export const optionalParameters = (api: Api, body: unknown): ReadonlyArray<ParameterName> =>
  parameterNames.filter((name) => refusedParameter(api, body, [name]) !== undefined)

/** The first place in a strict schema that OpenAI would not take; it wants each object closed and all of it required. */
const looseObject = (schema: unknown, path: ReadonlyArray<string>): string | undefined => {
  if (typeof schema !== "object" || schema === null) return undefined
  const properties = at(schema, "properties")
  const context = `In context=(${path.map((part) => `'${part}'`).join(", ")})`
  if (at(schema, "type") === "object") {
    if (at(schema, "additionalProperties") !== false) {
      return `${context}, 'additionalProperties' is required to be supplied and to be false.`
    }
    const required = at(schema, "required")
    const missing = Object.keys(properties ?? {}).find((name) => !(Array.isArray(required) && required.includes(name)))
    if (missing !== undefined) {
      return `${context}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`
    }
  }
  for (const [name, inner] of Object.entries(properties ?? {})) {
    const loose = looseObject(inner, [...path, "properties", name])
    if (loose !== undefined) return loose
  }
  return looseObject(at(schema, "items"), [...path, "items"])
}

/** Why the asked format is refused; `supported` is whether the server has structured output at all. */
export const refusedFormat = (api: Api, { format, model }: Asked, supported: boolean): Refusal | undefined => {
  if (format?.type !== "json_schema") return undefined
  const param = api.formatParameter
  const refuse = (message: string) => refusal(400, null, message, "invalid_request_error", param)
  if (!supported) {
    return refuse(`Invalid parameter: '${param}' of type 'json_schema' is not supported with model \`${model}\`.`)
  }
  const loose = format.strict === true ? looseObject(format.schema, []) : undefined
  return loose === undefined ? undefined : refuse(`Invalid schema for ${param} '${format.name}': ${loose}`)
}
