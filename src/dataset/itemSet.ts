import { type Consultation, type ErrorClass, factText, stratumOf } from "../domain/Dataset.ts"
import { hashOf } from "../domain/hash.ts"
import { type Instance, type Item, type ItemPair, type ItemSet, itemId } from "../domain/Item.ts"
import type { Member, PartName } from "../domain/Split.ts"

const by =
  <A>(...keys: ReadonlyArray<(value: A) => string>) =>
  (one: A, other: A): number => {
    for (const key of keys) {
      const [a, b] = [key(one), key(other)]
      if (a !== b) return a < b ? -1 : 1
    }
    return 0
  }

/** What a judge sees of a note, as one hash: nothing of ids. */
export const itemKey = (consultation: Consultation, text: string): string => hashOf([consultation.transcript, text])

interface Part<P extends PartName> {
  readonly order: string
  readonly consultation: Member<P>
}

/**
 * The notes of a part that belong to pairs of the classes asked for (all of them, when none are named), consultation
 * by consultation so that calls sharing a transcript follow each other: a consultation's clean notes, then its flawed
 * ones, each distinct text once. Orders follow from contents, so that other ids or another order of the file give the
 * same figures. Consultations without such a pair leave no trace.
 */
export const itemSet = <P extends PartName>(
  members: ReadonlyArray<Member<P>>,
  classes?: ReadonlyArray<ErrorClass>
): ItemSet<P> => {
  const items: Array<Item<P>> = []
  const pairs: Array<ItemPair> = []
  const instances: Array<Instance> = []

  const addConsultation = (consultation: Member<P>) => {
    const chosen = consultation.pairs.filter((pair) => classes === undefined || classes.includes(pair.class))
    const notes = new Map(
      consultation.notes.map((note) => [
        note.id,
        { id: note.id, text: note.text, key: itemKey(consultation, note.text) }
      ])
    )
    const indices = new Map<string, number>()
    const noteOf = (id: string) => {
      const note = notes.get(id)
      if (note === undefined) throw new Error(`pair of ${consultation.id} names a missing note ${id}`)
      return note
    }
    const addNotes = (ids: ReadonlyArray<string>) => {
      const inOrder = [...new Set(ids)].map(noteOf).sort(
        by(
          (note) => note.key,
          (note) => note.id
        )
      )
      for (const note of inOrder) {
        if (indices.has(note.key)) continue
        indices.set(note.key, items.length)
        items.push({
          id: itemId(consultation.id, note.id),
          key: note.key,
          consultation: consultation.id,
          transcript: consultation.transcript,
          note: note.text,
          ...(consultation.criteria === undefined ? {} : { criteria: consultation.criteria })
        } as Item<P>)
      }
    }
    addNotes(chosen.map((pair) => pair.clean))
    addNotes(chosen.map((pair) => pair.flawed))

    const placed = chosen
      .map((pair) => ({
        pair,
        clean: indices.get(noteOf(pair.clean).key)!,
        flawed: indices.get(noteOf(pair.flawed).key)!
      }))
      .sort(
        (one, other) =>
          one.clean - other.clean || one.flawed - other.flawed || by((pair: typeof one) => pair.pair.id)(one, other)
      )
    let twin = -1
    for (const { pair, clean, flawed } of placed) {
      if (clean !== twin) instances.push({ kind: "clean", id: `clean:${items[clean]!.id}`, item: clean })
      twin = clean
      const id = itemId(consultation.id, pair.id)
      const stratum = stratumOf(consultation, pair)
      const fact = factText(consultation, pair)
      instances.push({ kind: "flawed", id: `flawed:${id}`, item: flawed, twin: clean, pair: pairs.length })
      pairs.push({
        id,
        consultation: consultation.id,
        flawed,
        clean,
        class: pair.class,
        ...(pair.trace === undefined ? {} : { trace: pair.trace }),
        ...(pair.severity === undefined ? {} : { severity: pair.severity }),
        ...(stratum === undefined ? {} : { stratum }),
        ...(fact === undefined ? {} : { fact }),
        residual: (pair.residual ?? []).map((residual) => residual.quote)
      })
    }
  }

  const parts = members.map(
    (consultation): Part<P> => ({
      consultation,
      order: hashOf([consultation.transcript, consultation.notes.map((note) => note.text).sort()])
    })
  )
  for (const { consultation } of parts.sort(
    by(
      (part) => part.order,
      (part) => part.consultation.id
    )
  ))
    addConsultation(consultation)
  return { items, pairs, instances }
}
