import type { Budget, Campaign, ModelConfig, Price } from "../domain/Campaign.ts"
import { durationMs } from "../domain/Campaign.ts"
import type { Outcomes } from "../domain/Judgement.ts"
import { messages as judgeMessages } from "../judge/wholeNoteScore.ts"
import { defaultConcurrency } from "../model/gate.ts"
import { batchPrice, defaultBatchShare, priceOf } from "../model/prices.ts"
import { pricesAsOf } from "../model/priceTable.ts"
import type { Task } from "../optimise/engine.ts"
import { makeTraces } from "../optimise/makeTraces.ts"
import { minibatches } from "../optimise/minibatch.ts"
import { reflectionMessages } from "../optimise/reflectionPrompt.ts"

/** What a forecast takes for granted; shown beside it. */
export const assumptions = {
  /** Share of proposals that are accepted and evaluated on the whole acceptance part. */
  accepted: 0.4,
  /** Share of replies that cannot be read and are asked for again. */
  unreadable: 0.01,
  /** Tokens of an answer, where nothing bounds it better. */
  judgeOutput: 80,
  reflectionOutput: 900,
  outputAtMost: 4096,
  /** Seconds that a call takes. */
  judgeSeconds: 2,
  reflectionSeconds: 20,
  /** The same for the embedded model. */
  embeddedSeconds: 0.005
} as const

/** Calls and tokens of one role. */
export interface Amount {
  readonly calls: number
  readonly input: number
  readonly output: number
}

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

const none: Amount = { calls: 0, input: 0, output: 0 }

const plus = (a: Amount, b: Amount, times = 1): Amount => ({
  calls: a.calls + times * b.calls,
  input: a.input + times * b.input,
  output: a.output + times * b.output
})

const mean = (values: ReadonlyArray<number>) =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

const money = (amount: Amount, price: Price | null): number | null =>
  amount.calls === 0 ? 0 : price === null ? null : (amount.input * price.input + amount.output * price.output) / 1e6

const sumUsd = (...parts: ReadonlyArray<number | null>): number | null =>
  parts.reduce((sum, part) => (sum === null || part === null ? null : sum + part), 0)

const asksForBatches = ({ models: { judge } }: Campaign): boolean => judge.provider === "openai" && judge.batch === true

const pricesOf = (campaign: Campaign): Forecast["prices"] => {
  const { judge, reflection } = campaign.models
  const isListed = (model: ModelConfig) =>
    model.provider === "openai" && model.price === undefined && priceOf(model) !== null
  return {
    judge: priceOf(judge),
    reflection: priceOf(reflection),
    listedAsOf: isListed(judge) || isListed(reflection) ? pricesAsOf : null,
    batchShare: asksForBatches(campaign) ? (priceOf(judge)?.batch ?? defaultBatchShare) : null
  }
}

const costOf = (campaign: Campaign, minibatches: Amount, acceptance: Amount, reflection: Amount): Cost => {
  const { models } = campaign
  const judge = plus(minibatches, acceptance)
  const price = priceOf(models.judge)
  const reflectionUsd = money(reflection, priceOf(models.reflection))
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
    usd: sumUsd(money(judge, price), reflectionUsd),
    ...(asksForBatches(campaign)
      ? {
          batchUsd: sumUsd(
            money(minibatches, price),
            money(acceptance, price === null ? null : batchPrice(price)),
            reflectionUsd
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
  const k = campaign.judge.samples
  const { iterations } = campaign.search
  const textOf = (list: ReadonlyArray<{ readonly content: string }>) => list.map(({ content }) => content).join("\n")
  const instructionLengths = task.seeds.map(({ instructions }) => tokensOf(Object.values(instructions).join("\n")))
  const instructionAtMost = Math.ceil(task.settings.search.maxInstructionLength / 3)
  const bare = new Map<string, number>()
  const bareTokens = (item: (typeof task.acceptance.items)[number] | (typeof task.train.items)[number]) => {
    let tokens = bare.get(item.key)
    if (tokens === undefined) {
      tokens = tokensOf(textOf(judgeMessages(item, "")))
      bare.set(item.key, tokens)
    }
    return tokens
  }
  const judging = (
    items: ReadonlyArray<Parameters<typeof bareTokens>[0]>,
    instruction: number,
    output: number,
    attempts: number
  ): Amount => ({
    calls: items.length * k * attempts,
    input: items.reduce((sum, item) => sum + bareTokens(item) + instruction, 0) * k * attempts,
    output: items.length * k * attempts * output
  })
  const batchOf = minibatches(task.train, campaign.search.minibatch, campaign.search.seed)
  const batches = Array.from({ length: Math.min(iterations, 40) }, (_, number) => batchOf(number))
  const reflecting = (batch: (typeof batches)[number], instruction: string, output: number): Amount => {
    const outcomes: Outcomes = Object.fromEntries(
      batch.items.map(({ id }) => [id, { _tag: "scored", score: 5, reason: "x".repeat(200) }])
    )
    const prompt = reflectionMessages({
      instruction,
      contract: Object.values(task.contracts)[0] ?? "",
      traces: makeTraces(batch, outcomes),
      attempts: [{ instruction, reason: "not-better", detail: "" }],
      lengthLimit: campaign.search.maxInstructionLength
    })
    return { calls: 1, input: tokensOf(textOf(prompt)), output }
  }
  const averaged = (amounts: ReadonlyArray<Amount>): Amount => ({
    calls: mean(amounts.map(({ calls }) => calls)),
    input: mean(amounts.map(({ input }) => input)),
    output: mean(amounts.map(({ output }) => output))
  })

  const judgeAtMost = campaign.models.judge.maxOutputTokens ?? assumptions.outputAtMost
  const reflectionAtMost = campaign.models.reflection.maxOutputTokens ?? assumptions.outputAtMost
  const attempts = 1 + assumptions.unreadable
  const grown = mean(instructionLengths) * 2
  const seedText = task.seeds[0] === undefined ? "" : Object.values(task.seeds[0].instructions).join("\n")

  const seeds = instructionLengths.reduce(
    (sum, length) => plus(sum, judging(task.acceptance.items, length, assumptions.judgeOutput, attempts)),
    none
  )
  const minibatch = averaged(batches.map((batch) => judging(batch.items, grown, assumptions.judgeOutput, attempts)))
  const reflection = averaged(batches.map((batch) => reflecting(batch, seedText, assumptions.reflectionOutput)))
  const acceptance = judging(task.acceptance.items, grown, assumptions.judgeOutput, attempts)
  const cost = (minibatches: Amount, evaluations: Amount, reflections: Amount) =>
    costOf(campaign, minibatches, evaluations, reflections)
  const twoBatches = plus(minibatch, minibatch)
  const evaluated = plus(none, acceptance, assumptions.accepted)

  const start = cost(none, seeds, none)
  const rejectedProposal = cost(twoBatches, none, reflection)
  const acceptedProposal = cost(twoBatches, acceptance, reflection)
  const perProposal = cost(twoBatches, evaluated, reflection)

  const worstBatch = averaged(batches.map((batch) => judging(batch.items, instructionAtMost, judgeAtMost, 2)))
  const worstAcceptance = judging(task.acceptance.items, instructionAtMost, judgeAtMost, 2)
  const worstMinibatches = plus(none, plus(worstBatch, worstBatch), iterations)
  const worstEvaluations = plus(none, worstAcceptance, task.seeds.length + iterations)
  const worstReflection = plus(
    none,
    averaged(
      batches.map((batch) => reflecting(batch, "x".repeat(task.settings.search.maxInstructionLength), reflectionAtMost))
    ),
    iterations
  )

  return {
    start,
    rejectedProposal,
    acceptedProposal,
    expected: cost(
      plus(none, twoBatches, iterations),
      plus(seeds, evaluated, iterations),
      plus(none, reflection, iterations)
    ),
    atMost: cost(worstMinibatches, worstEvaluations, worstReflection),
    prices: pricesOf(campaign),
    proposals: {
      ifAllAccepted: proposalsFor(campaign.budget, start, acceptedProposal),
      expected: proposalsFor(campaign.budget, start, perProposal),
      ifAllRejected: proposalsFor(campaign.budget, start, rejectedProposal)
    }
  }
}
