import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { ModelConfig } from "../domain/Campaign.ts"
import { InputError, inputError, type Problem } from "../domain/InputError.ts"
import { schemaProblems } from "../domain/schemaProblems.ts"
import { discreet } from "./load.ts"
import { secretProblems } from "./secrets.ts"
import { parseYaml } from "./yamlDocument.ts"

/** A model with the name that tables show. */
export interface NamedModel {
  readonly name: string
  readonly model: ModelConfig
}

/** The stand-in that answers offline. */
export const embedded: NamedModel = { name: "embedded", model: { provider: "embedded", model: "lexical-1" } }

const decode = Schema.decodeUnknownResult(ModelConfig, { errors: "all", onExcessProperty: "error" })

/** A name alone is a model of OpenAI's, or the embedded one. */
const spelledOut = (value: unknown): unknown =>
  typeof value === "string"
    ? value === "embedded" || value === "lexical-1"
      ? embedded.model
      : { provider: "openai", model: value }
    : value

/** A model of the command line: `NAME=MODEL`, or `NAME={ provider: …, model: …, … }` with the fields of a campaign's `models.judge`. */
export const parseModel = (flag: string): Effect.Effect<NamedModel, InputError> => {
  const at = flag.indexOf("=")
  const secrets = secretProblems(flag, "--model")
  if (secrets.length > 0) {
    const problems = secrets.map(
      ({ what, hint }): Problem => ({ field: "--model", what, ...(hint === undefined ? {} : { hint }) })
    )
    return Effect.fail(new InputError({ problems }))
  }
  if (at <= 0) {
    return Effect.fail(
      inputError({
        field: "--model",
        what: "names no model",
        found: flag,
        expected: "NAME=MODEL, such as mini=gpt-5.4-mini, or NAME={ provider: openai, model: …, baseUrl: … }"
      })
    )
  }
  const name = flag.slice(0, at).trim()
  const { document, problems } = parseYaml(flag.slice(at + 1), "--model")
  if (document === undefined) return Effect.fail(new InputError({ problems }))
  const value = spelledOut(document.value)
  const decoded = decode(value)
  if (Result.isSuccess(decoded)) return Effect.succeed({ name, model: decoded.success })
  return Effect.fail(
    new InputError({
      problems: schemaProblems(decoded.failure.issue, value, ModelConfig.ast).map(({ problem }) => ({
        ...discreet(problem),
        field: `--model ${name}${problem.field === undefined || problem.field === "" ? "" : `: ${problem.field}`}`
      }))
    })
  )
}
