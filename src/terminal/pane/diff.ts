import type { DiffChoice } from "../diffChoice.ts"
import { firstThatFits } from "../fitted.ts"
import { integer } from "../format.ts"
import { type Line, span, type Tone } from "../line.ts"
import type { PromptDiff } from "../promptDiff.ts"
import type { RunView } from "../RunView.ts"
import { whereOf, windowOf } from "../scrolling.ts"
import type { Ui } from "../ui.ts"
import { fit, widthOf } from "../width.ts"
import type { PaneFrame } from "./PaneFrame.ts"

type Kind = PromptDiff["modules"][number]["stretches"][number]["kind"]

const brackets: Readonly<Record<Kind, readonly [open: string, close: string, tone: Tone | undefined]>> = {
  same: ["", "", undefined],
  removed: ["[-", "-]", "bad"],
  added: ["{+", "+}", "good"]
}

interface Wrapped {
  readonly lines: ReadonlyArray<Line>
  /** Lines on which a change begins. */
  readonly marks: ReadonlyArray<number>
}

/** Text wrapped between words, each piece of a change in brackets that need no colour. */
class Wrapping {
  readonly lines: Array<Line> = []
  readonly marks: Array<number> = []
  readonly #width: number
  #line: Array<Line[number]> = []
  #used = 0
  constructor(width: number) {
    this.#width = width
  }

  heading(line: Line): void {
    this.lines.push(line)
  }

  end(): void {
    this.lines.push(this.#line)
    this.#line = []
    this.#used = 0
  }

  add(kind: Kind, text: string): void {
    const [open, close, tone] = brackets[kind]
    const space = open.length + close.length
    if (kind !== "same") this.#mark()
    let piece = ""
    const flush = () => {
      if (piece !== "") this.#line.push(span(open + piece + close, tone))
      piece = ""
    }
    this.#used += space
    for (const token of text.split(/(\n|[^\S\n]+)/)) {
      if (token === "\n") {
        // Where nothing but a line break changed, its brackets are all there is to see.
        if (kind !== "same" && text.trim() === "" && piece === "") piece = " "
        flush()
        this.end()
        this.#used = space
        continue
      }
      if (token === "") continue
      for (const part of this.#parts(token.replaceAll("\t", "    "))) {
        const size = widthOf(part)
        if (this.#used > space && this.#used + size > this.#width && part.trim() !== "") {
          piece = piece.trimEnd()
          flush()
          this.end()
          this.#used = space
        }
        piece += part
        this.#used += size
      }
    }
    flush()
  }

  /** A word longer than a line goes on the next. */
  #parts(token: string): ReadonlyArray<string> {
    const most = Math.max(8, this.#width - 4)
    if (widthOf(token) <= most) return [token]
    const parts: Array<string> = []
    let rest = token
    while (widthOf(rest) > most) {
      const head = fit(rest, most).slice(0, -1)
      if (head === "") break
      parts.push(head)
      rest = rest.slice(head.length)
    }
    return [...parts, rest]
  }

  #mark(): void {
    if (this.marks.at(-1) !== this.lines.length) this.marks.push(this.lines.length)
  }
}

const wrap = (diff: PromptDiff, width: number, whole: boolean): Wrapped => {
  const wrapping = new Wrapping(width)
  const several = diff.modules.length > 1
  for (const { changed, module, stretches } of diff.modules) {
    if (several)
      wrapping.heading([span(`module ${fit(module, 40)}`, "bold"), span(changed || whole ? "" : ": unchanged", "dim")])
    if (several && !changed && !whole) continue
    for (const { kind, text } of stretches) wrapping.add(kind, text)
  }
  return { lines: wrapping.lines, marks: wrapping.marks }
}

const wrapped = new WeakMap<PromptDiff, { readonly width: number; readonly found: Wrapped }>()

/** A seed has nothing to differ from, and is shown whole. */
const wrappedOnce = ({ diff, lengths: [before] }: DiffChoice, width: number): Wrapped => {
  const known = wrapped.get(diff)
  if (known?.width === width) return known.found
  const found = wrap(diff, width, before === null)
  wrapped.set(diff, { width, found })
  return found
}

const heading = (
  { against, diff, iteration, lengths, name, parents }: DiffChoice,
  where: string,
  width: number
): ReadonlyArray<Line> => {
  const [before, after] = lengths
  const made = iteration === 0 ? "" : `, iteration ${iteration}`
  const from =
    parents.length === 0
      ? "a seed, whole"
      : parents.length === 1
        ? `against its parent ${fit(parents[0]!, 30)}`
        : `merged from ${parents.map((parent) => fit(parent, 20)).join(" + ")}; against ${fit(parents[against]!, 20)}`
  const size = before === null ? integer(after) : `${integer(before)} → ${integer(after)}`
  const changes = before === null ? "" : `, words +${integer(diff.added)} −${integer(diff.removed)}`
  return [
    [span(`Diff${where}`, "bold"), span(`  ${fit(name, 40)}${made}`), span(`, ${from}`, "dim")],
    [
      span(`${size} characters${changes}  `, "dim"),
      ...(before === null
        ? []
        : [
            span("[-gone-]", "bad"),
            span(" "),
            span("{+new+}", "good"),
            // The line above names the parent, too.
            span(firstThatFits(width - size.length - changes.length - 29, [" since the parent", ""]), "dim")
          ])
    ]
  ]
}

/** A prompt against its parent's, word by word. */
export const diffPane = (view: RunView, ui: Ui, width: number, room: number): PaneFrame => {
  const shown = view.diff(ui.chosen, ui.parent)
  const { candidates } = view
  if (shown === undefined)
    return {
      lines: [[span("Diff", "bold")], [span("  no candidate has been judged yet", "dim")]],
      scrolling: { max: 0, page: 1 }
    }
  const { lines, marks } = wrappedOnce(shown, width)
  const page = Math.max(1, room - 2)
  const seen = windowOf(lines.length, page, ui.scroll.diff)
  return {
    lines: [...heading(shown, whereOf(seen, lines.length), width), ...lines.slice(seen.first, seen.first + page)],
    scrolling: {
      max: seen.max,
      page,
      candidates,
      chosen: shown.id === undefined ? -1 : candidates.indexOf(shown.id),
      marks,
      otherParent: shown.parents.length > 1
    }
  }
}
