import { s } from "./dom.ts"

/** From values to places on a drawing, and back. */
export interface Scale {
  (value: number): number
  readonly ticks: ReadonlyArray<number>
}

/** Round numbers between two values, about so many. */
export const niceTicks = (from: number, to: number, about: number): ReadonlyArray<number> => {
  const span = to - from
  if (!(span > 0)) return [from]
  const raw = span / Math.max(1, about)
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= raw) ?? raw
  const ticks: Array<number> = []
  for (let tick = Math.ceil(from / step - 1e-9) * step; tick <= to + step * 1e-9; tick += step)
    ticks.push(Number(tick.toPrecision(12)))
  return ticks
}

export const linear = (from: number, to: number, start: number, end: number, about = 5): Scale =>
  Object.assign((value: number) => start + ((value - from) / (to - from || 1)) * (end - start), {
    ticks: niceTicks(from, to, about)
  })

export interface Frame {
  readonly width: number
  readonly height: number
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

export interface AxisWords {
  readonly x: string
  readonly y: string
  readonly xTick?: (value: number) => string
  readonly yTick?: (value: number) => string
}

/** Grid, ticks and names of both axes. */
export const axes = (frame: Frame, x: Scale, y: Scale, words: AxisWords): SVGGElement => {
  const { bottom, height, left, right, width } = frame
  const base = height - bottom
  const xTick = words.xTick ?? String
  const yTick = words.yTick ?? String
  return s(
    "g",
    { "aria-hidden": "true" },
    ...y.ticks.flatMap((tick) => [
      s("line", { class: "grid", x1: left, x2: width - right, y1: y(tick), y2: y(tick) }),
      s("text", { class: "tick", x: left - 7, y: y(tick) + 4, "text-anchor": "end" }, yTick(tick))
    ]),
    s("line", { class: "axis", x1: left, x2: width - right, y1: base, y2: base }),
    ...x.ticks.map((tick) =>
      s("text", { class: "tick", x: x(tick), y: base + 17, "text-anchor": "middle" }, xTick(tick))
    ),
    s("text", { class: "name", x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle" }, words.x),
    s("text", { class: "name", x: left - 38, y: frame.top - 9 }, words.y)
  )
}

/** A star of five points around a place. */
export const star = (x: number, y: number, radius: number): string =>
  Array.from({ length: 10 }, (_, at) => {
    const angle = (at * Math.PI) / 5 - Math.PI / 2
    const r = at % 2 === 0 ? radius : radius * 0.45
    return `${(x + r * Math.cos(angle)).toFixed(1)},${(y + r * Math.sin(angle)).toFixed(1)}`
  }).join(" ")

/** A candidate's mark: squares are seeds, discs proposals that were accepted, the star is the winner. */
export const mark = (kind: "seed" | "child" | "winner" | "raced", x: number, y: number, size = 5): SVGElement =>
  kind === "winner"
    ? s("polygon", { class: "winner", points: star(x, y, size * 1.9) })
    : kind === "seed"
      ? s("rect", { class: "seed", x: x - size, y: y - size, width: size * 2, height: size * 2 })
      : s("circle", { class: kind, cx: x, cy: y, r: size })
