import * as Console from "effect/Console"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import type { assumptions as Assumptions, Cost, Forecast } from "../campaign/forecast.ts"
import type { Prepared } from "../campaign/prepare.ts"
import type { ModelConfig } from "../domain/Campaign.ts"
import type { Design } from "../judge/Design.ts"
import { count, json, plain, warn } from "./output.ts"
import { planPowerOf, powerFlags, powerLines } from "./planPower.ts"
import { computing } from "./signals.ts"
import { table } from "./table.ts"

const whole = (value: number) => Math.round(value).toLocaleString("en-US")
const money = (usd: number | null) => (usd === null ? "unknown" : `$${usd.toFixed(2)}`)
const time = (seconds: number) =>
  seconds < 90
    ? `${Math.ceil(seconds)} s`
    : seconds < 5400
      ? `${Math.ceil(seconds / 60)} min`
      : `${(seconds / 3600).toFixed(1)} h`
const proposals = (number: number) => (Number.isFinite(number) ? whole(number) : "any number")
/** The budget's sentence: `the budget buys 1 proposal`. */
const buys = (number: number) => `${proposals(number)} ${number === 1 ? "proposal" : "proposals"}`
const perCall = (seconds: number) => (seconds < 1 ? `${seconds * 1000} ms` : `${seconds} s`)

const costRow = (label: string, cost: Cost) => [
  label,
  whole(cost.judge.calls),
  whole(cost.reflection.calls),
  whole(cost.tokens),
  money(cost.usd),
  ...(cost.batchUsd === undefined ? [] : [money(cost.batchUsd)]),
  time(cost.seconds)
]

const listsFacts = ({ members = [], stages }: Design): boolean =>
  stages.some(({ per }) => per === "consultation") || members.some((member) => listsFacts(member.design))

const report = (
  { campaign, manifest, task }: Prepared,
  design: Design,
  forecast: Forecast,
  assumed: typeof Assumptions
): string => {
  const parts = [
    ["part", "consultations", "notes judged", "pairs"],
    ...(["train", "acceptance"] as const).map((part) => [
      part,
      new Set(task[part].items.map(({ consultation }) => consultation)).size,
      task[part].items.length,
      task[part].pairs.length
    ])
  ]
  const { iterations } = campaign.search
  const { judge, reflection } = campaign.models
  const { batchShare, listedAsOf } = forecast.prices
  const secondsOf = ({ provider }: ModelConfig, real: number) =>
    perCall(provider === "embedded" ? assumed.embeddedSeconds : real)
  return [
    plain(
      `campaign ${campaign.name}: ${campaign.judge.design} (${design.summary}), ${count(campaign.judge.samples, "sample")} a note, ${count(task.seeds.length, "seed")}, ${count(iterations, "iteration")}`
    ),
    table(parts),
    `the holdout has ${count(manifest.holdout.length, "consultation")}; nothing here reads them`,
    "",
    table([
      ["", "judge calls", "reflections", "tokens", "money", ...(batchShare === null ? [] : ["by batch"]), "time"],
      costRow("seeds on acceptance", forecast.start),
      costRow("a rejected proposal", forecast.rejectedProposal),
      costRow("an accepted proposal", forecast.acceptedProposal),
      costRow(`expected, ${Math.round(assumed.accepted * 100)} % accepted`, forecast.expected),
      costRow("at most", forecast.atMost)
    ]),
    "",
    `the budget buys ${buys(forecast.proposals.expected)} (${proposals(forecast.proposals.ifAllAccepted)} if all are accepted, ${proposals(forecast.proposals.ifAllRejected)} if none is); the search makes ${iterations * campaign.search.proposals}`,
    ...(listsFacts(design)
      ? [
          `A consultation is assumed to have ${assumed.facts} facts, of which a note lacks ${assumed.absent}; what is asked of a consultation alone is asked once for all its notes${task.modules.length > 0 ? `, and for all candidates where its instruction does not evolve (here evolves: ${task.modules.join(", ")})` : ""}.`
        ]
      : []),
    `Tokens are counted on this campaign's own prompts; answers are assumed to be short, a judge's call to take ${secondsOf(judge, assumed.judgeSeconds)}, a reflection ${secondsOf(reflection, assumed.reflectionSeconds)}, nothing to be cached or reused.`,
    ...(batchShare === null
      ? []
      : [
          `By batch: the acceptance evaluations at ${Math.round(batchShare * 100)} % of the price; minibatches and reflections are asked one by one. The time is without waiting for batches, which may take a day each.`
        ]),
    ...(listedAsOf === null
      ? []
      : [`Prices are OpenAI's list of ${listedAsOf}; models.*.price in the campaign goes before it.`]),
    ...([forecast.atMost.usd, forecast.expected.usd].includes(null)
      ? ["Money is unknown where a model's price is."]
      : []),
    ...(campaign.models.judge.provider === "embedded"
      ? ["The embedded model costs nothing and is a stand-in: its figures say nothing about real models."]
      : [])
  ].join("\n")
}

export const plan = Command.make(
  "plan",
  {
    campaign: Argument.String("campaign").pipe(Argument.withDescription("The campaign's YAML file")),
    json: Flag.Boolean("json").pipe(Flag.withDescription("Print the forecast as JSON"), Flag.withDefault(false)),
    ...powerFlags
  },
  Effect.fn(function* ({ campaign: file, json: asJson, ...flags }) {
    const { prepareCampaign } = yield* Effect.promise(() => import("../campaign/prepare.ts"))
    const { affordable, forecastOf } = yield* Effect.promise(() => import("../campaign/affordable.ts"))
    const { designOf } = yield* Effect.promise(() => import("../judge/designs/registry.ts"))
    const { assumptions } = yield* Effect.promise(() => import("../campaign/forecast.ts"))
    const prepared = yield* prepareCampaign(file)
    yield* warn(prepared.warnings)
    const forecast = yield* forecastOf(prepared, computing)
    // First, so that nobody takes the forecast of a campaign that will not start for a go-ahead.
    yield* affordable(prepared, forecast)
    const power = yield* planPowerOf(prepared, flags)
    const { assumedRows: _, ...withoutRows } = power
    yield* Console.log(
      asJson
        ? json({
            ...forecast,
            assumptions,
            iterations: prepared.campaign.search.iterations,
            budget: prepared.campaign.budget,
            power: withoutRows
          })
        : [report(prepared, designOf(prepared.campaign.judge), forecast, assumptions), "", ...powerLines(power)].join(
            "\n"
          )
    )
  })
).pipe(
  Command.withDescription(
    "Say what a campaign will cost, what its budget buys, and how small a gain its split could tell from noise, without calling any model"
  ),
  Command.withExamples([
    { command: "assize plan campaign.yaml", description: "Calls, tokens, money and time, expected and at most" },
    {
      command: "assize plan campaign.yaml --baseline-scores scores.csv",
      description: "How small a gain can be told, by the scores of a judge (or better two) that you have"
    }
  ])
)
