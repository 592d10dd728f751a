import type { Place } from "./Audit.ts"
import { quoted } from "./textIndex.ts"

/** A place in an instruction, with its line and the words around it. */
export const placeOf = (
  { candidate, module, text }: { readonly candidate: string; readonly module: string; readonly text: string },
  start: number,
  end: number
): Place => ({
  candidate,
  module,
  start,
  end,
  line: text.slice(0, start).split("\n").length,
  context: quoted(text, start, end)
})
