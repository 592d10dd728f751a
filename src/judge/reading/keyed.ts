import { idReader } from "./ids.ts"
import { linesOf } from "./lines.ts"
import { answerOf, listLength, takesBack } from "./reply.ts"
import { isFields, isList, proseAround, type Value, valuesIn } from "./values.ts"
import { fieldsNamed } from "./words.ts"

/** What an answer says for each of the ids that it was asked about. */
export interface Keyed<V> {
  /** In the order of the ids asked; only ids that were asked. */
  readonly verdicts: ReadonlyMap<string, V>
  /** Asked, and without a verdict that can be read in one way only. */
  readonly missing: ReadonlyArray<string>
  /** Given a verdict, and never asked. As written, each once, the first few. */
  readonly invented: ReadonlyArray<string>
  /** Given more than one verdict: the same each time, or else the id is missing, too. */
  readonly duplicated: ReadonlyArray<string>
}

/** How the verdict of one id is told from what stands by it. */
export interface VerdictReader<V> {
  /** What is said of an id: a word, or a record with its fields. `unclear` where there is a verdict that says nothing sure. */
  readonly value: (value: Value) => V | "unclear" | undefined
  /** What is said of an id in a line of prose or a table, behind the id. */
  readonly line: (text: string) => V | "unclear" | undefined
  /** What a name says of the ids that are listed under it: `{"absent": ["F1", "F2"]}`. */
  readonly named: (name: string) => V | undefined
  /** A verdict that stands under a name: `unclear` where the name says something else, as `{"dropped": …}` may. */
  readonly within: (name: string, verdict: V) => V | "unclear"
  readonly same: (a: V, b: V) => boolean
}

const mostInvented = 20
const longestId = 100

const idNames = /^(?:id|fact_?id|key|fact_?key|ref|reference)$/
const idNamesToo = /^(?:fact|item|name|number)$/

interface Entry<V> {
  readonly id: string
  readonly verdict: V | "unclear"
}

const written = (value: Value | undefined): string | undefined =>
  typeof value === "string" ? value.trim() : typeof value === "number" ? String(value) : undefined

const saidBy = <V>(said: Value, reader: VerdictReader<V>): V | "unclear" | undefined =>
  typeof said === "string" ? reader.line(said) : reader.value(said)

/** Every verdict that a value holds, by what stands for its id; `asked` tells the ids that were asked for. */
const entriesOf = <V>(
  root: Value,
  asked: (written: string) => string | undefined,
  reader: VerdictReader<V>
): ReadonlyArray<Entry<V>> => {
  const found: Array<Entry<V>> = []
  const add = (id: string, verdict: V | "unclear" | undefined, under: ReadonlyArray<string>) => {
    if (verdict === undefined || id === "") return
    let held: V | "unclear" = verdict
    for (const name of under) if (held !== "unclear") held = reader.within(name, held as V)
    found.push({ id: asked(id) ?? id.slice(0, longestId), verdict: held })
  }
  const ofRecord = (value: Value, under: ReadonlyArray<string>): boolean => {
    const named = fieldsNamed(value, idNames).map(written)
    const also = fieldsNamed(value, idNamesToo).map(written)
    const id =
      [...named, ...also].find((text) => text !== undefined && asked(text) !== undefined) ??
      named.find((text) => text !== undefined)
    if (id === undefined) return false
    add(id, reader.value(value), under)
    return true
  }
  const walk = (value: Value, under: ReadonlyArray<string>): void => {
    if (typeof value === "string")
      for (const { id, said } of linesOf(value, asked)) add(id, saidBy(said, reader), under)
    else if (isList(value)) {
      const [first, second] = value
      if (value.length === 2 && typeof first === "string" && asked(first) !== undefined)
        add(first, reader.value(second!), under)
      else for (const item of value) walk(item, under)
    } else if (isFields(value) && !ofRecord(value, under)) {
      const keyed = value.fields.some(([name]) => asked(name) !== undefined)
      for (const [name, field] of value.fields) {
        if (asked(name) !== undefined) add(name, reader.value(field), under)
        else if (isList(field) && field.some((item) => typeof item === "string" && asked(item) !== undefined)) {
          const verdict = reader.named(name)
          if (verdict === undefined) walk(field, [...under, name])
          else for (const item of field) if (typeof item === "string") add(item, verdict, under)
        } else if (isFields(field) || isList(field)) {
          const verdict = keyed && isFields(field) ? reader.value(field) : undefined
          if (verdict === undefined) walk(field, [...under, name])
          else add(name, verdict, under)
        } else if (keyed) add(name, reader.value(field), under)
      }
    }
  }
  walk(root, [])
  return found
}

/**
 * The verdicts of an answer that is keyed by ids: a list of records, a map, lines of prose, a table. Undefined when it
 * has none that can be read for any id that was asked. A verdict is read only if it is unambiguous: an id with two different ones is missing.
 */
export const readKeyed = <V>(
  reply: string,
  ids: ReadonlyArray<string>,
  reader: VerdictReader<V>
): Keyed<V> | undefined => {
  const text = answerOf(reply).slice(0, listLength)
  const asked = idReader(ids)
  // An answer that is given twice says no more than once.
  const values = new Map(valuesIn(text).map(({ value }) => [JSON.stringify(value), value]))
  const structured = [...values.values()].flatMap((value) => entriesOf(value, asked, reader))
  const isStructured = structured.some(({ id }) => asked(id) !== undefined)
  // Which of them is taken back cannot be told.
  if (isStructured && takesBack(proseAround(text).behind)) return undefined
  const entries = isStructured
    ? structured
    : linesOf(text, asked).flatMap(({ id, said }): ReadonlyArray<Entry<V>> => {
        const verdict = saidBy(said, reader)
        return verdict === undefined ? [] : [{ id: asked(id) ?? id.slice(0, longestId), verdict }]
      })
  const byId = new Map<string, Array<V | "unclear">>()
  const invented = new Set<string>()
  const known = new Set(ids)
  for (const { id, verdict } of entries) {
    if (!known.has(id)) {
      if (invented.size < mostInvented) invented.add(id)
    } else if (byId.has(id)) byId.get(id)!.push(verdict)
    else byId.set(id, [verdict])
  }
  const verdicts = new Map<string, V>()
  const missing: Array<string> = []
  const duplicated: Array<string> = []
  for (const id of known) {
    const [first, ...others] = byId.get(id) ?? []
    if (others.length > 0) duplicated.push(id)
    if (
      first === undefined ||
      first === "unclear" ||
      others.some((other) => other === "unclear" || !reader.same(first as V, other as V))
    )
      missing.push(id)
    else verdicts.set(id, first as V)
  }
  return verdicts.size === 0 ? undefined : { verdicts, missing, invented: [...invented], duplicated }
}

/** An answer and the answer to its targeted retry as one: what the first could not tell is taken from the second. */
export const combined = <V>(first: Keyed<V>, again: Keyed<V>): Keyed<V> => {
  const verdicts = new Map<string, V>()
  const missing: Array<string> = []
  for (const id of [...first.verdicts.keys(), ...first.missing]) {
    const verdict = first.verdicts.get(id) ?? again.verdicts.get(id)
    if (verdict === undefined) missing.push(id)
    else verdicts.set(id, verdict)
  }
  const union = (a: ReadonlyArray<string>, b: ReadonlyArray<string>) => [...new Set([...a, ...b])]
  return {
    verdicts,
    missing,
    invented: union(first.invented, again.invented).slice(0, mostInvented),
    duplicated: union(first.duplicated, again.duplicated)
  }
}
