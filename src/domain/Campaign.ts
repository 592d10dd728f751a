import * as Schema from "effect/Schema"
import { CandidateId } from "./Candidate.ts"
import { Criterion, ErrorClass } from "./Dataset.ts"
import { DesignName } from "./DesignName.ts"

const Positive = Schema.Finite.check(Schema.isGreaterThan(0, { expected: "a number above 0" }))
const PositiveInt = Schema.Int.check(Schema.isGreaterThan(0, { expected: "a whole number above 0" }))
const Amount = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0, { expected: "a number of at least 0" }))
const Share = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }, { expected: "a number from 0 to 1" }))

const unitMs = {
  ms: 1,
  millisecond: 1,
  s: 1e3,
  second: 1e3,
  minute: 6e4,
  m: 6e4,
  hour: 36e5,
  h: 36e5,
  day: 864e5,
  d: 864e5
} as const
const durationPattern = /^(\d+(?:\.\d+)?) ?(ms|milliseconds?|s|seconds?|m|minutes?|h|hours?|d|days?)$/

/** A length of time as people write it, such as `90 seconds`, `2 hours` or `500 ms`. */
export const DurationText = Schema.String.check(
  Schema.isPattern(durationPattern, { expected: 'a duration such as "90 seconds" or "2 hours"' })
)

/** Milliseconds of a `DurationText`. */
export const durationMs = (text: string): number => {
  const [, amount, unit] = durationPattern.exec(text) ?? []
  if (amount === undefined || unit === undefined) throw new Error(`not a duration: ${text}`)
  const singular = unit.length > 2 ? unit.replace(/s$/, "") : unit
  return Number(amount) * unitMs[singular as keyof typeof unitMs]
}

/** A dollar a token is dearer than any model; beyond it sums lose their cents, and at 1e308 their finiteness. */
const Rate = Schema.Finite.check(
  Schema.isBetween({ minimum: 0, maximum: 1e6 }, { expected: "US dollars per million tokens, from 0 to 1,000,000" })
)

/** Money per million tokens, in US dollars. */
export const Price = Schema.Struct({
  input: Rate,
  /** Input that comes from a cache; the price of input where it is left out. */
  cachedInput: Schema.optionalKey(Rate),
  /** Input that is put into a cache, where the server charges for that; the price of input where it is left out. */
  cacheWrite: Schema.optionalKey(Rate),
  output: Rate,
  /** What a batch costs, as a share of the above; a half where it is left out. */
  batch: Schema.optionalKey(Share)
})
export type Price = typeof Price.Type

const Flow = {
  /** For the whole call. */
  timeout: Schema.optionalKey(DurationText),
  concurrency: Schema.optionalKey(PositiveInt),
  requestsPerMinute: Schema.optionalKey(Positive),
  tokensPerMinute: Schema.optionalKey(Positive),
  retries: Schema.optionalKey(Schema.Natural),
  price: Schema.optionalKey(Price)
}

const Sampling = {
  temperature: Schema.optionalKey(Amount),
  reasoningEffort: Schema.optionalKey(Schema.Literals(["none", "minimal", "low", "medium", "high", "xhigh"])),
  maxOutputTokens: Schema.optionalKey(PositiveInt)
}

/** The deterministic stand-in that answers offline, from the prompt alone. */
export const EmbeddedModel = Schema.Struct({
  provider: Schema.Literal("embedded"),
  model: Schema.Literals(["lexical-1"]),
  ...Sampling,
  ...Flow
})

/** Headers that belong to the connection or say what the body is. */
const ownHeaders: ReadonlySet<string> = new Set([
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade"
])

const isHeader = ([name, value]: readonly [string, string]) =>
  /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) &&
  !ownHeaders.has(name.toLowerCase()) &&
  /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value)

const Headers = Schema.Record(Schema.String, Schema.String).check(
  Schema.makeFilter((headers: Readonly<Record<string, string>>) => Object.entries(headers).every(isHeader), {
    expected: `values on one line, under names other than ${[...ownHeaders].join(", ")}`
  })
)

/** Fields of a request's body that are the request. */
const ownFields: ReadonlyArray<string> = ["messages", "model", "input", "stream"]

const BodyFields = Schema.Record(Schema.String, Schema.Json).check(
  Schema.makeFilter(
    (body: Readonly<Record<string, unknown>>) => ownFields.every((name) => !Object.hasOwn(body, name)),
    {
      expected: `fields other than ${ownFields.join(", ")}`
    }
  )
)

/** Any endpoint that speaks OpenAI's chat completions or responses. */
export const OpenAiModel = Schema.Struct({
  provider: Schema.Literal("openai"),
  model: Schema.NonEmptyString,
  api: Schema.optionalKey(Schema.Literals(["chat-completions", "responses"])),
  baseUrl: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^https?:\/\/\S+$/, { expected: "an http:// or https:// address" }))
  ),
  /** The name of the environment variable that holds the key; never the key. */
  apiKeyEnv: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^[A-Za-z_][A-Za-z0-9_]*$/, { expected: "the name of an environment variable, not a key" })
    )
  ),
  ...Sampling,
  /** To what `maxOutputTokens` is raised, once, for an answer that was cut off by it; four times as many, if left out. */
  raiseOutputTokensTo: Schema.optionalKey(PositiveInt),
  /** Whether answers of a known shape are asked for by JSON schema, as long as the server takes it; true, if left out. */
  structuredOutput: Schema.optionalKey(Schema.Boolean),
  /** Whether large evaluations go through the batch API, at its price. */
  batch: Schema.optionalKey(Schema.Boolean),
  /** Sent with every request, for gateways that want them; `$NAME` in a value stands for an environment variable, `$$` for `$`. */
  headers: Schema.optionalKey(Headers),
  /** Added to the body of every request. */
  body: Schema.optionalKey(BodyFields),
  ...Flow,
  /** For the connection alone. */
  connectTimeout: Schema.optionalKey(DurationText),
  /** From the sending of a request to the first byte of its answer. */
  firstByteTimeout: Schema.optionalKey(DurationText)
})

export const ModelConfig = Schema.Union([EmbeddedModel, OpenAiModel])
export type ModelConfig = typeof ModelConfig.Type

const Samples = Schema.Int.check(
  Schema.isBetween({ minimum: 1, maximum: 32 }, { expected: "a whole number from 1 to 32" })
)

const MemberName = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9-]+$/, { expected: "letters, digits and hyphens" }))

/** One of the judges that a consensus joins. */
export const MemberConfig = Schema.Struct({
  /** Its number, if left out. Its modules are called `NAME.MODULE`. */
  name: Schema.optionalKey(MemberName),
  design: Schema.Literals(DesignName.literals.filter((name) => name !== "consensus")),
  /** The campaign's k, if left out. */
  samples: Schema.optionalKey(Samples),
  /** The campaign's judge model, if left out. */
  model: Schema.optionalKey(ModelConfig)
})
export type MemberConfig = typeof MemberConfig.Type

/** What some designs take beside their name and k. */
const designOptions = {
  /** Of the rubric: criteria that hold for every note, beside those that a consultation has of its own. */
  criteria: Schema.optionalKey(Schema.NonEmptyArray(Criterion)),
  /** Of the consensus: whose scores it joins, and how. */
  members: Schema.optionalKey(Schema.Array(MemberConfig).check(Schema.isMinLength(2, { expected: "two or more" }))),
  join: Schema.optionalKey(Schema.Literals(["mean", "median"]))
}

export const JudgeConfig = Schema.Struct({
  design: DesignName,
  /** k: how many times each note is judged; how the k are joined is the design's. */
  samples: Samples,
  ...designOptions
})
export type JudgeConfig = typeof JudgeConfig.Type

/** Which modules of the judge evolve: one, or several in turn. */
export const Target = Schema.Union([
  Schema.Struct({ module: Schema.NonEmptyString }),
  Schema.Struct({ modules: Schema.NonEmptyArray(Schema.NonEmptyString) })
])
export type Target = typeof Target.Type

const Classes = Schema.NonEmptyArray(ErrorClass)

/** A measure by which candidates are ranked. `classes` left out means all classes of error. */
export const Measure = Schema.Union([
  Schema.Struct({
    measure: Schema.Literals(["paired-discrimination", "auc"]),
    classes: Schema.optionalKey(Classes)
  }),
  Schema.Struct({
    measure: Schema.Literal("detection"),
    classes: Schema.optionalKey(Classes),
    /** The cap on false alarms among the distinct clean notes. */
    maxFalseAlarms: Share
  })
])
export type Measure = typeof Measure.Type

export const Objective = Schema.Struct({ primary: Measure, secondary: Schema.optionalKey(Measure) })
export type Objective = typeof Objective.Type

/** What makes a candidate one of those that the next parents come from. */
export const FrontierKind = Schema.Literals(["instance", "group", "objectives"])
export type FrontierKind = typeof FrontierKind.Type

/** How a parent is drawn. */
export const Selector = Schema.Union([
  Schema.Literals(["pareto", "best"]),
  Schema.Struct({ epsilonGreedy: Share }),
  Schema.Struct({ topK: PositiveInt })
])
export type Selector = typeof Selector.Type

/** When two candidates may be merged into one: once the pool has `after` members, `atMost` times; 0 for never. */
export const Merging = Schema.Struct({ after: PositiveInt, atMost: Schema.Natural })
export type Merging = typeof Merging.Type

/**
 * When a child becomes a member of the pool: `strict`, its mean reward on the minibatch is above its parent's; `margin`,
 * above it by more than that; `paired`, above it, and a one-sided permutation test over `repeats` judgements of each
 * gives a p of at most `alpha`.
 */
export const Acceptance = Schema.Union([
  Schema.Literal("strict"),
  Schema.Struct({
    margin: Schema.Finite.check(
      Schema.isBetween({ minimum: 0, maximum: 1 }, { expected: "a difference of mean rewards from 0 to 1" })
    )
  }),
  Schema.Struct({
    paired: Schema.Struct({
      repeats: Schema.Int.check(
        Schema.isBetween({ minimum: 1, maximum: 16 }, { expected: "a whole number from 1 to 16" })
      ),
      alpha: Schema.Finite.check(
        Schema.isBetween({ minimum: 1e-6, maximum: 0.5 }, { expected: "a level from 0.000001 to 0.5" })
      )
    })
  })
])
export type Acceptance = typeof Acceptance.Type

export const Search = Schema.Struct({
  iterations: PositiveInt,
  minibatch: Schema.Struct({ notes: PositiveInt, consultations: PositiveInt }),
  merge: Merging,
  /** Children of an iteration, each of a parent of its own. */
  proposals: Schema.Int.check(
    Schema.isBetween({ minimum: 1, maximum: 32 }, { expected: "a whole number from 1 to 32" })
  ),
  accept: Acceptance,
  /** Whether the evaluation of an accepted child on the acceptance part ends once it can no longer lead where it matters. */
  racing: Schema.Boolean,
  /** The longest instruction, in characters, that the reflector may write. */
  maxInstructionLength: PositiveInt,
  /** Rejections in a row after which the search stops: no improvement. */
  stall: PositiveInt,
  /** Unusable reflections in a row after which the run stops as broken. */
  brokenAfter: PositiveInt,
  seed: Schema.Int,
  frontier: FrontierKind,
  selector: Selector
})
export type Search = typeof Search.Type

export const Budget = Schema.Struct({
  usd: Schema.optionalKey(Positive),
  calls: Schema.optionalKey(PositiveInt),
  tokens: Schema.optionalKey(PositiveInt),
  wallClock: Schema.optionalKey(DurationText)
})
export type Budget = typeof Budget.Type

/** Where a campaign that was branched from a run comes from. Written by `assize runs branch`. */
export const Branch = Schema.Struct({
  run: Schema.NonEmptyString,
  candidates: Schema.NonEmptyArray(CandidateId),
  author: Schema.NonEmptyString,
  reason: Schema.NonEmptyString
})
export type Branch = typeof Branch.Type

/** `campaign.yaml` as written. Relative paths are relative to the file. */
export const CampaignFile = Schema.Struct({
  name: Schema.NonEmptyString,
  dataset: Schema.NonEmptyString,
  split: Schema.NonEmptyString,
  models: Schema.Struct({ judge: ModelConfig, reflection: ModelConfig }),
  judge: Schema.Struct({
    design: JudgeConfig.fields.design,
    samples: Schema.optionalKey(Samples),
    ...designOptions
  }),
  /** Which modules evolve; all that the seeds name, if left out. */
  target: Schema.optionalKey(Target),
  seeds: Schema.NonEmptyArray(Schema.NonEmptyString),
  objective: Objective,
  search: Schema.Struct({
    iterations: Schema.optionalKey(Search.fields.iterations),
    minibatch: Schema.optionalKey(Search.fields.minibatch),
    merge: Schema.optionalKey(
      Schema.Struct({
        after: Schema.optionalKey(Merging.fields.after),
        atMost: Schema.optionalKey(Merging.fields.atMost)
      })
    ),
    proposals: Schema.optionalKey(Search.fields.proposals),
    accept: Schema.optionalKey(Acceptance),
    racing: Schema.optionalKey(Search.fields.racing),
    maxInstructionLength: Schema.optionalKey(Search.fields.maxInstructionLength),
    stall: Schema.optionalKey(Search.fields.stall),
    brokenAfter: Schema.optionalKey(Search.fields.brokenAfter),
    seed: Schema.optionalKey(Search.fields.seed),
    frontier: Schema.optionalKey(Search.fields.frontier),
    selector: Schema.optionalKey(Search.fields.selector),
    /** The same as `target` beside `search`. */
    target: Schema.optionalKey(Target)
  }),
  budget: Schema.optionalKey(Budget),
  branch: Schema.optionalKey(Branch)
})
export type CampaignFile = typeof CampaignFile.Type

export const searchDefaults: Search = {
  iterations: 30,
  minibatch: { notes: 12, consultations: 4 },
  merge: { after: 6, atMost: 4 },
  proposals: 1,
  accept: "strict",
  racing: false,
  maxInstructionLength: 6000,
  stall: 10,
  brokenAfter: 5,
  seed: 11,
  frontier: "instance",
  selector: "pareto"
}

/** A campaign with its defaults filled in and its paths absolute. */
export interface Campaign {
  readonly name: string
  readonly file: string
  readonly dataset: string
  readonly split: string
  readonly seeds: ReadonlyArray<string>
  readonly models: { readonly judge: ModelConfig; readonly reflection: ModelConfig }
  readonly judge: JudgeConfig
  readonly target?: Target
  readonly objective: Objective
  readonly search: Search
  readonly budget: Budget
  readonly branch?: Branch
}
