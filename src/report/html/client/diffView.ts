import { wordDifference } from "../../../dataset/difference.ts"
import { visible } from "../escape.ts"
import { h } from "./dom.ts"
import { later } from "./later.ts"

/** Texts that take longer are taken to differ in all that follows their common start. */
const timeoutMs = 400

const known = new Map<string, ReturnType<typeof wordDifference>>()

/** Two texts as one, with what is only in the first struck out and what is only in the second underlined. */
export const diffView = (before: string, after: string, label: string): HTMLElement => {
  const key = `${before.length}:${before}${after}`
  const fill = (element: Element) => {
    const stretches = known.get(key) ?? wordDifference(before, after, timeoutMs)
    if (known.size > 40) known.clear()
    known.set(key, stretches)
    element.replaceChildren(
      ...stretches.map(({ kind, text }) =>
        kind === "same" ? visible(text) : h(kind === "removed" ? "del" : "ins", {}, text)
      )
    )
  }
  const element = h("div", { class: "text", tabindex: 0, role: "region", "aria-label": label }, after)
  if (known.has(key)) fill(element)
  else later(element, fill)
  return element
}

export const textView = (text: string, label: string): HTMLElement =>
  h("div", { class: "text", tabindex: 0, role: "region", "aria-label": label }, text)
