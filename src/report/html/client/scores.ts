import { operatingPoint } from "../../../measure/operatingPoint.ts"
import { wilson } from "../../../statistics/wilson.ts"
import { axes, linear, niceTicks } from "./axes.ts"
import { choice, clear, h, roomIn, s } from "./dom.ts"
import { boxSign, hatchSign, legend, lineSign } from "./legend.ts"
import { type Model, memberOptions } from "./model.ts"
import { ratesAt, type Sides, sidesOf, thresholdsOf } from "./sides.ts"
import { bounds, scoreText, share } from "./words.ts"

const frameOf = (width: number) => ({ width, height: 300, left: 50, right: 16, top: 30, bottom: 46 })

const meanOf = (scores: ReadonlyArray<number>): number => {
  const known = scores.filter((score) => !Number.isNaN(score))
  return known.length === 0 ? Number.NaN : known.reduce((sum, score) => sum + score, 0) / known.length
}

const bins = 20

/** Clean notes upwards, flawed ones downwards, as shares of their side. */
const histogram = (model: Model, member: number, sides: Sides, width: number): SVGSVGElement => {
  const frame = frameOf(width)
  const { maxScore, minScore } = model.data
  const count = (scores: ReadonlyArray<number>) => {
    const counts = new Array<number>(bins).fill(0)
    for (const score of scores)
      if (!Number.isNaN(score))
        counts[Math.min(bins - 1, Math.max(0, Math.floor(((score - minScore) / (maxScore - minScore)) * bins)))]! += 1
    return counts.map((one) => one / Math.max(1, scores.length))
  }
  const [clean, flawed] = [count(sides.clean), count(sides.flawed)]
  const top = Math.max(0.1, ...clean, ...flawed)
  const x = linear(minScore, maxScore, frame.left, frame.width - frame.right, Math.max(3, width / 45))
  const y = Object.assign(linear(-top, top, frame.height - frame.bottom, frame.top), {
    ticks: niceTicks(-top, top, 6)
  })
  const wide = (frame.width - frame.left - frame.right) / bins
  const [meanClean, meanFlawed] = [meanOf(sides.clean), meanOf(sides.flawed)]
  const unread = [...sides.clean, ...sides.flawed].filter(Number.isNaN).length
  const words = `Scores of ${model.names[member]}: clean notes mean ${scoreText(meanClean)} (n = ${sides.clean.length}), flawed notes mean ${scoreText(meanFlawed)} (n = ${sides.flawed.length})${unread === 0 ? "" : `, ${unread} unreadable`}`
  const id = `hatch-${member}`
  const bar = (share: number, at: number, up: boolean) => {
    const from = y(0)
    const to = y(up ? share : -share)
    const box = {
      x: frame.left + at * wide + 0.8,
      y: Math.min(from, to),
      width: wide - 1.6,
      height: Math.abs(to - from)
    }
    return share === 0
      ? null
      : up
        ? s("rect", { class: "bar-clean", ...box })
        : s("g", {}, s("rect", { fill: `url(#${id})`, ...box }), s("rect", { class: "outline-flawed", ...box }))
  }
  return s(
    "svg",
    { class: "chart", role: "img", viewBox: `0 0 ${frame.width} ${frame.height}`, "aria-label": words },
    s(
      "defs",
      {},
      s(
        "pattern",
        { id, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
        s("rect", { class: "hatch-ground", width: 6, height: 6 }),
        s("line", { class: "hatch-line", x1: 0, x2: 0, y1: 0, y2: 6 })
      )
    ),
    axes(frame, x, y, { x: "score", y: "share of notes", yTick: (tick) => Math.abs(tick).toFixed(2) }),
    s("line", { class: "axis", x1: frame.left, x2: frame.width - frame.right, y1: y(0), y2: y(0) }),
    ...clean.map((share, at) => bar(share, at, true)),
    ...flawed.map((share, at) => bar(share, at, false)),
    Number.isNaN(meanClean) ? null : s("path", { class: "whisker", d: `M${x(meanClean)},${y(0)}V${y(top)}` }),
    Number.isNaN(meanFlawed) ? null : s("path", { class: "whisker", d: `M${x(meanFlawed)},${y(0)}V${y(-top)}` }),
    s("text", { class: "tick", x: frame.left + 6, y: frame.top + 10 }, `clean, n = ${sides.clean.length}`),
    s(
      "text",
      { class: "tick", x: frame.left + 6, y: frame.height - frame.bottom - 6 },
      `flawed, n = ${sides.flawed.length}`
    )
  )
}

interface Curve {
  readonly name: string
  readonly sides: Sides
  readonly style: "best" | "second"
}

const curveWords = ({ data }: Model, shown: ReadonlyArray<Curve>): string => {
  const { cap } = data.detection
  const words = shown.map(({ name, sides }) => {
    const point = operatingPoint(sides.flawed, sides.clean, cap)
    return point === null
      ? `${name} has no operating point`
      : `${name} detects ${point.detected} of ${point.flawed} ${bounds(wilson(point.detected, point.flawed))} at ${point.falseAlarms} of ${point.clean} false alarms ${bounds(wilson(point.falseAlarms, point.clean))}`
  })
  return `Under a cap of ${Math.round(cap * 100)} %: ${words.join("; ")}.`
}

const curves = (model: Model, shown: ReadonlyArray<Curve>, width: number): SVGSVGElement => {
  const frame = { ...frameOf(width), height: 380 }
  const { cap } = model.data.detection
  const x = linear(0, 1, frame.left, frame.width - frame.right, 5)
  const y = linear(0, 1, frame.height - frame.bottom, frame.top, 5)
  const tick = (value: number) => value.toFixed(1)
  const points = shown.map(({ sides }) => operatingPoint(sides.flawed, sides.clean, cap))
  return s(
    "svg",
    {
      class: "chart",
      role: "img",
      viewBox: `0 0 ${frame.width} ${frame.height}`,
      "aria-label": `Operating curve. ${curveWords(model, shown)}`
    },
    s("rect", { class: "feasible", x: x(0), y: y(1), width: x(cap) - x(0), height: y(0) - y(1) }),
    axes(frame, x, y, { x: "false alarms", y: "detection", xTick: tick, yTick: tick }),
    s("line", { class: "grid", x1: x(0), y1: y(0), x2: x(1), y2: y(1) }),
    s("line", { class: "cap", x1: x(cap), x2: x(cap), y1: y(0), y2: y(1) }),
    ...shown.map(({ sides, style }) => {
      const path = thresholdsOf([sides])
        .map((threshold) => ratesAt(sides, threshold))
        .map(
          (at) =>
            `${x(at.falseAlarms / Math.max(1, at.clean)).toFixed(1)},${y(at.detected / Math.max(1, at.flawed)).toFixed(1)}`
        )
      return s("path", { class: style, d: `M${x(0)},${y(0)}L${path.join("L")}` })
    }),
    ...shown.flatMap(({ style }, at) => {
      const point = points[at]
      if (point === null || point === undefined) return []
      const [cx, cy] = [x(point.falseAlarms / point.clean), y(point.detected / point.flawed)]
      return [
        style === "best"
          ? s("circle", { class: "child", cx, cy, r: 5.5 })
          : s("rect", { class: "other", x: cx - 5, y: cy - 5, width: 10, height: 10 })
      ]
    })
  )
}

const most = 60

const thresholdTable = (name: string, sides: Sides): HTMLElement => {
  const thresholds = thresholdsOf([sides])
  const every = Math.max(1, Math.ceil(thresholds.length / most))
  const rows = thresholds
    .filter((_, at) => at % every === 0 || at === thresholds.length - 1)
    .map((one) => ratesAt(sides, one))
  const rate = (k: number, n: number) => (n === 0 ? "–" : `${share(k / n)} ${bounds(wilson(k, n))}`)
  return h(
    "details",
    {},
    h(
      "summary",
      {},
      `The operating curve of ${name} as a table${every > 1 ? `, every ${every}th of ${thresholds.length} thresholds` : ""}`
    ),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": `Operating curve of ${name}` },
      h(
        "table",
        {},
        h("caption", {}, "Notes that score below each threshold; Wilson’s intervals"),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ...["flag below", "detected", "rate 95 %", "false alarms", "rate 95 %"].map((one) =>
              h("th", { scope: "col", class: "n" }, one)
            )
          )
        ),
        h(
          "tbody",
          {},
          ...rows.map((at) =>
            h(
              "tr",
              {},
              h(
                "th",
                { scope: "row", class: "n" },
                at.threshold === thresholds.at(-1) ? "above all" : scoreText(at.threshold)
              ),
              h("td", { class: "n" }, `${at.detected}/${at.flawed}`),
              h("td", { class: "n" }, rate(at.detected, at.flawed)),
              h("td", { class: "n" }, `${at.falseAlarms}/${at.clean}`),
              h("td", { class: "n" }, rate(at.falseAlarms, at.clean))
            )
          )
        )
      )
    )
  )
}

/** Score distributions and operating curves of two candidates. */
export const drawScores = (model: Model, into: Element): void => {
  const { data, names } = model
  const options = memberOptions(model)
  if (options.length === 0 || data.table.pairs.length === 0) {
    into.append(h("p", { class: "empty" }, "There are no pairs with scores."))
    return
  }
  let one = data.winner ?? 0
  let other = data.baseline
  const body = h("div", {})
  const draw = () => {
    clear(body)
    const own = sidesOf(model, one)
    const width = roomIn(into, 2)
    const against = other === null || other === one ? undefined : sidesOf(model, other)
    const shown: ReadonlyArray<Curve> = [
      { name: names[one]!, sides: own, style: "best" },
      ...(against === undefined ? [] : [{ name: names[other!]!, sides: against, style: "second" as const }])
    ]
    body.append(
      h(
        "div",
        { class: "two" },
        h("figure", { class: "panel" }, h("h3", {}, `Scores of ${names[one]}`), histogram(model, one, own, width)),
        against === undefined
          ? null
          : h(
              "figure",
              { class: "panel" },
              h("h3", {}, `Scores of ${names[other!]}`),
              histogram(model, other!, against, width)
            )
      ),
      legend([
        [boxSign("bar-clean"), "clean notes, upwards"],
        [hatchSign(), "flawed notes, downwards, hatched"],
        [lineSign("whisker"), "means"]
      ]),
      h(
        "figure",
        { class: "panel narrow" },
        h("h3", {}, "Operating curve"),
        curves(model, shown, roomIn(into, 1, 620)),
        legend([
          ...shown.map(({ name, style }) => [lineSign(style), name] as const),
          [boxSign("feasible"), "within the cap; marks are the best points there"]
        ]),
        h("figcaption", {}, curveWords(model, shown))
      ),
      thresholdTable(names[one]!, own)
    )
  }
  draw()
  into.append(
    h(
      "div",
      { class: "controls" },
      choice("Candidate", options, String(one), (value) => {
        one = Number(value)
        draw()
      }),
      choice("Against", [["", "nobody"], ...options], String(other ?? ""), (value) => {
        other = value === "" ? null : Number(value)
        draw()
      })
    ),
    body
  )
}
