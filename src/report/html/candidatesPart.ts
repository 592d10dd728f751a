import type { ErrorClass } from "../../domain/Dataset.ts"
import type { RunState } from "../../optimise/RunState.ts"
import { meanReward } from "../../optimise/rewards.ts"
import { wilson } from "../../statistics/wilson.ts"
import { integer, interval, record, share } from "../../terminal/format.ts"
import { fixed } from "../scoreFormat.ts"
import { type Html, html, nothing, table } from "./markup.ts"
import type { ReportData } from "./ReportData.ts"

const rate = (k: number, n: number): string => (n === 0 ? "–" : `${k}/${n} ${interval(wilson(k, n))}`)

/** Every candidate of the pool with its figures: what the drawings show, to be read. */
export const candidatesTable = (data: ReportData): Html => {
  // The discrimination and the detection that every table has are those of the measures most runs have.
  const primary = data.primary.name !== "paired-discrimination"
  const secondary = data.secondary !== null && data.secondary.name !== "detection"
  return table(
    [
      [
        "candidate",
        "from, iteration",
        ...(primary ? ["primary"] : []),
        ...(secondary ? ["secondary"] : []),
        "pairs: won/tied/lost",
        "paired discrimination 95 %",
        "detected 95 %",
        "false alarms 95 %",
        "flags below",
        "mean reward",
        "leads",
        "unreadable, failed",
        "characters"
      ],
      ...data.members.map(({ characters, figures, leads, node }, at) => {
        const { iteration, kind, name, parents } = data.nodes[node]!
        const { detection, discrimination } = figures
        return [
          `${at === data.winner ? "★ " : ""}${name}`,
          kind === "seed" ? "seed" : `${parents.map((parent) => data.nodes[parent]!.name).join(" + ")}, ${iteration}`,
          ...(primary ? [share(figures.primary)] : []),
          ...(secondary ? [share(figures.secondary)] : []),
          `${discrimination.pairs}: ${record(discrimination)}`,
          `${share(discrimination.value)} ${interval(discrimination.interval)}`,
          detection === null ? "–" : rate(detection.detected, detection.flawed),
          detection === null ? "–" : rate(detection.falseAlarms, detection.clean),
          detection === null ? "–" : String(Number(detection.threshold.toFixed(4))),
          share(figures.reward),
          leads,
          `${figures.unparsed}, ${figures.failed}`,
          integer(characters)
        ]
      })
    ],
    {
      caption: "All candidates of the pool, on the acceptance part",
      marked: new Set(data.winner === null ? [] : [data.winner])
    }
  )
}

/** Every proposal that joined no pool, with the reason. */
export const rejectedTable = (data: ReportData): Html => {
  const rejected = data.nodes.filter(({ kind }) => kind === "rejected")
  if (rejected.length === 0) return html`<p>No proposal was rejected.</p>`
  return table(
    [
      ["iteration", "parent", "reason", "parent’s reward", "its own", "notes", "in words"],
      ...rejected.map(({ childReward, compared, detail, iteration, parentReward, parents, reason }) => [
        iteration,
        data.nodes[parents[0] ?? -1]?.name ?? "–",
        reason ?? "–",
        fixed(parentReward),
        fixed(childReward),
        compared === 0 ? "–" : compared,
        detail.length > 300 ? `${detail.slice(0, 300)}…` : detail
      ])
    ],
    { caption: "Rejected proposals: mean rewards on the iteration’s minibatch" }
  )
}

/** Mean rewards by class: the heat map, to be read. */
export const rewardsTable = (data: ReportData, state: RunState): Html => {
  const { index } = state
  if (index === undefined || state.members.length === 0) return nothing
  const groups = new Map<string, Array<number>>()
  index.instances.forEach((instance, at) => {
    const name: ErrorClass | "clean" | "no twin" =
      instance.kind === "clean"
        ? "clean"
        : instance.kind === "lone"
          ? "no twin"
          : index.table.pairs[instance.pair]!.class
    groups.set(name, [...(groups.get(name) ?? []), at])
  })
  const mean = (rewards: Float64Array, places: ReadonlyArray<number>) => {
    const { mean, n } = meanReward(Float64Array.from(places, (place) => rewards[place]!))
    return mean === null ? "–" : `${mean.toFixed(3)} (${n})`
  }
  return table(
    [
      ["candidate", ...groups.keys(), "all"],
      ...state.members.map(({ candidate, rewards }, at) => [
        `${at === data.winner ? "★ " : ""}${candidate.name}`,
        ...[...groups.values()].map((places) => mean(rewards, places)),
        mean(
          rewards,
          index.instances.map((_, place) => place)
        )
      ])
    ],
    { caption: "Mean reward by class of error, and how many instances it is of" }
  )
}

/** What was bought by when, in a few dozen rows. */
export const costTable = ({ cost }: ReportData): Html => {
  const [first] = cost
  if (first === undefined) return html`<p>Nothing was bought.</p>`
  const every = Math.max(1, Math.ceil(cost.length / 40))
  const rows = cost.filter((_, at) => at % every === 0 || at === cost.length - 1)
  return table(
    [
      ["time", "iteration", "calls", "tokens", "US dollars", "calls of unknown price"],
      ...rows.map(({ calls, iteration, time, tokens, unpriced, usd }) => [
        new Date(time).toISOString().slice(0, 19).replace("T", " "),
        iteration,
        integer(calls),
        integer(tokens),
        unpriced > 0 && usd === 0 ? "unknown" : usd.toFixed(4),
        unpriced
      ])
    ],
    { caption: "Bought by the end of iterations (UTC)" }
  )
}
