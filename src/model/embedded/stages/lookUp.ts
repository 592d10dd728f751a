import { remembered } from "../lru.ts"
import { contents } from "../text/content.ts"
import { spelled } from "../text/note.ts"
import { sentences } from "../text/tokens.ts"
import type { Statement } from "../text/transcript.ts"

interface Passage {
  /** As it stands in the note. */
  readonly text: string
  readonly words: ReadonlySet<string>
}

const passagesIn = (note: string): ReadonlyArray<Passage> =>
  sentences(note).map((text) => ({
    text,
    words: new Set(contents(spelled(text), "note").flatMap(({ concept, key }) => [key, concept]))
  }))

const notesKept = 128
const passagesOf = remembered(passagesIn, notesKept)

/** The passage of a note that has most of a statement, and what share of the statement's weight it has. */
export const bestPassage = (
  statement: Statement,
  note: string
): { readonly text: string; readonly share: number } | undefined => {
  let best: { readonly text: string; readonly share: number } | undefined
  for (const { text, words } of passagesOf(note)) {
    const held = statement.contents.reduce(
      (sum, { concept, key, weight }) => sum + (words.has(key) || words.has(concept) ? weight : 0),
      0
    )
    const share = statement.mass === 0 ? 0 : held / statement.mass
    if (share > 0 && (best === undefined || share > best.share)) best = { text, share }
  }
  return best
}
