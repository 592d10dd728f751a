import { signTest } from "../../../statistics/signTest.ts"
import { visible } from "../escape.ts"
import { comparisonText } from "./compare.ts"
import { diffView, textView } from "./diffView.ts"
import { choice, clear, freshId, h } from "./dom.ts"
import { type Model, memberOptions } from "./model.ts"
import { plural, pValue, scoreText } from "./words.ts"

type Filter = "gained" | "lost" | "flips" | "all"

const right = (outcome: number) => outcome === 1

/** The browser of flips. Gives what opens a pair from elsewhere. */
export const drawFlips = (model: Model, into: Element): ((pair: number, member: number) => void) => {
  const { data, names } = model
  const options = memberOptions(model)
  if (options.length < 2 || data.table.pairs.length === 0) {
    into.append(h("p", { class: "empty" }, "There are no two candidates with scores of the same pairs."))
    return () => undefined
  }
  let one = data.winner ?? Number(options[0]![0])
  let other = data.baseline ?? Number(options.find(([member]) => Number(member) !== one)![0])
  let filter: Filter = "flips"
  let pairs: ReadonlyArray<number> = []
  let at = 0
  const words = h("p", {})
  const list = h("ul", { class: "list", role: "listbox", "aria-label": "Pairs" })
  const panel = h("div", { class: "panel" })
  const id = freshId("pair")

  const flip = (pair: number): "gained" | "lost" | "same" | "unknown" => {
    const [mine, theirs] = [model.outcome(one, pair), model.outcome(other, pair)]
    if (Number.isNaN(mine) || Number.isNaN(theirs)) return "unknown"
    return right(mine) === right(theirs) ? "same" : right(mine) ? "gained" : "lost"
  }

  const scoresOf = (member: number, pair: number) => {
    const { clean, flawed } = model.index.pairs[pair]!
    const scores = model.scores(member)
    const text = (item: number) => (model.unreadable(member, item) ? "unreadable" : scoreText(scores[item]!))
    return { flawed: text(flawed), clean: text(clean) }
  }

  const judged = (member: number, pair: number): ReadonlyArray<HTMLElement> => {
    const { clean, flawed } = scoresOf(member, pair)
    const outcome = model.outcome(member, pair)
    const verdict = Number.isNaN(outcome)
      ? "cannot be ranked"
      : outcome === 1
        ? "right"
        : outcome === 0.5
          ? "a tie"
          : "wrong"
    const items = model.index.pairs[pair]!
    const reasons = (
      [
        ["flawed note", items.flawed],
        ["clean note", items.clean]
      ] as const
    ).flatMap(([name, item]) => {
      const text = data.reasons[member]?.[item]
      return text === undefined
        ? []
        : [h("p", { class: "note" }, `Of the ${name}: “`, h("bdi", {}, model.text(text)), "”")]
    })
    return [
      h(
        "p",
        {},
        h("b", {}, names[member]!),
        `: flawed ${flawed}, clean ${clean}, `,
        h("span", { class: outcome === 1 ? "gain" : "loss" }, verdict)
      ),
      ...reasons
    ]
  }

  const show = () => {
    clear(panel)
    const pair = pairs[at]
    if (pair === undefined) {
      panel.append(h("p", {}, "No pair of this kind."))
      return
    }
    const label = data.table.pairs[pair]!
    const { clean, flawed } = model.index.pairs[pair]!
    const about = data.pairs[pair]
    const [cleanText, flawedText] = [data.notes[clean] ?? -1, data.notes[flawed] ?? -1]
    panel.append(
      h("h3", {}, h("bdi", {}, label.id)),
      h(
        "p",
        {},
        ...[label.class, label.trace, label.severity, label.stratum].flatMap((word) =>
          word === undefined ? [] : [h("span", { class: "tag" }, word), " "]
        )
      ),
      ...judged(one, pair),
      ...judged(other, pair)
    )
    if (about?.fact !== undefined) panel.append(h("p", {}, h("b", {}, "What it is about: "), h("bdi", {}, about.fact)))
    for (const mention of about?.residual ?? [])
      panel.append(h("p", { class: "note" }, "Left in the flawed note: “", h("bdi", {}, mention), "”"))
    if (cleanText === -1 || flawedText === -1) {
      panel.append(h("p", { class: "empty" }, data.withoutTexts ?? "The notes of this pair are not in this report."))
      return
    }
    panel.append(
      h(
        "p",
        { class: "note" },
        "From the clean note to the flawed one: ",
        h("del", {}, "only in the clean note"),
        " ",
        h("ins", {}, "only in the flawed note")
      ),
      diffView(
        model.text(cleanText),
        model.text(flawedText),
        "The clean note turned into the flawed one, differences marked"
      ),
      h(
        "details",
        {},
        h("summary", {}, "The flawed note by itself"),
        textView(model.text(flawedText), "The flawed note")
      )
    )
  }

  const choose = (place: number, focus: boolean) => {
    const items = list.children
    items[at]?.setAttribute("aria-selected", "false")
    items[at]?.setAttribute("tabindex", "-1")
    at = place
    const item = items[at]
    item?.setAttribute("aria-selected", "true")
    item?.setAttribute("tabindex", "0")
    if (focus && item instanceof HTMLElement) {
      item.focus({ preventScroll: true })
      item.scrollIntoView({ block: "nearest" })
    }
    show()
  }

  const fill = (wanted?: number) => {
    const all = data.table.pairs.map((_, pair) => pair)
    const by = Map.groupBy(all, flip)
    const [gained, lost] = [by.get("gained") ?? [], by.get("lost") ?? []]
    const both = gained.length + lost.length + (by.get("same")?.length ?? 0)
    words.replaceChildren(
      visible(
        `Of ${plural(both, "pair")} that both have scores for, ${names[one]} orders ${gained.length} right that ${names[other]} does not, and the reverse for ${lost.length}; sign test ${pValue(signTest(gained.length, lost.length))}, ties counted as not right. `
      ),
      comparisonText(
        model,
        one,
        other,
        (comparison) =>
          `With ties as one half, paired discrimination differs on the classes of the primary measure by ${comparison}.`
      )
    )
    pairs = filter === "gained" ? gained : filter === "lost" ? lost : filter === "flips" ? [...gained, ...lost] : all
    clear(list)
    list.append(
      ...pairs.map((pair, place) => {
        const label = data.table.pairs[pair]!
        const kind = flip(pair)
        return h(
          "li",
          { role: "option", id: `${id}-${place}`, tabindex: -1, "aria-selected": "false" },
          h(
            "span",
            { class: kind === "gained" ? "gain" : kind === "lost" ? "loss" : "" },
            kind === "gained" ? "▲ gained" : kind === "lost" ? "▼ lost" : kind === "same" ? "alike" : "no score"
          ),
          h("bdi", {}, label.id),
          h(
            "span",
            { class: "note" },
            [label.class, label.trace, label.severity].filter((word) => word !== undefined).join(", ")
          )
        )
      })
    )
    at = 0
    choose(Math.max(0, wanted === undefined ? 0 : pairs.indexOf(wanted)), false)
  }

  list.addEventListener("keydown", (event) => {
    const to: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: pairs.length - 1,
      PageDown: Math.min(pairs.length - 1, at + 8),
      PageUp: Math.max(0, at - 8)
    }
    const next = to[event.key]
    if (next === undefined || event.ctrlKey || event.altKey || event.metaKey) return
    event.preventDefault()
    if (next >= 0 && next < pairs.length) choose(next, true)
  })
  list.addEventListener("click", (event) => {
    const item = event.target instanceof Element ? event.target.closest('[role="option"]') : null
    const place = item === null ? -1 : [...list.children].indexOf(item)
    if (place >= 0) choose(place, true)
  })

  const controls = h("div", { class: "controls" })
  const rebuild = () => {
    clear(controls)
    controls.append(
      choice("Candidate", options, String(one), (value) => {
        one = Number(value)
        fill()
      }),
      choice("Against", options, String(other), (value) => {
        other = Number(value)
        fill()
      }),
      choice(
        "Pairs",
        [
          ["flips", "gained and lost"],
          ["gained", "gained"],
          ["lost", "lost"],
          ["all", "all"]
        ],
        filter,
        (value) => {
          filter = value as Filter
          fill()
        }
      )
    )
  }
  rebuild()
  into.append(controls, words, h("div", { class: "browse" }, list, panel))
  fill()
  return (pair, member) => {
    one = member
    if (other === one)
      other =
        data.baseline !== null && data.baseline !== one
          ? data.baseline
          : Number(options.find(([value]) => Number(value) !== one)![0])
    filter = "all"
    rebuild()
    fill(pair)
    into.closest("section")?.scrollIntoView({ block: "start" })
    const item = list.children[at]
    if (item instanceof HTMLElement) item.focus({ preventScroll: true })
    item?.scrollIntoView({ block: "nearest" })
  }
}
