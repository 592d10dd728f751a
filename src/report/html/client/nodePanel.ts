import { wilson } from "../../../statistics/wilson.ts"
import type { ReportNode } from "../ReportData.ts"
import { comparisonText } from "./compare.ts"
import { diffView, textView } from "./diffView.ts"
import { clear, h } from "./dom.ts"
import type { Model } from "./model.ts"
import { bounds, integer, plural, scoreText, share } from "./words.ts"

const statusOf = (model: Model, node: ReportNode): string => {
  if (node.kind === "seed") return "seed"
  const rewards =
    node.parentReward !== null && node.childReward !== null
      ? `: mean reward ${share(node.childReward)} against the parent’s ${share(node.parentReward)} on the same ${plural(node.compared, "note")} of the minibatch`
      : ""
  if (node.kind === "raced") return `accepted${rewards}; ${node.detail}`
  if (node.kind === "accepted") return `accepted${node.member === model.data.winner ? ", the winner" : ""}${rewards}`
  return `rejected, ${node.reason ?? "no reason"}${rewards}`
}

const rate = (k: number, n: number): string => (n === 0 ? "–" : `${k} of ${n}, ${share(k / n)} ${bounds(wilson(k, n))}`)

const facts = (model: Model, node: ReportNode, go: (node: number) => void): HTMLElement => {
  const { data } = model
  const rows: Array<readonly [string, Node | string]> = [["status", statusOf(model, node)]]
  if (node.kind === "rejected" && node.detail !== "") rows.push(["in words", node.detail])
  if (node.parents.length > 0) {
    const links = node.parents.map((parent) => {
      const button = h("button", { type: "button" }, data.nodes[parent]!.name)
      button.addEventListener("click", () => go(parent))
      return button
    })
    rows.push([links.length === 1 ? "parent" : "parents", h("span", {}, ...links)])
  }
  if (node.kind !== "seed") rows.push(["made by", `${node.origin}, iteration ${node.iteration}`])
  if (node.id !== null) rows.push(["id", node.id])
  if (node.member !== null) {
    const { characters, figures, leads } = data.members[node.member]!
    const { detection, discrimination } = figures
    rows.push(
      [`primary, ${data.primary.name.replace("-", " ")}`, `${share(figures.primary)}`],
      [
        "paired discrimination",
        `${share(discrimination.value)} ${bounds(discrimination.interval)}, n = ${discrimination.pairs} pairs: ${discrimination.wins} won, ${discrimination.ties} tied, ${discrimination.losses} lost`
      ]
    )
    if (data.secondary !== null)
      rows.push([`secondary, ${data.secondary.name.replace("-", " ")}`, share(figures.secondary)])
    if (detection !== null)
      rows.push(
        [`detection below ${scoreText(detection.threshold)}`, rate(detection.detected, detection.flawed)],
        ["false alarms there", rate(detection.falseAlarms, detection.clean)]
      )
    rows.push(
      ["mean reward", share(figures.reward)],
      [
        "leads",
        `${plural(leads, "instance")} of ${model.index.instances.length}${leads === 0 ? ", off the frontier" : ""}`
      ],
      ["length", `${integer(characters)} characters`],
      ["without a score", `${figures.unparsed} unreadable, ${figures.failed} failed`]
    )
    const parent = node.parents[0] === undefined ? null : data.nodes[node.parents[0]]!.member
    if (parent !== null) rows.push(["against the parent", comparisonText(model, node.member, parent)])
    const { baseline } = data
    if (baseline !== null && baseline !== node.member && baseline !== parent)
      rows.push([`against ${model.names[baseline]}`, comparisonText(model, node.member, baseline)])
  }
  return h("dl", { class: "facts" }, ...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]))
}

type Mode = "difference" | "text"

const textsOf = (model: Model, node: ReportNode, mode: Mode): ReadonlyArray<Node> => {
  const { data } = model
  if (node.texts.length === 0) {
    return node.reply === null
      ? [h("p", { class: "note" }, "It holds no instruction, or none that this report keeps.")]
      : [
          h("p", { class: "note" }, "No instruction could be read from the answer, which begins so:"),
          textView(model.text(node.reply), "The reflection model’s answer")
        ]
  }
  const parent = node.parents[0] === undefined ? undefined : data.nodes[node.parents[0]]!
  const many = node.texts.length > 1
  return node.texts.flatMap(([module, at]): ReadonlyArray<Node> => {
    const own = model.text(at)
    const before = parent?.texts.find(([name]) => name === module)?.[1]
    const head = many ? [h("h4", {}, `Module ${module}`)] : []
    if (mode === "text" || before === undefined) return [...head, textView(own, `Instruction of ${node.name}`)]
    if (before === at) return [...head, h("p", { class: "note" }, "The same as the parent’s.")]
    return [...head, diffView(model.text(before), own, `Instruction of ${node.name}, changes to its parent marked`)]
  })
}

/** The panel that says all of one node. `go` selects another. */
export const nodePanel = (model: Model, go: (node: number) => void) => {
  const element = h("div", { class: "panel", "aria-live": "off" })
  let mode: Mode = "difference"
  let shown = -1
  const show = (at: number) => {
    shown = at
    clear(element)
    const node = model.data.nodes[at]!
    const hasParent = node.parents.length > 0 && node.texts.length > 0
    const modes = (["difference", "text"] as const).map((one) => {
      const button = h(
        "button",
        { type: "button", "aria-pressed": String(one === mode) },
        one === "difference" ? "Changes to the parent" : "Text alone"
      )
      button.addEventListener("click", () => {
        mode = one
        show(shown)
        const again = element.querySelector<HTMLElement>('[aria-pressed="true"]')
        again?.focus()
      })
      return button
    })
    element.append(
      h("h3", {}, node.name),
      facts(model, node, go),
      ...(hasParent ? [h("div", { class: "controls" }, ...modes)] : []),
      ...(hasParent && mode === "difference"
        ? [h("p", { class: "note" }, h("del", {}, "only in the parent"), " ", h("ins", {}, "only in this one"))]
        : []),
      ...textsOf(model, node, mode)
    )
  }
  return { element, show }
}
