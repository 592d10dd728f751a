import { visible } from "../escape.ts"
import { rampColour } from "../palette.ts"
import { announce, choice, clear, h } from "./dom.ts"
import { type HeatGroup, heatGroups, instanceOf } from "./heatColumns.ts"
import { type HeatSizes, header, heatSizes, paintHeat, ramp } from "./heatPaint.ts"
import { type Model, memberOptions } from "./model.ts"
import { scoreText, share } from "./words.ts"

/** Candidates by instances. Gives what draws it again, as after a change of scheme. */
export const drawHeat = (
  model: Model,
  into: Element,
  openPair: (pair: number, member: number) => void
): (() => void) => {
  const rows = memberOptions(model).map(([member]) => Number(member))
  if (rows.length === 0 || model.index.instances.length === 0) {
    into.append(h("p", { class: "empty" }, "There is no instance to show."))
    return () => undefined
  }
  let groups: ReadonlyArray<HeatGroup> = []
  let columns: ReadonlyArray<number> = []
  let groupOf: ReadonlyArray<number> = []
  let sizes: HeatSizes
  let at = { row: 0, column: 0 }
  const canvas = h("canvas", { "aria-hidden": "true" })
  const cell = h("div", { role: "gridcell", tabindex: 0, class: "cell" })
  const rowElement = h("div", { role: "row" }, cell)
  const grid = h(
    "div",
    {
      class: "grid-wrap",
      role: "grid",
      "aria-label":
        "Rewards: candidates in rows, instances in columns. Arrow keys move, page up and down by consultation or class, enter opens the pair under Flips. A table of means follows."
    },
    canvas,
    rowElement
  )
  const readout = h("p", { class: "readout" })

  const unread = (member: number, instance: number): boolean => {
    const { item, twin } = instanceOf(model, instance)
    return model.unreadable(member, item) || (twin !== undefined && model.unreadable(member, twin))
  }

  const paint = () => paintHeat(canvas, model, { rows, groups, sizes, unread })

  const words = (): string => {
    const member = rows[at.row]!
    const instance = columns[at.column]!
    const { consultation, id, item, pair, twin, words } = instanceOf(model, instance)
    const scores = model.scores(member)
    const reward = model.rewards(member)[instance]!
    const own = model.unreadable(member, item) ? "reply unreadable" : `score ${scoreText(scores[item]!)}`
    const twins =
      twin === undefined
        ? ""
        : model.unreadable(member, twin)
          ? ", its clean twin’s reply unreadable"
          : `, its clean twin ${scoreText(scores[twin]!)}`
    return `${model.names[member]}; consultation ${consultation}; ${words}${pair === undefined ? "" : `, pair ${id}`}: ${own}${twins}; reward ${Number.isNaN(reward) ? "none, a call failed" : share(reward)}`
  }

  const place = () => {
    cell.style.left = `${sizes.left[at.column]!}px`
    cell.style.top = `${header + at.row * sizes.row}px`
    cell.style.width = `${sizes.cell - (sizes.cell > 5 ? 1 : 0)}px`
    cell.style.height = `${sizes.row - 1}px`
    rowElement.setAttribute("aria-rowindex", String(at.row + 1))
    cell.setAttribute("aria-colindex", String(at.column + 1))
    const text = visible(words())
    cell.setAttribute("aria-label", text)
    readout.textContent = text
  }

  const arrange = (by: "consultation" | "class") => {
    groups = heatGroups(model, by)
    columns = groups.flatMap((group) => group.columns)
    groupOf = groups.flatMap((group, at) => group.columns.map(() => at))
    sizes = heatSizes(groups, rows.length, Math.max(320, into.clientWidth - 4))
    grid.setAttribute("aria-rowcount", String(rows.length))
    grid.setAttribute("aria-colcount", String(columns.length))
    at = { row: 0, column: 0 }
    paint()
    place()
  }

  const move = (row: number, column: number) => {
    at = {
      row: Math.min(rows.length - 1, Math.max(0, row)),
      column: Math.min(columns.length - 1, Math.max(0, column))
    }
    place()
    cell.scrollIntoView({ block: "nearest", inline: "nearest" })
    announce(words())
  }
  /** The first column of the group before or after. */
  const leap = (by: number): number => {
    const wanted = groupOf[at.column]! + by
    const first = groupOf.indexOf(wanted)
    return first === -1 ? (by < 0 ? 0 : columns.length - 1) : first
  }
  grid.addEventListener("keydown", (event) => {
    const { column, row } = at
    const keys: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => move(row, column - 1),
      ArrowRight: () => move(row, column + 1),
      ArrowUp: () => move(row - 1, column),
      ArrowDown: () => move(row + 1, column),
      Home: () => move(event.ctrlKey ? 0 : row, 0),
      End: () => move(event.ctrlKey ? rows.length - 1 : row, columns.length - 1),
      PageDown: () => move(row, leap(1)),
      PageUp: () => move(row, leap(-1)),
      Enter: () => {
        const { pair } = instanceOf(model, columns[column]!)
        if (pair !== undefined) openPair(pair, rows[row]!)
      }
    }
    const act = keys[event.key]
    if (act === undefined || event.altKey || event.metaKey) return
    event.preventDefault()
    act()
  })
  const under = (event: MouseEvent) => {
    const box = canvas.getBoundingClientRect()
    const x = (event.clientX - box.left) * (sizes.width / box.width)
    const y = (event.clientY - box.top) * (sizes.height / box.height)
    const row = Math.floor((y - header) / sizes.row)
    const column = sizes.left.findLastIndex((left) => left <= x)
    if (row < 0 || row >= rows.length || column < 0 || x > sizes.left[column]! + sizes.cell) return undefined
    return { row, column }
  }
  canvas.addEventListener("mousemove", (event) => {
    const found = under(event)
    if (found === undefined || document.activeElement === cell) return
    at = found
    place()
  })
  canvas.addEventListener("click", (event) => {
    const found = under(event)
    if (found === undefined) return
    at = found
    place()
    cell.focus({ preventScroll: true })
  })

  const key = h("canvas", { width: 140, height: 14, "aria-hidden": "true" })
  const paintKey = () => {
    const pen = key.getContext("2d")!
    const stops = ramp()
    for (let x = 0; x < 140; x++) {
      pen.fillStyle = rampColour(stops, x / 139)
      pen.fillRect(x, 0, 1, 14)
    }
  }
  const controls = h(
    "div",
    { class: "controls" },
    choice(
      "Group by",
      [
        ["consultation", "consultation, then class"],
        ["class", "class, then consultation"]
      ],
      "consultation",
      (value) => arrange(value === "class" ? "class" : "consultation")
    ),
    h("span", { class: "ramp note" }, "reward 0", key, "1"),
    h("span", { class: "note" }, "grey with a line: a call failed; white dot: a reply could not be read")
  )
  clear(into)
  into.append(controls, h("div", { class: "pan" }, grid), readout)
  paintKey()
  arrange("consultation")
  return () => {
    paintKey()
    paint()
  }
}
