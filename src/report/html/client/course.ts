import { wilson } from "../../../statistics/wilson.ts"
import type { ReportMember } from "../ReportData.ts"
import { axes, linear, mark } from "./axes.ts"
import { h, roomIn, s } from "./dom.ts"
import { legend, lineSign, markSign } from "./legend.ts"
import type { Model } from "./model.ts"
import { keysHint, readMarks } from "./reading.ts"
import { bounds, share } from "./words.ts"

const frameOf = (width: number) => ({ width, height: 280, left: 52, right: 18, top: 30, bottom: 46 })

/** More whiskers than this would hide the marks; the table has the intervals of all. */
const mostWhiskers = 60

interface Point {
  readonly member: number
  readonly iteration: number
  readonly value: number
  readonly interval: readonly [number, number] | null
  readonly words: string
}

interface Series {
  readonly role: "primary" | "secondary"
  readonly name: string
  /** What the values are shares of. */
  readonly unit: string
  /** What the intervals are; null where there are none. */
  readonly intervals: string | null
  readonly points: ReadonlyArray<Point>
}

/** Values of one measure with their n and, where the run knows it, their interval. */
const seriesOf = (model: Model, role: Series["role"], name: string): Series => {
  const { data } = model
  const paired = name === "paired-discrimination"
  const detection = name === "detection"
  const pairs = data.members.reduce((most, { figures }) => Math.max(most, figures.discrimination.pairs), 0)
  const flawed = data.members.reduce((most, { figures }) => Math.max(most, figures.detection?.flawed ?? 0), 0)
  const detailOf = ({ figures }: ReportMember, value: number) => {
    const { detection: at, discrimination } = figures
    // The figures hold one discrimination and one operating point; a measure of other classes has neither.
    if (paired && discrimination.value !== null && Math.abs(discrimination.value - value) < 1e-9)
      return { interval: discrimination.interval, n: `n = ${discrimination.pairs} pairs` }
    if (detection && at !== null && Math.abs(at.detected / at.flawed - value) < 1e-9)
      return {
        interval: wilson(at.detected, at.flawed),
        n: `${at.detected} of ${at.flawed} flawed notes, at ${at.falseAlarms} of ${at.clean} false alarms`
      }
    return { interval: null, n: `n = ${discrimination.pairs} pairs` }
  }
  const points = data.members.flatMap((own, member): ReadonlyArray<Point> => {
    const value = own.figures[role]
    if (value === null) return []
    const { interval, n } = detailOf(own, value)
    const { iteration } = data.nodes[own.node]!
    return [
      {
        member,
        iteration,
        value,
        interval,
        words: `${model.names[member]}, iteration ${iteration}: ${share(value)}${interval === null ? "" : ` ${bounds(interval)}`}, ${n}`
      }
    ]
  })
  return {
    role,
    name: name.replace("-", " "),
    unit: paired
      ? `share of ${pairs} pairs, a tie one half`
      : detection
        ? `share of ${flawed} flawed notes`
        : `${name.toUpperCase()}, ${pairs} pairs`,
    intervals: points.every(({ interval }) => interval === null)
      ? null
      : paired
        ? "bootstrap of consultations"
        : "Wilson",
    points
  }
}

/** The best so far, as steps; seeds were there together at the start. */
const bestSteps = (
  points: ReadonlyArray<Point>,
  x: (value: number) => number,
  y: (value: number) => number
): ReadonlyArray<string> => {
  const best = new Map<number, number>()
  for (const { iteration, value } of points.toSorted((a, b) => a.iteration - b.iteration)) {
    const before = [...best.values()].at(-1) ?? Number.NEGATIVE_INFINITY
    if (value > before) best.set(iteration, value)
  }
  return [...best].map(([iteration, value], at) =>
    at === 0 ? `M${x(iteration)},${y(value)}` : `H${x(iteration).toFixed(1)}V${y(value).toFixed(1)}`
  )
}

const chart = (model: Model, { name, points, unit }: Series, width: number): HTMLElement => {
  const frame = frameOf(width)
  const { data } = model
  const values = points.flatMap(({ interval, value }) => [value, ...(interval ?? [])])
  const low = Math.max(0, Math.floor((Math.min(...values, 1) - 0.02) * 20) / 20)
  const high = Math.min(1, Math.ceil((Math.max(...values, 0) + 0.02) * 20) / 20)
  const end = Math.max(1, data.iterations)
  const x = linear(0, end, frame.left + 10, frame.width - frame.right - 6, Math.max(3, width / 70))
  const y = linear(low, high, frame.height - frame.bottom, frame.top, 5)
  const steps = bestSteps(points, x, y)
  const best = points.reduce((most, { value }) => Math.max(most, value), Number.NEGATIVE_INFINITY)
  const whiskers = points.flatMap(({ interval, iteration }) =>
    interval === null ? [] : [`M${x(iteration).toFixed(1)},${y(interval[0]).toFixed(1)}V${y(interval[1]).toFixed(1)}`]
  )
  const kindOf = (member: number) =>
    member === data.winner ? "winner" : data.nodes[data.members[member]!.node]!.kind === "seed" ? "seed" : "child"
  const drawing = s(
    "svg",
    {
      class: "chart",
      role: "application",
      viewBox: `0 0 ${frame.width} ${frame.height}`,
      "aria-label": `${name} of each candidate by the iteration that made it; best ${share(best)} after ${data.iterations} iterations. ${keysHint} The table of candidates under Lineage holds the figures.`
    },
    axes(frame, x, y, {
      x: "iteration",
      y: unit,
      xTick: (tick) => (Number.isInteger(tick) ? String(tick) : ""),
      yTick: (tick) => tick.toFixed(2)
    }),
    s("path", { class: "best", d: `${steps.join("")}H${x(end).toFixed(1)}` }),
    points.length > mostWhiskers ? null : s("path", { class: "whisker", d: whiskers.join("") }),
    ...points.map(({ iteration, member, value }) =>
      mark(kindOf(member), x(iteration), y(value), points.length > mostWhiskers ? 3.5 : 5)
    )
  )
  return h(
    "div",
    {},
    drawing,
    readMarks(
      drawing,
      points.map(({ iteration, value, words }) => ({ x: x(iteration), y: y(value), words }))
    )
  )
}

/** Primary and secondary measure of the pool, by iteration. */
export const drawCourse = (model: Model, into: Element): void => {
  const { data } = model
  const primary = seriesOf(model, "primary", data.primary.name)
  if (primary.points.length === 0) {
    into.append(h("p", { class: "empty" }, "No candidate has a value of the primary measure."))
    return
  }
  const secondary = data.secondary === null ? undefined : seriesOf(model, "secondary", data.secondary.name)
  const shown = [primary, ...(secondary === undefined || secondary.points.length === 0 ? [] : [secondary])]
  const width = roomIn(into, shown.length)
  const many = shown.some(({ points }) => points.length > mostWhiskers)
  into.append(
    h(
      "div",
      { class: "two" },
      ...shown.map((one) =>
        h(
          "figure",
          { class: "panel" },
          h("h3", {}, `${one.role === "primary" ? "Primary" : "Secondary"}: ${one.name}`),
          chart(model, one, width)
        )
      )
    ),
    legend([
      [markSign("seed"), "seed"],
      [markSign("child"), "accepted proposal"],
      [markSign("winner"), "winner"],
      [lineSign("best"), "best so far"],
      ...(many
        ? []
        : [...new Set(shown.flatMap(({ intervals }) => intervals ?? []))].map(
            (words) => [lineSign("whisker"), `95 %, ${words}`] as const
          ))
    ])
  )
}
