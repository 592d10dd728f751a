import type { ReportData } from "../ReportData.ts"
import { drawCost } from "./cost.ts"
import { drawCourse } from "./course.ts"
import { clear, h } from "./dom.ts"
import { drawFlips } from "./flips.ts"
import { drawHeat } from "./heat.ts"
import { finishAll } from "./later.ts"
import { modelOf } from "./model.ts"
import { drawPlane } from "./plane.ts"
import { drawScores } from "./scores.ts"
import { drawTree } from "./tree.ts"
import { unfoldAll, unfoldNext, unfoldWhenOpened } from "./unfold.ts"

const model = modelOf(JSON.parse(document.getElementById("data")!.textContent!) as ReportData)

const drawnYet = new Set<string>()
let openPair: ((pair: number, member: number) => void) | undefined
let repaint: (() => void) | undefined

const drawings: Readonly<Record<string, (into: Element) => void>> = {
  course: (into) => drawCourse(model, into),
  lineage: (into) => void drawTree(model, into),
  heat: (into) => {
    repaint = drawHeat(model, into, (pair, member) => {
      draw("flips")
      openPair?.(pair, member)
    })
  },
  plane: (into) => drawPlane(model, into),
  scores: (into) => drawScores(model, into),
  flips: (into) => {
    openPair = drawFlips(model, into)
  },
  cost: (into) => drawCost(model, into)
}

const placeOf = (name: string) => document.querySelector(`[data-draw="${name}"]`)

const draw = (name: string): void => {
  const into = placeOf(name)
  if (into === null || drawnYet.has(name)) return
  drawnYet.add(name)
  clear(into)
  try {
    drawings[name]?.(into)
  } catch (error) {
    into.append(
      h(
        "p",
        { class: "empty" },
        `This drawing failed: ${error instanceof Error ? error.message : String(error)}. The tables hold its figures.`
      )
    )
    console.error(error)
  }
  into.setAttribute("data-drawn", "")
}

const names = Object.keys(drawings)
const drawAll = () => names.forEach(draw)

// What nobody has scrolled to yet need not be drawn to answer the first key.
const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries)
      if (isIntersecting && target instanceof HTMLElement) {
        near.unobserve(target)
        draw(target.dataset["draw"] ?? "")
      }
  },
  { rootMargin: "300px" }
)
for (const name of names) {
  const into = placeOf(name)
  if (into !== null) near.observe(into)
}
// The rest, one at a time while nothing else is asked, so that jumps within the page find places that no longer move.
const whenIdle = (work: () => void) =>
  "requestIdleCallback" in window ? requestIdleCallback(work, { timeout: 3000 }) : setTimeout(work, 50)
const drawNext = () => {
  const next = names.find((name) => !drawnYet.has(name))
  if (next !== undefined) draw(next)
  else if (!unfoldNext()) return
  whenIdle(drawNext)
}
whenIdle(drawNext)
unfoldWhenOpened()

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => repaint?.())

// On paper everything is open and light.
let opened: ReadonlyArray<HTMLDetailsElement> = []
addEventListener("beforeprint", () => {
  drawAll()
  unfoldAll()
  finishAll()
  opened = [...document.querySelectorAll("details")].filter(({ open }) => !open)
  for (const one of opened) one.open = true
  repaint?.()
})
addEventListener("afterprint", () => {
  for (const one of opened) one.open = false
  repaint?.()
})

// Where the reader is.
const links = new Map(
  [...document.querySelectorAll<HTMLAnchorElement>(".toc a")].map((link) => [link.hash.slice(1), link])
)
const sections = [...document.querySelectorAll<HTMLElement>("main > section")]
let current: HTMLAnchorElement | undefined
const follow = () => {
  const section = sections.findLast((one) => one.getBoundingClientRect().top < innerHeight * 0.35) ?? sections[0]
  const link = section === undefined ? undefined : links.get(section.id)
  if (link === current || link === undefined) return
  current?.removeAttribute("aria-current")
  link.setAttribute("aria-current", "true")
  current = link
  const list = link.closest("ol")
  if (list !== null && list.scrollWidth > list.clientWidth)
    list.scrollTo({ left: link.offsetLeft - list.clientWidth / 3, behavior: "instant" })
}
let asked = false
addEventListener(
  "scroll",
  () => {
    if (asked) return
    asked = true
    requestAnimationFrame(() => {
      asked = false
      follow()
    })
  },
  { passive: true }
)
requestAnimationFrame(follow)
document.documentElement.dataset["ready"] = String(Math.round(performance.now()))
