import { visible } from "../escape.ts"
import { rampColour } from "../palette.ts"
import { announce, choice, clear, colour, h } from "./dom.ts"
import { type HeatGroup, heatGroups, instanceOf } from "./heatColumns.ts"
import { type Model, memberOptions } from "./model.ts"
import { scoreText, share } from "./words.ts"

const gutter = 118
const header = 22
const gap = 3

const ramp = () => Array.from({ length: 7 }, (_, at) => colour(`ramp${at}`))

interface Sizes {
  readonly cell: number
  readonly row: number
  readonly width: number
  readonly height: number
  /** The left edge of each column. */
  readonly left: ReadonlyArray<number>
}

const sizesOf = (groups: ReadonlyArray<HeatGroup>, rows: number, room: number): Sizes => {
  const columns = groups.reduce((sum, { columns }) => sum + columns.length, 0)
  const fitting = Math.floor((room - gutter - gap * groups.length) / Math.max(1, columns))
  const cell = Math.min(24, Math.max(4, fitting))
  const row = rows > 40 ? 12 : 18
  const left: Array<number> = []
  let x = gutter
  for (const group of groups) {
    for (const _ of group.columns) {
      left.push(x)
      x += cell
    }
    x += gap
  }
  return { cell, row, width: x, height: header + rows * row + 2, left }
}

const channelsOf = (shade: string): readonly [number, number, number] => [
  Number.parseInt(shade.slice(1, 3), 16),
  Number.parseInt(shade.slice(3, 5), 16),
  Number.parseInt(shade.slice(5, 7), 16)
]

/** The rewards as a picture of one point a cell. */
const cellPoints = (
  model: Model,
  rows: ReadonlyArray<number>,
  columns: ReadonlyArray<number>,
  missing: string
): HTMLCanvasElement => {
  const small = h("canvas", { width: columns.length, height: rows.length })
  const pen = small.getContext("2d")!
  const picture = pen.createImageData(columns.length, rows.length)
  const stops = ramp()
  const known = new Map<number, readonly [number, number, number]>()
  const none = channelsOf(missing)
  let at = 0
  for (const member of rows) {
    const rewards = model.rewards(member)
    for (const instance of columns) {
      const reward = rewards[instance]!
      let shade = Number.isNaN(reward) ? none : known.get(reward)
      if (shade === undefined) {
        shade = channelsOf(rampColour(stops, reward))
        known.set(reward, shade)
      }
      picture.data.set(shade, at)
      picture.data[at + 3] = 255
      at += 4
    }
  }
  pen.putImageData(picture, 0, 0)
  return small
}

/** A text cut so that it takes no more room than there is. */
const cut = (pen: CanvasRenderingContext2D, text: string, room: number): string => {
  if (pen.measureText(text).width <= room) return text
  let end = text.length
  while (end > 0 && pen.measureText(`${text.slice(0, end)}…`).width > room) end = Math.floor(end * 0.8)
  return end === 0 ? "" : `${text.slice(0, end)}…`
}

/** Candidates by instances. Gives what draws it again, as after a change of scheme. */
export const drawHeat = (
  model: Model,
  into: Element,
  openPair: (pair: number, member: number) => void
): (() => void) => {
  const { data } = model
  const rows = memberOptions(model).map(([member]) => Number(member))
  if (rows.length === 0 || model.index.instances.length === 0) {
    into.append(h("p", { class: "empty" }, "There is no instance to show."))
    return () => undefined
  }
  let groups: ReadonlyArray<HeatGroup> = []
  let columns: ReadonlyArray<number> = []
  let groupOf: ReadonlyArray<number> = []
  let sizes: Sizes
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

  const paint = () => {
    const scale = Math.min(2, window.devicePixelRatio || 1, Math.sqrt(24e6 / (sizes.width * sizes.height)))
    canvas.width = Math.ceil(sizes.width * scale)
    canvas.height = Math.ceil(sizes.height * scale)
    canvas.style.width = `${sizes.width}px`
    canvas.style.height = `${sizes.height}px`
    const pen = canvas.getContext("2d")!
    pen.scale(scale, scale)
    const [ink, soft, missing, page, band] = ["ink", "soft", "missing", "card", "edge"].map(colour) as [
      string,
      string,
      string,
      string,
      string
    ]
    pen.fillStyle = page
    pen.fillRect(0, 0, sizes.width, sizes.height)
    const { cell: wide, left, row: high } = sizes
    const gapped = wide > 5 ? 1 : 0
    // One point for each cell first, which the browser then makes large: a hundred thousand rectangles take a second.
    const points = cellPoints(model, rows, columns, missing)
    pen.imageSmoothingEnabled = false
    let from = 0
    for (const group of groups) {
      const many = group.columns.length
      pen.drawImage(points, from, 0, many, rows.length, left[from]!, header, many * wide, rows.length * high)
      from += many
    }
    pen.fillStyle = page
    for (let row = 1; row <= rows.length; row++) pen.fillRect(gutter, header + row * high - 1, sizes.width, 1)
    if (gapped === 1) for (const x of left) pen.fillRect(x + wide - 1, header, 1, rows.length * high)
    rows.forEach((member, row) => {
      const rewards = model.rewards(member)
      const y = header + row * high
      columns.forEach((instance, column) => {
        const reward = rewards[instance]!
        if (Number.isNaN(reward)) {
          pen.fillStyle = ink
          pen.fillRect(left[column]!, y + high / 2 - 1, wide - gapped, 1)
        } else if (reward === 0 && unread(member, instance)) {
          pen.fillStyle = "#ffffff"
          pen.fillRect(left[column]! + wide / 2 - 1.5, y + high / 2 - 1.5, 3, 3)
        }
      })
    })
    pen.font = "12px system-ui, sans-serif"
    pen.textBaseline = "middle"
    rows.forEach((member, row) => {
      pen.fillStyle = member === data.winner ? ink : soft
      pen.fillText(
        cut(pen, visible(`${member === data.winner ? "★ " : ""}${model.names[member]}`), gutter - 10),
        2,
        header + row * high + high / 2,
        gutter - 8
      )
    })
    let column = 0
    groups.forEach((group, place) => {
      const from = left[column]!
      const width = group.columns.length * wide
      pen.fillStyle = place % 2 === 0 ? soft : band
      pen.fillRect(from, header - 4, width - 1, 2)
      pen.fillText(cut(pen, visible(group.name), width - 2), from, 8)
      column += group.columns.length
    })
  }

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
    sizes = sizesOf(groups, rows.length, Math.max(320, into.clientWidth - 4))
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
