import type { OpenAiModel } from "../domain/Campaign.ts"
import { type Api, addressOf } from "./address.ts"

type OpenAi = typeof OpenAiModel.Type

/** What a server may refuse and a request can do without. `answer` is the schema of the answer. */
export type Optional = "temperature" | "seed" | "reasoning" | "answer" | "store"

export type TokensParameter = "max_tokens" | "max_completion_tokens" | "max_output_tokens"

/** What a model's server has been found to want. */
export interface Dialect {
  readonly api: Api
  readonly tokens: TokensParameter
  /** The other name for the token limit has been tried already. */
  readonly switched: boolean
  readonly leftOut: ReadonlySet<Optional>
  readonly official: boolean
}

/** What a server taught, as `refuses seed, which is left out from now on`. */
export interface Lesson {
  readonly dialect: Dialect
  readonly lesson: string
}

export const firstDialect = (model: OpenAi): Dialect => {
  const { api, official } = addressOf(model)
  return {
    api,
    tokens: api === "responses" ? "max_output_tokens" : official ? "max_completion_tokens" : "max_tokens",
    switched: false,
    leftOut: new Set(),
    official
  }
}

/** The names of the fields of a request that ask for each thing, and what else servers call it in their errors. */
const fields: Readonly<Record<Optional, Readonly<Record<Api, string>>>> = {
  temperature: { "chat-completions": "temperature", responses: "temperature" },
  seed: { "chat-completions": "seed", responses: "seed" },
  reasoning: { "chat-completions": "reasoning_effort", responses: "reasoning" },
  answer: { "chat-completions": "response_format", responses: "text" },
  store: { "chat-completions": "store", responses: "store" }
}

export const fieldOf = (optional: Optional, api: Api): string => fields[optional][api]

const unknownParameter =
  /unsupported|not supported|does not support|unrecogni[sz]ed|unknown|unexpected|extra (inputs|fields)|extra_forbidden|not permitted|not allowed|cannot find field/i
const refusedValue =
  /unsupported|does not support|only the default|invalid|must be|may only be|only \S+ is (allowed|supported)/i
/** Says that the value that was asked for is out of range: leaving it out would be another request. */
const outOfRange =
  /too (large|small|high|low|big)|\b(between|range|at (least|most)|(less|greater) than|non-negative)\b|≤|≥/i

/** Schema or no schema, in the words of different servers. */
const aboutAnswer =
  /response[_ ]format|text\.format|json[_ ]schema|structured[_ ]outputs?|guided[_ ](json|decoding)|\b(parse|compile|initiali[sz]e)\b.{0,40}grammar|grammar error|output_config|format of type/i

/** Plain words, which stand in prompts as well, count only where they stand as a name stands. */
const namesWord = (message: string, word: string): boolean =>
  new RegExp(
    `^\\W{0,2}${word}\\b|["'\`]${word}["'\`]|\\b(parameters?|arguments?|supplied|fields?|property|model|invalid|input)\\W{1,4}${word}\\b`,
    "im"
  ).test(message)

/** The refused request as far as it tells which parameter was not wanted. */
export interface Refusal {
  readonly message: string
  readonly param: string | undefined
}

const isAbout = (optional: Optional, { message, param }: Refusal): boolean => {
  const root = param?.split(/[.[]/)[0]
  switch (optional) {
    case "temperature":
    case "seed":
    case "store":
      return root === optional || namesWord(message, optional)
    case "reasoning":
      return (
        root === "reasoning_effort" ||
        root === "reasoning" ||
        /\breasoning[_.]?effort\b|["'`]reasoning["'`]|does not support thinking/i.test(message)
      )
    case "answer":
      return root === "response_format" || root === "text" || aboutAnswer.test(message)
  }
}

const isRefused = (optional: Optional, { message }: Refusal): boolean => {
  switch (optional) {
    case "temperature":
    case "seed":
      return (unknownParameter.test(message) || refusedValue.test(message)) && !outOfRange.test(message)
    case "store":
      return unknownParameter.test(message)
    case "reasoning":
      // An effort that the model knows, but not at this value, is not left out: the default may cost many times as much.
      return unknownParameter.test(message) && !/value/i.test(message)
    case "answer":
      // Whatever a server has against the schema, plain text is the way on.
      return true
  }
}

const otherTokens: Readonly<Record<TokensParameter, TokensParameter | undefined>> = {
  max_tokens: "max_completion_tokens",
  max_completion_tokens: "max_tokens",
  max_output_tokens: undefined
}

const titles: Readonly<Record<Optional, string>> = {
  temperature: "temperature",
  seed: "seed",
  reasoning: "the reasoning effort",
  answer: "answers by JSON schema",
  store: "store"
}

/** `store: false` keeps OpenAI from keeping the notes: it is never left out there. */
const optionals = (dialect: Dialect): ReadonlyArray<Optional> => [
  "answer",
  "temperature",
  "seed",
  "reasoning",
  ...(dialect.official ? [] : (["store"] as const))
]

/**
 * What a refusal teaches; undefined when nothing that leaving out or renaming a parameter would mend. Teaches each thing
 * once, so that trying again comes to an end. `sent` is the body that was refused.
 */
export const learn = (
  dialect: Dialect,
  sent: Readonly<Record<string, unknown>>,
  refusal: Refusal
): Lesson | undefined => {
  const { message, param } = refusal
  const other = otherTokens[dialect.tokens]
  if (other !== undefined && !dialect.switched && dialect.tokens in sent && !outOfRange.test(message)) {
    const names = (name: string) => param === name || new RegExp(`\\b${name}\\b`).test(message)
    if (names(other) || (names(dialect.tokens) && unknownParameter.test(message)))
      return {
        dialect: { ...dialect, tokens: other, switched: true },
        lesson: `wants ${other} in place of ${dialect.tokens}`
      }
  }
  const refused = optionals(dialect).find(
    (optional) =>
      !dialect.leftOut.has(optional) &&
      fieldOf(optional, dialect.api) in sent &&
      isAbout(optional, refusal) &&
      isRefused(optional, refusal)
  )
  if (refused === undefined) return undefined
  return {
    dialect: { ...dialect, leftOut: new Set([...dialect.leftOut, refused]) },
    lesson: `refuses ${titles[refused]}, which is left out from now on`
  }
}
