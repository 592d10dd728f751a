import { axes, linear, niceTicks } from "./axes.ts"
import { choice, clear, h, roomIn, s } from "./dom.ts"
import type { Model } from "./model.ts"
import { integer } from "./words.ts"

const frameOf = (width: number) => ({ width, height: 280, left: 70, right: 18, top: 30, bottom: 46 })

const kinds = {
  usd: { words: "US dollars", text: (value: number) => `$${Number(value.toPrecision(4))}` },
  calls: { words: "calls", text: integer },
  tokens: { words: "tokens", text: integer }
} as const
type Kind = keyof typeof kinds

/** What was bought, by iteration or by time, under the limit of the budget. */
export const drawCost = ({ data }: Model, into: Element): void => {
  const { budget, cost } = data
  if (cost.length < 2 || cost.at(-1)!.calls === 0) return
  const last = cost.at(-1)!
  const priced = last.usd > 0
  let kind: Kind = priced ? "usd" : "calls"
  let by = "iteration"
  const figure = h("figure", { class: "panel" })
  const start = cost[0]!.time
  const draw = () => {
    clear(figure)
    const frame = frameOf(roomIn(into, 1, 1100))
    const { text, words } = kinds[kind]
    const limit = budget[kind]
    const most = last[kind]
    // A limit far above what was spent would press the curve flat.
    const shownLimit = limit !== undefined && limit <= most * 4 ? limit : undefined
    const minutes = (time: number) => (time - start) / 60_000
    const across = (point: (typeof cost)[number]) => (by === "iteration" ? point.iteration : minutes(point.time))
    const end = Math.max(...cost.map(across), 1e-3)
    const x = linear(0, end, frame.left, frame.width - frame.right, Math.max(3, frame.width / 90))
    const top = Math.max(most, shownLimit ?? 0) * 1.06 || 1
    const y = Object.assign(linear(0, top, frame.height - frame.bottom, frame.top), { ticks: niceTicks(0, top, 4) })
    const line = cost.map(
      (point, at) => `${at === 0 ? "M" : "L"}${x(across(point)).toFixed(1)},${y(point[kind]).toFixed(1)}`
    )
    const unknown =
      kind === "usd" && last.unpriced > 0 ? `; ${integer(last.unpriced)} calls of unknown price are not in it` : ""
    figure.append(
      s(
        "svg",
        {
          class: "chart",
          role: "img",
          viewBox: `0 0 ${frame.width} ${frame.height}`,
          "aria-label": `${words} by ${by}: ${text(most)} in the end${limit === undefined ? "" : `, of a limit of ${text(limit)}`}${unknown}`
        },
        axes(frame, x, y, {
          x: by === "iteration" ? "iteration" : "minutes since the start, pauses included",
          y: words,
          xTick: (tick) => String(tick),
          yTick: text
        }),
        s("path", { class: "best", d: line.join(" ") }),
        shownLimit === undefined
          ? null
          : s("line", {
              class: "limit",
              x1: frame.left,
              x2: frame.width - frame.right,
              y1: y(shownLimit),
              y2: y(shownLimit)
            })
      ),
      h(
        "figcaption",
        {},
        `${text(most)} in all${limit === undefined ? "; the campaign sets no limit on it" : `, of a limit of ${text(limit)}${shownLimit === undefined ? ", which is far above the drawing" : " (dashed)"}`}${unknown}.`
      )
    )
  }
  draw()
  into.append(
    h(
      "div",
      { class: "controls" },
      choice(
        "Show",
        (Object.keys(kinds) as ReadonlyArray<Kind>)
          .filter((one) => one !== "usd" || priced)
          .map((one) => [one, kinds[one].words]),
        kind,
        (value) => {
          kind = value as Kind
          draw()
        }
      ),
      choice(
        "By",
        [
          ["iteration", "iteration"],
          ["time", "time"]
        ],
        by,
        (value) => {
          by = value
          draw()
        }
      )
    ),
    figure
  )
}
