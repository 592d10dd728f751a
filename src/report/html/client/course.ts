import { axes, linear, mark } from "./axes.ts"
import { h, roomIn, s } from "./dom.ts"
import { legend, lineSign, markSign } from "./legend.ts"
import type { Model } from "./model.ts"
import { bounds, share } from "./words.ts"

const frameOf = (width: number) => ({ width, height: 280, left: 52, right: 18, top: 30, bottom: 46 })

interface Point {
  readonly member: number
  readonly iteration: number
  readonly value: number
  readonly interval: readonly [number, number] | null
  readonly words: string
}

const chart = (model: Model, name: string, points: ReadonlyArray<Point>, width: number): SVGSVGElement => {
  const frame = frameOf(width)
  const { data, names } = model
  const values = points.flatMap(({ interval, value }) => [value, ...(interval ?? [])])
  const low = Math.max(0, Math.floor((Math.min(...values, 1) - 0.02) * 20) / 20)
  const high = Math.min(1, Math.ceil((Math.max(...values, 0) + 0.02) * 20) / 20)
  const x = linear(
    0,
    Math.max(1, data.iterations),
    frame.left + 10,
    frame.width - frame.right - 6,
    Math.max(3, width / 70)
  )
  const y = linear(low, high, frame.height - frame.bottom, frame.top, 5)
  let best = Number.NEGATIVE_INFINITY
  const steps = points
    .toSorted((a, b) => a.iteration - b.iteration || a.member - b.member)
    .flatMap(({ iteration, value }) => {
      if (value <= best) return []
      const before = best
      best = value
      return before === Number.NEGATIVE_INFINITY
        ? [`M${x(iteration)},${y(value)}`]
        : [`H${x(iteration).toFixed(1)}`, `V${y(value).toFixed(1)}`]
    })
  return s(
    "svg",
    {
      class: "chart",
      role: "img",
      viewBox: `0 0 ${frame.width} ${frame.height}`,
      "aria-label": `${name} of each candidate by the iteration that made it; best ${share(best)} after ${data.iterations} iterations. The table of candidates under Lineage holds the figures.`
    },
    axes(frame, x, y, {
      x: "iteration",
      y: name,
      xTick: (tick) => (Number.isInteger(tick) ? String(tick) : ""),
      yTick: (tick) => tick.toFixed(2)
    }),
    steps.length === 0
      ? null
      : s("path", { class: "best", d: `${steps.join(" ")} H${x(Math.max(1, data.iterations)).toFixed(1)}` }),
    ...points.map(({ interval, iteration, member, value, words }) =>
      s(
        "g",
        {},
        s("title", {}, `${names[member]}: ${words}`),
        interval === null || points.length > 60
          ? null
          : s("line", { class: "whisker", x1: x(iteration), x2: x(iteration), y1: y(interval[0]), y2: y(interval[1]) }),
        mark(
          member === data.winner
            ? "winner"
            : data.nodes[data.members[member]!.node]!.kind === "seed"
              ? "seed"
              : "child",
          x(iteration),
          y(value),
          points.length > 60 ? 3.5 : 5
        )
      )
    )
  )
}

/** Primary and secondary measure of the pool, by iteration. */
export const drawCourse = (model: Model, into: Element): void => {
  const { data } = model
  const paired = data.primary.name === "paired-discrimination"
  const points = (value: (figures: (typeof data.members)[number]["figures"]) => number | null, primary: boolean) =>
    data.members.flatMap(({ figures, node }, member): ReadonlyArray<Point> => {
      const own = value(figures)
      if (own === null) return []
      const { discrimination } = figures
      const interval = primary && paired ? discrimination.interval : null
      return [
        {
          member,
          iteration: data.nodes[node]!.iteration,
          value: own,
          interval,
          words: `${share(own)}${interval === null ? "" : ` ${bounds(interval)}`}, n = ${discrimination.pairs} pairs`
        }
      ]
    })
  const primary = points(({ primary }) => primary, true)
  const secondary = data.secondary === null ? [] : points(({ secondary }) => secondary, false)
  if (primary.length === 0) {
    into.append(h("p", { class: "empty" }, "No candidate has a value of the primary measure."))
    return
  }
  const words = (name: string) => name.replace("-", " ")
  const width = roomIn(into, data.secondary === null ? 1 : 2)
  into.append(
    h(
      "div",
      { class: "two" },
      h("figure", { class: "panel" }, chart(model, `primary: ${words(data.primary.name)}`, primary, width)),
      secondary.length === 0
        ? null
        : h("figure", { class: "panel" }, chart(model, `secondary: ${words(data.secondary!.name)}`, secondary, width))
    ),
    legend([
      [markSign("seed"), "seed"],
      [markSign("child"), "accepted proposal"],
      [markSign("winner"), "winner"],
      [lineSign("best"), "best so far"],
      ...(paired && primary.length <= 60 ? [[lineSign("whisker"), "95 %, bootstrap of consultations"] as const] : [])
    ])
  )
}
