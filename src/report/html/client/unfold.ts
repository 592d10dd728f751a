/** A part whose content the page's template wrote into a `noscript`, as markup: see `details` in `markup.ts`. */
const unfold = (one: Element): void => {
  const folded = one.querySelector(":scope > noscript")
  // What stands there is the page's own markup, escaped when the page was made; here it is only parsed later.
  if (folded === null) return
  folded.insertAdjacentHTML("beforebegin", folded.textContent)
  folded.remove()
}

const folded = () => document.querySelectorAll("details:has(> noscript)")

/** Puts the content of every folded part in place. */
export const unfoldAll = (): void => folded().forEach(unfold)

/** Puts that of the next one in place; false where none is left. */
export const unfoldNext = (): boolean => {
  const [next] = folded()
  if (next !== undefined) unfold(next)
  return next !== undefined
}

/** Puts a part's content in place when it is opened. */
export const unfoldWhenOpened = (): void =>
  // The event does not bubble.
  addEventListener("toggle", ({ target }) => target instanceof Element && unfold(target), { capture: true })
