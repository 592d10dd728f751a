import { wilson } from "../../../statistics/wilson.ts"
import { axes, linear, mark } from "./axes.ts"
import { clear, h, roomIn, s } from "./dom.ts"
import { boxSign, legend, lineSign, markSign } from "./legend.ts"
import type { Model } from "./model.ts"
import { keysHint, readMarks } from "./reading.ts"
import { type Rates, ratesAt, sidesOf, thresholdsOf } from "./sides.ts"
import { bounds, scoreText, share } from "./words.ts"

const frameOf = (width: number) => ({
  width,
  height: Math.min(470, width * 0.8 + 60),
  left: 50,
  right: 22,
  top: 30,
  bottom: 48
})

const kindOf = ({ data }: Model, member: number) =>
  member === data.winner ? "winner" : data.nodes[data.members[member]!.node]!.kind === "seed" ? "seed" : "child"

/** The plane of detection and false alarms, at each candidate's own operating point or at one threshold for all. */
export const drawPlane = (model: Model, into: Element): void => {
  const { data, names } = model
  const { cap } = data.detection
  const sides = data.members.map((_, member) => sidesOf(model, member))
  const thresholds = thresholdsOf(sides.slice(0, 60))
  const usable = sides.some(({ clean, flawed }) => clean.length > 0 && flawed.length > 0)
  if (!usable || thresholds.length === 0) {
    into.append(h("p", { class: "empty" }, "There are no pairs with scores, so there is no operating point."))
    return
  }
  const figure = h("figure", { class: "panel" })
  const words = h("p", { class: "readout" })
  let common: number | null = null
  const own = (member: number): Rates | null => {
    const detection = data.members[member]!.figures.detection
    return detection === null ? null : detection
  }
  const draw = () => {
    clear(figure)
    const frame = frameOf(roomIn(into, 1, 1100))
    const labels: Array<{ readonly x: number; readonly y: number; readonly width: number }> = []
    /** Where a label finds room, from its wanted place upwards. */
    const roomFor = (x: number, wanted: number, text: string): number => {
      const width = text.length * 7
      let y = wanted
      while (labels.some((one) => Math.abs(one.y - y) < 14 && x < one.x + one.width && one.x < x + width)) y -= 14
      labels.push({ x, y, width })
      return y
    }
    const x = linear(0, 1, frame.left, frame.width - frame.right, frame.width < 500 ? 5 : 10)
    const y = linear(0, 1, frame.height - frame.bottom, frame.top, 5)
    const points = data.members.flatMap((_, member) => {
      const at = common === null ? own(member) : ratesAt(sides[member]!, common)
      return at === null || at.flawed === 0 || at.clean === 0 ? [] : [{ member, at }]
    })
    const feasible = points.filter(({ at }) => at.falseAlarms <= cap * at.clean + 1e-9)
    const best = feasible.reduce<(typeof points)[number] | undefined>(
      (so, one) => (so === undefined || one.at.detected / one.at.flawed > so.at.detected / so.at.flawed ? one : so),
      undefined
    )
    const say = ({ at, member }: (typeof points)[number]) =>
      `${names[member]}: detection ${at.detected} of ${at.flawed}, ${share(at.detected / at.flawed)} ${bounds(wilson(at.detected, at.flawed))}; false alarms ${at.falseAlarms} of ${at.clean}, ${share(at.falseAlarms / at.clean)} ${bounds(wilson(at.falseAlarms, at.clean))}; flags below ${scoreText(at.threshold)}`
    const summary = `${common === null ? "Each candidate is at its own best threshold, which keeps to the cap where any does. " : `All flag scores below ${scoreText(common)}. `}${feasible.length} of ${points.length} candidates keep false alarms to ${Math.round(cap * 100)} %.${best === undefined ? "" : ` Most detected among them by ${say(best)}.`}`
    const labelAt = (cx: number, cy: number, text: string) => {
      const left = cx > frame.width * 0.7
      const x = left ? cx - 10 - text.length * 7 : cx + 10
      return s(
        "text",
        { class: "label", x: left ? cx - 10 : x, y: roomFor(x, cy - 8, text), "text-anchor": left ? "end" : "start" },
        text
      )
    }
    // Points of the same counts lie on each other: the first drawn would be hidden.
    const order = points.toSorted(
      (a, b) =>
        ["child", "seed", "winner"].indexOf(kindOf(model, a.member)) -
        ["child", "seed", "winner"].indexOf(kindOf(model, b.member))
    )
    const placeOf = ({ at }: (typeof points)[number]) =>
      [x(at.falseAlarms / at.clean), y(at.detected / at.flawed)] as const
    const drawing = s(
      "svg",
      {
        class: "chart",
        role: "application",
        viewBox: `0 0 ${frame.width} ${frame.height}`,
        "aria-label": `Detection against false alarms. ${summary} ${keysHint}`
      },
      s("rect", { class: "feasible", x: x(0), y: y(1), width: x(cap) - x(0), height: y(0) - y(1) }),
      axes(frame, x, y, {
        x: "false alarms, share of clean notes",
        y: "detection, share of flawed notes",
        xTick: (tick) => tick.toFixed(1),
        yTick: (tick) => tick.toFixed(1)
      }),
      s("line", { class: "cap", x1: x(cap), x2: x(cap), y1: y(0), y2: y(1) }),
      s("text", { class: "tick", x: x(cap) + 6, y: y(1) + 12 }, `cap ${Math.round(cap * 100)} %`),
      s("line", { class: "grid", x1: x(0), y1: y(0), x2: x(1), y2: y(1) }),
      s("text", { class: "tick", x: x(0.8), y: y(0.8) + 18, "text-anchor": "start" }, "chance"),
      ...order.flatMap((one) => {
        const { at, member } = one
        const kind = kindOf(model, member)
        const [cx, cy] = placeOf(one)
        if (kind === "child") return [mark(kind, cx, cy, 4.5)]
        const [d, f] = [wilson(at.detected, at.flawed)!, wilson(at.falseAlarms, at.clean)!]
        return [
          s("path", { class: "whisker", d: `M${x(f[0])},${cy}H${x(f[1])}M${cx},${y(d[0])}V${y(d[1])}` }),
          mark(kind, cx, cy, 6)
        ]
      }),
      // Over all marks, so that none hides a name.
      ...order.flatMap((one) =>
        kindOf(model, one.member) === "child" && one.member !== best?.member
          ? []
          : [labelAt(...placeOf(one), (names[one.member] ?? "").slice(0, 24))]
      )
    )
    const marks = order.map((one) => {
      const [cx, cy] = placeOf(one)
      return { x: cx, y: cy, words: say(one) }
    })
    figure.append(drawing, readMarks(drawing, marks))
    words.textContent = summary
  }
  const output = h("output", {}, "each its own")
  const slider = h("input", {
    type: "range",
    min: 0,
    max: thresholds.length - 1,
    step: 1,
    value: Math.floor(thresholds.length / 2),
    "aria-label": "Threshold for all candidates"
  })
  const toggle = h("input", { type: "checkbox", checked: true })
  const update = () => {
    slider.disabled = !toggle.checked
    common = toggle.checked ? thresholds[Number(slider.value)]! : null
    output.textContent = common === null ? "each its own" : scoreText(common)
    slider.setAttribute("aria-valuetext", output.textContent)
    draw()
  }
  const start = data.baseline ?? data.winner
  const threshold = start === null ? undefined : own(start)?.threshold
  if (threshold !== undefined) {
    const near = thresholds.findIndex((one) => one >= threshold - 1e-9)
    if (near >= 0) slider.value = String(near)
  }
  toggle.addEventListener("change", update)
  slider.addEventListener("input", update)
  update()
  into.append(
    h(
      "div",
      { class: "controls" },
      h("label", { class: "row" }, toggle, "One threshold for all candidates"),
      h("label", {}, "Flag scores below", slider),
      h("span", { class: "note" }, "threshold: ", output)
    ),
    figure,
    legend([
      [markSign("seed"), "seed"],
      [markSign("child"), "accepted proposal"],
      [markSign("winner"), "winner"],
      [boxSign("feasible"), "feasible: false alarms within the cap"],
      [lineSign("whisker"), "95 %, Wilson, of seeds and winner"]
    ]),
    words
  )
}
