import { visible } from "../escape.ts"
import { namesFor } from "../heatNames.ts"
import { rampColour } from "../palette.ts"
import { colour, h } from "./dom.ts"
import type { HeatGroup } from "./heatColumns.ts"
import type { Model } from "./model.ts"

const gutter = 118
export const header = 22
const gap = 3

export const ramp = () => Array.from({ length: 7 }, (_, at) => colour(`ramp${at}`))

export interface HeatSizes {
  readonly cell: number
  readonly row: number
  readonly width: number
  readonly height: number
  /** The left edge of each column. */
  readonly left: ReadonlyArray<number>
}

/** Places of rows and columns in so many pixels of width, as far as they fit. */
export const heatSizes = (groups: ReadonlyArray<HeatGroup>, rows: number, room: number): HeatSizes => {
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

/** A text cut so that it takes no more room than there is; nothing where not even a few letters of it have room. */
const cut = (pen: CanvasRenderingContext2D, text: string, room: number): string => {
  // To measure takes longer than to draw.
  if (room < 14) return ""
  const wide = pen.measureText(text).width
  if (wide <= room) return text
  let end = Math.floor((text.length * room) / wide)
  while (end > 0 && pen.measureText(`${text.slice(0, end)}…`).width > room) end -= 1
  return end === 0 ? "" : `${text.slice(0, end)}…`
}

export interface HeatPicture {
  /** Members from top to bottom. */
  readonly rows: ReadonlyArray<number>
  readonly groups: ReadonlyArray<HeatGroup>
  readonly sizes: HeatSizes
  /** Whether a reply that a reward hangs on could not be read. */
  readonly unread: (member: number, instance: number) => boolean
}

/** Paints rewards, names of candidates and names of groups. */
export const paintHeat = (
  canvas: HTMLCanvasElement,
  model: Model,
  { groups, rows, sizes, unread }: HeatPicture
): void => {
  const { data } = model
  const columns = groups.flatMap((group) => group.columns)
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
    pen.fillStyle = place % 2 === 0 ? soft : band
    pen.fillRect(left[column]!, header - 4, group.columns.length * wide - 1, 2)
    column += group.columns.length
  })
  // The colour of edges is too faint for letters.
  pen.fillStyle = soft
  const starts = groups.map((_, at) => left[groups.slice(0, at).reduce((sum, { columns }) => sum + columns.length, 0)]!)
  for (const { at, room } of namesFor(starts, sizes.width - gap))
    pen.fillText(cut(pen, visible(groups[at]!.name), room), starts[at]!, 8)
}
