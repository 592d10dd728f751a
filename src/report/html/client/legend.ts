import { mark } from "./axes.ts"
import { h, s } from "./dom.ts"

const small = (...children: ReadonlyArray<SVGElement>) =>
  s("svg", { class: "chart", viewBox: "0 0 18 14", "aria-hidden": "true" }, ...children)

/** What marks mean. */
export const legend = (entries: ReadonlyArray<readonly [SVGElement | null, string]>): HTMLUListElement =>
  h("ul", { class: "legend" }, ...entries.map(([sign, text]) => h("li", {}, sign, text)))

export const markSign = (kind: "seed" | "child" | "winner" | "raced"): SVGElement => small(mark(kind, 8, 7, 4.5))
export const lineSign = (style: string): SVGElement => small(s("line", { class: style, x1: 0, x2: 17, y1: 7, y2: 7 }))
export const boxSign = (style: string): SVGElement =>
  small(s("rect", { class: style, x: 1, y: 2, width: 15, height: 11 }))
export const hatchSign = (): SVGElement =>
  small(
    s("rect", { class: "hatch-ground", x: 1, y: 2, width: 15, height: 11 }),
    s("path", { class: "outline-flawed", d: "M1,9L8,2M3,13L14,2M10,13L16,7M1,2H16V13H1Z" })
  )
export const crossSign = (): SVGElement =>
  small(s("g", { class: "tree" }, s("path", { class: "cross", d: "M4,3 l8,8 M12,3 l-8,8" })))
