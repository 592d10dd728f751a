import { visible } from "../escape.ts"

type Child = Node | string | number | null | undefined | false
type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>

const fill = <E extends Element>(element: E, attributes: Attributes, children: ReadonlyArray<Child>): E => {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue
    element.setAttribute(name, value === true ? "" : typeof value === "string" ? visible(value) : String(value))
  }
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue
    // A string becomes a text node, never markup.
    element.append(child instanceof Node ? child : visible(String(child)))
  }
  return element
}

/** An element. Attributes that are undefined, null or false are left out. */
export const h = <K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: ReadonlyArray<Child>
): HTMLElementTagNameMap[K] => fill(document.createElement(name), attributes, children)

/** An element of a drawing. */
export const s = <K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: ReadonlyArray<Child>
): SVGElementTagNameMap[K] => fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children)

/** Says something to those who hear the page. */
export const announce = (text: string): void => {
  const live = document.getElementById("live")
  if (live !== null) live.textContent = visible(text)
}

/** A colour of the scheme in force. */
export const colour = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()

let ids = 0
export const freshId = (name: string): string => `${name}-${++ids}`

/** A labelled choice. */
export const choice = (
  label: string,
  options: ReadonlyArray<readonly [value: string, text: string]>,
  chosen: string,
  changed: (value: string) => void
): HTMLLabelElement => {
  const select = h(
    "select",
    {},
    ...options.map(([value, text]) => h("option", { value, selected: value === chosen }, text))
  )
  select.addEventListener("change", () => changed(select.value))
  return h("label", {}, label, select)
}

export const clear = (element: Element): void => element.replaceChildren()

/**
 * How wide a drawing is made, so that its letters are as large as those around it: what a panel in `into` has room for,
 * when as many as `beside` stand side by side where there is room.
 */
export const roomIn = (into: Element, beside = 1, most = 820): number => {
  const whole = into.clientWidth || 720
  const columns = Math.min(beside, Math.max(1, Math.floor((whole + 16) / (416 + 16))))
  return Math.round(Math.min(most, Math.max(280, (whole - 16 * (columns - 1)) / columns - 34)))
}
