import type { JudgeConfig, ModelConfig } from "../domain/Campaign.ts"
import type { Design, FactVerdict, ListedFact, Stage, Work } from "../judge/Design.ts"
import { designOf } from "../judge/designs/registry.ts"
import { type JudgedItem, questionsOf } from "../judge/runStages.ts"
import { priceOf } from "../model/prices.ts"

/** Calls and tokens. `usd` is null where a price is not known. */
export interface Amount {
  readonly calls: number
  readonly input: number
  readonly output: number
  readonly usd: number | null
}

export const none: Amount = { calls: 0, input: 0, output: 0, usd: 0 }

export const plus = (a: Amount, b: Amount, times = 1): Amount => ({
  calls: a.calls + times * b.calls,
  input: a.input + times * b.input,
  output: a.output + times * b.output,
  usd: a.usd === null || b.usd === null ? null : a.usd + times * b.usd
})

export const priced = (amount: Omit<Amount, "usd">, model: ModelConfig): Amount => {
  const price = priceOf(model)
  const usd =
    amount.calls === 0 ? 0 : price === null ? null : (amount.input * price.input + amount.output * price.output) / 1e6
  return { ...amount, usd }
}

/** What a forecast takes for granted of judges that list facts. */
export const assumedFacts = {
  /** Facts of a consultation. */
  facts: 30,
  /** Of which a note lacks so many. */
  absent: 2
} as const

const listed: ReadonlyArray<ListedFact> = Array.from({ length: assumedFacts.facts }, (_, at) => ({
  id: `F${at + 1}`,
  text: "The patient has had a dull ache in the left knee for three weeks, worse on stairs",
  severity: "supporting"
}))

const assumedWork: Work = {
  facts: listed,
  verdicts: new Map(
    listed.map(({ id }, at): readonly [string, FactVerdict] => [
      id,
      { verdict: at < assumedFacts.absent ? "absent" : "full" }
    ])
  )
}

export interface JudgingOptions {
  /** Tokens of a module's instruction. */
  readonly instruction: (module: string) => number
  /** Tokens of an answer, in the place of the stage's own typical ones. */
  readonly output?: number
  /** How often each question is asked. */
  readonly attempts: number
  /** Modules whose instructions change from candidate to candidate. */
  readonly evolving: ReadonlyArray<string>
}

export interface JudgingAmounts {
  /** What judging the notes takes anew for every candidate. */
  readonly perCandidate: (items: ReadonlyArray<JudgedItem>, options: JudgingOptions) => Amount
  /** What is asked of their consultations once, and serves every candidate. */
  readonly shared: (items: ReadonlyArray<JudgedItem>, options: JudgingOptions) => Amount
}

interface Part {
  readonly design: Design
  readonly samples: number
  readonly model: ModelConfig
  /** Before the names of modules. */
  readonly prefix: string
}

const partsOf = (judge: JudgeConfig, model: ModelConfig): ReadonlyArray<Part> => {
  const design = designOf(judge)
  if (design.members === undefined) return [{ design, samples: judge.samples, model, prefix: "" }]
  return design.members.map((member) => ({
    design: member.design,
    samples: member.judge.samples,
    model: member.model ?? model,
    prefix: `${member.name}.`
  }))
}

/** One note of each consultation, known by its transcript. */
const onePerConsultation = (items: ReadonlyArray<JudgedItem>): ReadonlyArray<JudgedItem> => [
  ...new Map(items.map((item) => [item.transcript, item])).values()
]

/** What a judge asks, from its own prompts. `tokensOf` counts the tokens of a text. */
export const judgingAmounts = (
  judge: JudgeConfig,
  model: ModelConfig,
  tokensOf: (text: string) => number
): JudgingAmounts => {
  const parts = partsOf(judge, model)
  /** Questions of a stage about an item, and their tokens without an instruction. */
  const bare = new Map<Stage, Map<string, { readonly calls: number; readonly tokens: number }>>()
  const bareOf = (stage: Stage, item: JudgedItem) => {
    const known = bare.get(stage) ?? new Map<string, { readonly calls: number; readonly tokens: number }>()
    bare.set(stage, known)
    let counts = known.get(item.key)
    if (counts === undefined) {
      const questions = questionsOf(stage, item, assumedWork, "")
      const textOf = (list: ReadonlyArray<{ readonly content: string }>) =>
        list.map(({ content }) => content).join("\n")
      const tokens = questions.reduce((sum, { messages }) => sum + tokensOf(textOf(messages)), 0)
      counts = { calls: questions.length, tokens }
      known.set(item.key, counts)
    }
    return counts
  }
  const amount = (
    items: ReadonlyArray<JudgedItem>,
    options: JudgingOptions,
    wanted: (stage: Stage, evolves: boolean) => boolean
  ): Amount => {
    let all = none
    for (const { design, model: asked, prefix, samples } of parts) {
      // What a stage's answer changes with, every stage behind it changes with too.
      let evolves = false
      for (const stage of design.stages) {
        evolves ||= options.evolving.includes(prefix + stage.module)
        if (!wanted(stage, evolves)) continue
        const once = stage.per === "consultation"
        const times = options.attempts * (once ? 1 : samples)
        const instruction = options.instruction(prefix + stage.module)
        let calls = 0
        let input = 0
        for (const item of once ? onePerConsultation(items) : items) {
          const counts = bareOf(stage, item)
          calls += counts.calls
          input += counts.tokens + instruction * counts.calls
        }
        const output = options.output ?? stage.outputTokens
        all = plus(all, priced({ calls: calls * times, input: input * times, output: calls * times * output }, asked))
      }
    }
    return all
  }
  return {
    perCandidate: (items, options) =>
      amount(items, options, (stage, evolves) => stage.per !== "consultation" || evolves),
    shared: (items, options) => amount(items, options, (stage, evolves) => stage.per === "consultation" && !evolves)
  }
}
