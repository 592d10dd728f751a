type Work = () => void

const waiting = new Set<Work>()
let asked = false

const next = (): void => {
  const [work] = waiting
  asked = work !== undefined
  if (work === undefined) return
  waiting.delete(work)
  work()
  setTimeout(next)
}

/**
 * Fills an element with what takes long to compute, after the page has shown the rest: keys are answered at once. What
 * has left the page by then is not computed.
 */
export const later = <E extends Element>(element: E, fill: (element: E) => void): E => {
  element.setAttribute("aria-busy", "true")
  waiting.add(() => {
    if (!element.isConnected) return
    element.removeAttribute("aria-busy")
    fill(element)
  })
  if (!asked) {
    asked = true
    requestAnimationFrame(() => setTimeout(next))
  }
  return element
}

/** Computes at once what is still to come, as before printing. */
export const finishAll = (): void => {
  for (const work of waiting) {
    waiting.delete(work)
    work()
  }
}
