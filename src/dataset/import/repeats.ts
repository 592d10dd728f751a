import type { Draft } from "./drafts.ts"

/** A warning for pairs that have the two texts of an earlier pair of their consultation; nothing where none has. */
export const repeatWarning = (drafts: ReadonlyArray<Draft>): ReadonlyArray<string> => {
  const seen = new Set<string>()
  const repeats = drafts.filter((draft) => {
    const key = JSON.stringify([draft.consultation, draft.flawed, draft.clean])
    if (!seen.has(key)) {
      seen.add(key)
      return false
    }
    return true
  })
  if (repeats.length === 0) return []
  const shown = repeats.slice(0, 5).map((draft) => draft.pair.id)
  return [
    `${repeats.length} of ${drafts.length} pairs have the two texts of an earlier pair (${shown.join(", ")}${repeats.length > shown.length ? ", …" : ""}): kept, and their notes are there once`
  ]
}
