import type { Consultation } from "../domain/Dataset.ts"
import { type Item, type ItemSet, itemId } from "../domain/Item.ts"
import { itemKey } from "./itemSet.ts"

/**
 * The notes of a user's own consultations that are not the flawed side of a pair, each distinct text of a consultation
 * once, in the order of the file: what a threshold is calibrated on. They belong to no split.
 */
export const cleanItems = (consultations: ReadonlyArray<Consultation>): ItemSet => {
  const items = consultations.flatMap((consultation) => {
    const flawed = new Set(consultation.pairs.map((pair) => pair.flawed))
    const seen = new Set<string>()
    return consultation.notes.flatMap((note) => {
      const key = itemKey(consultation, note.text)
      if (flawed.has(note.id) || seen.has(key)) return []
      seen.add(key)
      return [
        {
          id: itemId(consultation.id, note.id),
          key,
          consultation: consultation.id,
          transcript: consultation.transcript,
          note: note.text,
          ...(consultation.criteria === undefined ? {} : { criteria: consultation.criteria })
        } as Item
      ]
    })
  })
  return { items, pairs: [], instances: items.map(({ id }, item) => ({ kind: "clean", id: `clean:${id}`, item })) }
}
