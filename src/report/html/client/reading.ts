import { visible } from "../escape.ts"
import { announce, h, s } from "./dom.ts"

/** A mark of a drawing, at its place in the drawing's own units, and what it says. */
export interface Mark {
  readonly x: number
  readonly y: number
  readonly words: string
}

/** How far from a mark one may point, in CSS pixels. */
const reach = 18

/** The mark next to a place, within `most` of it; -1 where none is. */
export const nearest = (
  marks: ReadonlyArray<{ readonly x: number; readonly y: number }>,
  x: number,
  y: number,
  most: number
): number => {
  let found = -1
  let least = most
  marks.forEach((one, at) => {
    const distance = Math.hypot(one.x - x, one.y - y)
    // The last one drawn lies on top.
    if (distance <= least) {
      least = distance
      found = at
    }
  })
  return found
}

/** Where in a drawing's own units somebody points, and how many of them a pixel is. */
export const placeIn = (drawing: SVGSVGElement, event: MouseEvent) => {
  const box = drawing.getBoundingClientRect()
  const unit = drawing.viewBox.baseVal.width / (box.width || 1)
  return { x: (event.clientX - box.left) * unit, y: (event.clientY - box.top) * unit, unit }
}

export const keysHint = "Arrow keys go from mark to mark."

/**
 * Makes the marks of a drawing say what they are: to those who point at one, and, from left to right, to the arrow keys.
 * One listener does for all marks. Gives the line that says it, to stand below the drawing.
 */
export const readMarks = (drawing: SVGSVGElement, marks: ReadonlyArray<Mark>): HTMLElement => {
  const ordered = marks.toSorted((a, b) => a.x - b.x || b.y - a.y)
  const hint = h("span", { class: "hint" }, "Point at a mark, or use the arrow keys, for its figures.")
  const readout = h("p", { class: "readout" }, hint)
  const ring = s("circle", { class: "ring", r: 10 })
  let at = -1
  const show = (next: number) => {
    at = next
    const one = ordered[next]!
    ring.setAttribute("cx", String(one.x))
    ring.setAttribute("cy", String(one.y))
    if (!ring.isConnected) drawing.append(ring)
    readout.textContent = visible(one.words)
  }
  drawing.setAttribute("tabindex", "0")
  const point = (event: MouseEvent) => {
    const { unit, x, y } = placeIn(drawing, event)
    const found = nearest(ordered, x, y, reach * unit)
    if (found !== -1 && found !== at) show(found)
  }
  drawing.addEventListener("pointermove", point)
  drawing.addEventListener("click", point)
  drawing.addEventListener("keydown", (event) => {
    const to: Readonly<Record<string, number>> = {
      ArrowRight: at + 1,
      ArrowDown: at + 1,
      ArrowLeft: at - 1,
      ArrowUp: at - 1,
      Home: 0,
      End: ordered.length - 1
    }
    const next = to[event.key]
    if (next === undefined || event.ctrlKey || event.altKey || event.metaKey || ordered.length === 0) return
    event.preventDefault()
    show(Math.min(ordered.length - 1, Math.max(0, next)))
    announce(ordered[at]!.words)
  })
  return readout
}
