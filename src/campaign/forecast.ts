import type { Budget, Campaign, Price } from "../domain/Campaign.ts"
import { durationMs } from "../domain/Campaign.ts"
import type { Outcomes } from "../domain/Judgement.ts"
import { messages as judgeMessages } from "../judge/wholeNoteScore.ts"
import { priceOf } from "../model/prices.ts"
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
  reflectionSeconds: 20
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
  readonly reflection: Amount
  readonly calls: number
  readonly tokens: number
  readonly usd: number | null
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

const costOf = (campaign: Campaign, judge: Amount, reflection: Amount): Cost => {
  const judgeUsd = money(judge, priceOf(campaign.models.judge))
  const reflectionUsd = money(reflection, priceOf(campaign.models.reflection))
  const embedded = campaign.models.judge.provider === "embedded"
  const lanes = campaign.models.judge.concurrency ?? (embedded ? 1 : 8)
  return {
    judge,
    reflection,
    calls: judge.calls + reflection.calls,
    tokens: judge.input + judge.output + reflection.input + reflection.output,
    usd: judgeUsd === null || reflectionUsd === null ? null : judgeUsd + reflectionUsd,
    seconds: embedded
      ? judge.calls * 0.005
      : (judge.calls / lanes) * assumptions.judgeSeconds + reflection.calls * assumptions.reflectionSeconds
  }
}

/** How often `step` fits into what `limit` leaves after `start`. */
const fits = (limit: number | undefined, start: number, step: number): number =>
  limit === undefined
    ? Number.POSITIVE_INFINITY
    : step === 0
      ? start <= limit
        ? Number.POSITIVE_INFINITY
        : 0
      : Math.max(0, Math.floor((limit - start) / step))

const proposalsFor = (budget: Budget, start: Cost, step: Cost): number =>
  Math.min(
    fits(budget.calls, start.calls, step.calls),
    fits(budget.tokens, start.tokens, step.tokens),
    start.usd === null || step.usd === null ? Number.POSITIVE_INFINITY : fits(budget.usd, start.usd, step.usd),
    fits(budget.wallClock === undefined ? undefined : durationMs(budget.wallClock) / 1000, start.seconds, step.seconds)
  )

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
      contract: task.contract,
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
  const cost = (judge: Amount, reflections: Amount) => costOf(campaign, judge, reflections)
  const twoBatches = plus(minibatch, minibatch)

  const start = cost(seeds, none)
  const rejectedProposal = cost(twoBatches, reflection)
  const acceptedProposal = cost(plus(twoBatches, acceptance), reflection)
  const perProposal = cost(plus(twoBatches, acceptance, assumptions.accepted), reflection)

  const worstBatch = averaged(batches.map((batch) => judging(batch.items, instructionAtMost, judgeAtMost, 2)))
  const worstAcceptance = judging(task.acceptance.items, instructionAtMost, judgeAtMost, 2)
  const worstJudge = plus(
    task.seeds.reduce((sum) => plus(sum, worstAcceptance), none),
    plus(plus(worstBatch, worstBatch), worstAcceptance),
    iterations
  )
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
    expected: cost(plus(seeds, perProposal.judge, iterations), plus(none, reflection, iterations)),
    atMost: cost(worstJudge, worstReflection),
    proposals: {
      ifAllAccepted: proposalsFor(campaign.budget, start, acceptedProposal),
      expected: proposalsFor(campaign.budget, start, perProposal),
      ifAllRejected: proposalsFor(campaign.budget, start, rejectedProposal)
    }
  }
}
