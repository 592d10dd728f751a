import type { ReportNode } from "../ReportData.ts"
import { layoutTree, type PlacedNode } from "../treeLayout.ts"
import { mark } from "./axes.ts"
import { h, s } from "./dom.ts"
import { crossSign, legend, lineSign, markSign } from "./legend.ts"
import type { Model } from "./model.ts"
import { nodePanel } from "./nodePanel.ts"
import { nearest, placeIn } from "./reading.ts"
import { share } from "./words.ts"

const laneHeight = 26
const gutter = 148
const topSpace = 30

const labelOf = (model: Model, node: ReportNode): string => {
  const value = node.member === null ? null : model.data.members[node.member]!.figures.primary
  const name = node.name.length > 14 ? `${node.name.slice(0, 13)}…` : node.name
  return value === null ? name : `${name} ${share(value)}`
}

const spoken = (model: Model, node: ReportNode): string => {
  if (node.kind === "rejected") return `${node.name}, rejected, ${node.reason}`
  const { primary, discrimination } =
    node.member === null ? { primary: null, discrimination: null } : model.data.members[node.member]!.figures
  return `${node.name}, ${node.kind === "seed" ? "seed" : node.kind === "raced" ? `accepted in iteration ${node.iteration}, evaluation cut short` : `accepted in iteration ${node.iteration}`}${node.member === model.data.winner && node.member !== null ? ", winner" : ""}, primary ${share(primary)}${discrimination === null ? "" : ` on ${discrimination.pairs} pairs`}`
}

/** The winner's forebears by first parents, itself included. */
const pathOf = ({ data }: Model): ReadonlySet<number> => {
  const path = new Set<number>()
  let at = data.winner === null ? undefined : data.members[data.winner]!.node
  while (at !== undefined && !path.has(at)) {
    path.add(at)
    at = data.nodes[at]!.parents[0]
  }
  return path
}

/** The interactive lineage. Gives what selects a node from elsewhere. */
export const drawTree = (model: Model, into: Element): ((node: number) => void) => {
  const { data } = model
  const { children, lanes, placed } = layoutTree(data.nodes)
  if (placed.length === 0) {
    into.append(h("p", { class: "empty" }, "No candidate was made."))
    return () => undefined
  }
  const places = new Map(placed.map((one, at) => [one.node, at]))
  const most = data.nodes.reduce((so, { proposal }) => Math.max(so, proposal), 1)
  const step = Math.min(40, Math.max(15 * most, 700 / Math.max(1, data.iterations)))
  const x = (column: number) => gutter + column * step
  const y = (lane: number) => topSpace + lane * laneHeight
  const width = x(data.iterations + 1 - 1 / most) + 28
  const height = y(lanes - 1) + 24
  const path = pathOf(model)

  // One element for all lines of a kind: a browser takes longer for a thousand elements than for their thousand lines.
  const lines = { lane: "", branch: "", merge: "", path: "" }
  for (const { column, lane, node, until } of placed) {
    const { kind, parents } = data.nodes[node]!
    if (kind === "rejected") continue
    if (until > column) {
      lines.lane += `M${x(column)},${y(lane)}H${x(until)}`
      const onward = children[node]!.filter((child) => path.has(child)).map(
        (child) => placed[places.get(child)!]!.column
      )
      if (path.has(node) && onward.length > 0) lines.path += `M${x(column)},${y(lane)}H${x(Math.max(...onward))}`
    }
    parents.forEach((parent, at) => {
      const from = placed[places.get(parent) ?? -1]
      if (from === undefined) return
      const onPath = at === 0 && path.has(node) && path.has(parent)
      lines[onPath ? "path" : at === 0 ? "branch" : "merge"] += `M${x(column)},${y(from.lane)}V${y(lane)}`
    })
  }

  const items = placed.map((one, at) => itemOf(one, at))
  function itemOf({ column, lane, level, node }: PlacedNode, at: number): SVGGElement {
    const own = data.nodes[node]!
    const [cx, cy] = [x(column), y(lane)]
    const reward = own.childReward
    return s(
      "g",
      {
        role: "treeitem",
        tabindex: at === 0 ? 0 : -1,
        "aria-level": level,
        "aria-selected": "false",
        "aria-label": spoken(model, own),
        ...(children[node]!.length > 0 ? { "aria-expanded": "true" } : {})
      },
      own.kind === "rejected"
        ? s("path", {
            class: reward === null ? "cross hush" : "cross",
            d: `M${cx - 3.5},${cy - 3.5}l7,7M${cx + 3.5},${cy - 3.5}l-7,7`
          })
        : mark(
            own.member !== null && own.member === data.winner ? "winner" : own.kind === "accepted" ? "child" : own.kind,
            cx,
            cy,
            5.5
          ),
      own.kind === "rejected"
        ? null
        : s("text", { class: "label", x: cx - 12, y: cy + 4, "text-anchor": "end" }, labelOf(model, own))
    )
  }

  const halo = s("circle", { class: "halo", r: 11 })
  const ticks = Array.from({ length: Math.floor(data.iterations / 5) + 1 }, (_, at) => at * 5)
  const every = step * 5 < 34 ? 2 : 1
  const tree = s(
    "svg",
    {
      class: "chart tree",
      role: "tree",
      "aria-label": `Lineage: ${data.members.length} candidates and ${data.nodes.filter(({ kind }) => kind === "rejected").length} rejected proposals. Arrow keys move, left to the parent, right to the first child.`,
      width,
      height,
      viewBox: `0 0 ${width} ${height}`
    },
    s(
      "g",
      { role: "none" },
      ...ticks
        .filter((_, at) => at % every === 0)
        .flatMap((tick) => [
          s("line", { class: "grid", x1: x(tick), x2: x(tick), y1: 18, y2: height }),
          s("text", { class: "tick", x: x(tick), y: 12, "text-anchor": "middle", "aria-hidden": "true" }, tick)
        ]),
      ...Object.entries(lines).map(([name, d]) => (d === "" ? null : s("path", { class: name, d }))),
      halo
    ),
    ...items
  )

  let focused = 0
  const panel = nodePanel(model, (node) => select(places.get(node) ?? 0, true))
  let selected = -1
  const select = (at: number, focus: boolean) => {
    items[focused]!.setAttribute("tabindex", "-1")
    if (selected >= 0) items[selected]!.setAttribute("aria-selected", "false")
    focused = at
    selected = at
    const item = items[at]!
    item.setAttribute("tabindex", "0")
    item.setAttribute("aria-selected", "true")
    halo.setAttribute("cx", String(x(placed[at]!.column)))
    halo.setAttribute("cy", String(y(placed[at]!.lane)))
    if (focus) item.focus({ preventScroll: true })
    if (focus) item.scrollIntoView({ block: "nearest", inline: "nearest" })
    panel.show(placed[at]!.node)
  }
  tree.addEventListener("keydown", (event) => {
    const { level, node } = placed[focused]!
    const parent = data.nodes[node]!.parents[0]
    const next: Readonly<Record<string, number | undefined>> = {
      ArrowDown: focused + 1,
      ArrowUp: focused - 1,
      ArrowLeft: parent === undefined ? undefined : places.get(parent),
      ArrowRight: placed[focused + 1]?.level === level + 1 ? focused + 1 : undefined,
      Home: 0,
      End: items.length - 1,
      Enter: focused,
      " ": focused
    }
    if (!(event.key in next) || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const to = next[event.key]
    if (to !== undefined && to >= 0 && to < items.length) select(to, true)
  })
  const placeOfItem = new Map<Element, number>(items.map((item, at) => [item, at]))
  const marks = placed.map(({ column, lane }) => ({ x: x(column), y: y(lane) }))
  tree.addEventListener("click", (event) => {
    const item = event.target instanceof Element ? event.target.closest('[role="treeitem"]') : null
    const point = placeIn(tree, event)
    // Beside the small marks, the nearest.
    const at = (item === null ? undefined : placeOfItem.get(item)) ?? nearest(marks, point.x, point.y, 12)
    if (at !== -1) select(at, true)
  })
  // Hundreds of tooltips need not be made to show one.
  tree.addEventListener("pointerover", ({ target }) => {
    const item = target instanceof Element ? target.closest('[role="treeitem"]') : null
    if (item === null || item.querySelector("title") !== null) return
    item.prepend(s("title", {}, item.getAttribute("aria-label")))
  })

  const pan = h("div", { class: "pan" }, tree)
  into.append(
    legend([
      [markSign("seed"), "seed"],
      [markSign("child"), "accepted, with its primary value"],
      [markSign("winner"), "winner"],
      ...(data.nodes.some(({ kind }) => kind === "raced")
        ? [[markSign("raced"), "accepted, its evaluation cut short"] as const]
        : []),
      [crossSign(), "rejected proposal"],
      [lineSign("winner-path"), "columns are iterations; the thick line leads to the winner"]
    ]),
    pan,
    panel.element
  )
  const first = data.winner === null ? 0 : (places.get(data.members[data.winner]!.node) ?? 0)
  select(first, false)
  // The page stays where it is; only the drawing moves to what is selected.
  pan.scrollTop = y(placed[first]!.lane) - pan.clientHeight / 2
  pan.scrollLeft = x(placed[first]!.column) - pan.clientWidth / 2
  return (node) => select(places.get(node) ?? 0, true)
}
