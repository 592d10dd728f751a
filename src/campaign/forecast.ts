import type { Budget, Campaign, ModelConfig, Price } from "../domain/Campaign.ts"
import { durationMs } from "../domain/Campaign.ts"
import type { Outcomes } from "../domain/Judgement.ts"
import { designOf } from "../judge/designs/registry.ts"
import { gatherable } from "../judge/requests.ts"
import { defaultConcurrency } from "../model/gate.ts"
import { defaultBatchShare, priceOf } from "../model/prices.ts"
import { pricesAsOf } from "../model/priceTable.ts"
import { repeatsOf } from "../optimise/accept.ts"
import type { Task } from "../optimise/engine.ts"
import { makeTraces } from "../optimise/makeTraces.ts"
import { mergeRate } from "../optimise/merge.ts"
import { minibatches } from "../optimise/minibatch.ts"
import { reflectionMessages } from "../optimise/reflectionPrompt.ts"
import { type Amount, assumedFacts, judgingAmounts, none, plus, priced } from "./judgingAmounts.ts"

/** What a forecast takes for granted; shown beside it. */
export const assumptions = {
  /** Share of proposals that are accepted and evaluated on the whole acceptance part. */
  accepted: 0.4,
  /** Share of replies that cannot be read and are asked for again. */
  unreadable: 0.01,
  /** Of designs that list facts. */
  ...assumedFacts,
  /** Tokens of an answer, where nothing bounds it better; those of judges are their designs'. */
  reflectionOutput: 900,
  outputAtMost: 4096,
  /** Seconds that a call takes. */
  judgeSeconds: 2,
  reflectionSeconds: 20,
  /** The same for the embedded model. */
  embeddedSeconds: 0.005
} as const

/** What a search costs up to a number of proposals. Money is null where a price is not known. */
export interface Cost {
  readonly judge: Amount
  /** The part of the judge's that evaluates candidates on the whole acceptance part. */
  readonly acceptance: Amount
  readonly reflection: Amount
  readonly calls: number
  readonly tokens: number
  readonly usd: number | null
  /** With the acceptance evaluations at the price of a batch; left out where the campaign asks for no batches. */
  readonly batchUsd?: number | null
  readonly seconds: number
}

export interface Forecast {
  /** Judging the seeds on the acceptance part: spent before the first proposal. */
  readonly start: Cost
  /** One proposal that is rejected, on average. */
  readonly rejectedProposal: Cost
  /** One accepted proposal, on average. */
  readonly acceptedProposal: Cost
  /** The whole search, with the share of accepted proposals that is assumed. */
  readonly expected: Cost
  /** Every proposal accepted, every reply unreadable once, instructions and answers as long as they may be. */
  readonly atMost: Cost
  readonly prices: {
    /** US dollars per million tokens; null where nobody knows. */
    readonly judge: Price | null
    readonly reflection: Price | null
    /** The day of the bundled list, where a price is from it; null where none is. */
    readonly listedAsOf: string | null
    /** What a batch costs, as a share of the judge's price; null where the campaign asks for no batches. */
    readonly batchShare: number | null
  }
  /** How many proposals the budget buys; Infinity where it has no limit. */
  readonly proposals: { readonly ifAllAccepted: number; readonly expected: number; readonly ifAllRejected: number }
}

const mean = (values: ReadonlyArray<number>) =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

const sumUsd = (...parts: ReadonlyArray<number | null>): number | null =>
  parts.reduce((sum, part) => (sum === null || part === null ? null : sum + part), 0)

const asksForBatches = ({ judge, models }: Campaign): boolean =>
  models.judge.provider === "openai" &&
  models.judge.batch === true &&
  gatherable(designOf(judge), [], judge.samples) !== undefined

const batchShareOf = (model: ModelConfig): number => priceOf(model)?.batch ?? defaultBatchShare

const pricesOf = (campaign: Campaign): Forecast["prices"] => {
  const { judge, reflection } = campaign.models
  const isListed = (model: ModelConfig) =>
    model.provider === "openai" && model.price === undefined && priceOf(model) !== null
  return {
    judge: priceOf(judge),
    reflection: priceOf(reflection),
    listedAsOf: isListed(judge) || isListed(reflection) ? pricesAsOf : null,
    batchShare: asksForBatches(campaign) ? batchShareOf(judge) : null
  }
}

const costOf = (campaign: Campaign, minibatches: Amount, acceptance: Amount, reflection: Amount): Cost => {
  const { models } = campaign
  const judge = plus(minibatches, acceptance)
  const secondsOf = (role: "judge" | "reflection", calls: number, lanes: number) =>
    models[role].provider === "embedded"
      ? calls * assumptions.embeddedSeconds
      : (calls / lanes) * assumptions[`${role}Seconds`]
  return {
    judge,
    acceptance,
    reflection,
    calls: judge.calls + reflection.calls,
    tokens: judge.input + judge.output + reflection.input + reflection.output,
    usd: sumUsd(judge.usd, reflection.usd),
    ...(asksForBatches(campaign)
      ? {
          batchUsd: sumUsd(
            minibatches.usd,
            acceptance.usd === null ? null : acceptance.usd * batchShareOf(models.judge),
            reflection.usd
          )
        }
      : {}),
    seconds:
      secondsOf("judge", judge.calls, defaultConcurrency(models.judge)) + secondsOf("reflection", reflection.calls, 1)
  }
}

/** What is paid as the campaign stands. */
const paid = ({ batchUsd, usd }: Cost): number | null => (batchUsd === undefined ? usd : batchUsd)

/** How often `step` fits into what `limit` leaves after `start`. */
const fits = (limit: number | undefined, start: number, step: number): number =>
  limit === undefined
    ? Number.POSITIVE_INFINITY
    : step === 0
      ? start <= limit
        ? Number.POSITIVE_INFINITY
        : 0
      : Math.max(0, Math.floor((limit - start) / step))

const proposalsFor = (budget: Budget, start: Cost, step: Cost): number => {
  const [first, each] = [paid(start), paid(step)]
  return Math.min(
    fits(budget.calls, start.calls, step.calls),
    fits(budget.tokens, start.tokens, step.tokens),
    first === null || each === null ? Number.POSITIVE_INFINITY : fits(budget.usd, first, each),
    fits(budget.wallClock === undefined ? undefined : durationMs(budget.wallClock) / 1000, start.seconds, step.seconds)
  )
}

/**
 * What a search will cost, from the campaign's own notes, prompts and minibatches. `tokensOf` counts the tokens of a
 * text. Reused judgements would make it cheaper; none are assumed.
 */
export const forecast = (campaign: Campaign, task: Task, tokensOf: (text: string) => number): Forecast => {
  const { accept, iterations, merge, proposals } = campaign.search
  const children = iterations * proposals
  const repeats = repeatsOf(accept)
  /** Each has a second parent to judge, and its prompt a second instruction. */
  const merges = Math.min(merge.atMost, iterations)
  const textOf = (list: ReadonlyArray<{ readonly content: string }>) => list.map(({ content }) => content).join("\n")
  const evolving = task.modules
  const instructionAtMost = Math.ceil(task.settings.search.maxInstructionLength / 3)
  const amounts = judgingAmounts(campaign.judge, campaign.models.judge, tokensOf)
  /** Tokens of each module's instruction, of each seed. */
  const lengths = task.seeds.map(({ instructions }) => {
    const known = new Map(Object.entries(instructions).map(([module, text]) => [module, tokensOf(text)]))
    return (module: string) => known.get(module) ?? 0
  })
  const averageLength = (module: string) => mean(lengths.map((length) => length(module)))
  /** Instructions grow as they evolve. */
  const grown = (module: string) => averageLength(module) * (evolving.includes(module) ? 2 : 1)
  const longest = (module: string) => (evolving.includes(module) ? instructionAtMost : averageLength(module))
  const batchOf = minibatches(task.train, campaign.search.minibatch, campaign.search.seed)
  const batches = Array.from({ length: Math.min(children, 40) }, (_, number) => batchOf(number))
  const reflecting = (batch: (typeof batches)[number], instruction: string, output: number): Amount => {
    const outcomes: Outcomes = Object.fromEntries(
      batch.items.map(({ id }) => [id, { _tag: "scored", score: 5, reason: "x".repeat(200) }])
    )
    const prompt = reflectionMessages({
      instruction,
      contract: task.contracts[evolving[0] ?? ""] ?? "",
      traces: makeTraces(batch, outcomes),
      attempts: [{ instruction, reason: "not-better", detail: "" }],
      lengthLimit: campaign.search.maxInstructionLength
    })
    return priced({ calls: 1, input: tokensOf(textOf(prompt)), output }, campaign.models.reflection)
  }
  const averaged = (list: ReadonlyArray<Amount>): Amount =>
    list.length === 0
      ? none
      : plus(
          none,
          list.reduce((sum, one) => plus(sum, one), none),
          1 / list.length
        )

  const judgeAtMost = campaign.models.judge.maxOutputTokens ?? assumptions.outputAtMost
  const reflectionAtMost = campaign.models.reflection.maxOutputTokens ?? assumptions.outputAtMost
  const attempts = 1 + assumptions.unreadable
  const seedText = task.seeds[0]?.instructions[evolving[0] ?? ""] ?? ""
  const usual = { instruction: grown, attempts, evolving }
  /** The consultations of the train part that minibatches come to. */
  const seen = [...new Set(batches.flatMap(({ items }) => items))]

  const seeds = lengths.reduce(
    (sum, instruction) => plus(sum, amounts.perCandidate(task.acceptance.items, { ...usual, instruction })),
    amounts.shared(task.acceptance.items, { ...usual, instruction: averageLength })
  )
  const minibatch = plus(none, averaged(batches.map((batch) => amounts.perCandidate(batch.items, usual))), repeats)
  const sharedOfBatch = plus(none, amounts.shared(seen, usual), 1 / Math.max(1, batches.length))
  const reflection = averaged(batches.map((batch) => reflecting(batch, seedText, assumptions.reflectionOutput)))
  const acceptance = amounts.perCandidate(task.acceptance.items, usual)
  const cost = (minibatches: Amount, evaluations: Amount, reflections: Amount) =>
    costOf(campaign, minibatches, evaluations, reflections)
  const twoBatches = plus(plus(minibatch, minibatch), sharedOfBatch)
  const evaluated = plus(none, acceptance, assumptions.accepted)

  const start = cost(none, seeds, none)
  const rejectedProposal = cost(twoBatches, none, reflection)
  const acceptedProposal = cost(twoBatches, acceptance, reflection)
  const perProposal = cost(twoBatches, evaluated, reflection)

  const worst = { instruction: longest, output: judgeAtMost, attempts: 2, evolving }
  const worstBatch = plus(none, averaged(batches.map((batch) => amounts.perCandidate(batch.items, worst))), repeats)
  const worstAcceptance = amounts.perCandidate(task.acceptance.items, worst)
  const worstMinibatches = plus(
    plus(amounts.shared(seen, worst), plus(worstBatch, worstBatch), children),
    worstBatch,
    merges
  )
  const worstEvaluations = plus(
    amounts.shared(task.acceptance.items, worst),
    worstAcceptance,
    task.seeds.length + children
  )
  const worstReflection = plus(
    none,
    averaged(
      batches.map((batch) => reflecting(batch, "x".repeat(task.settings.search.maxInstructionLength), reflectionAtMost))
    ),
    children
  )
  const secondInstruction = priced({ calls: 0, input: instructionAtMost, output: 0 }, campaign.models.reflection)

  return {
    start,
    rejectedProposal,
    acceptedProposal,
    expected: cost(
      plus(plus(none, twoBatches, children), minibatch, Math.min(merges, mergeRate * iterations)),
      plus(seeds, evaluated, children),
      plus(none, reflection, children)
    ),
    atMost: cost(worstMinibatches, worstEvaluations, plus(worstReflection, secondInstruction, merges)),
    prices: pricesOf(campaign),
    proposals: {
      ifAllAccepted: proposalsFor(campaign.budget, start, acceptedProposal),
      expected: proposalsFor(campaign.budget, start, perProposal),
      ifAllRejected: proposalsFor(campaign.budget, start, rejectedProposal)
    }
  }
}
