import type { Instance, Item, ItemPair, ItemSet } from "../domain/Item.ts"
import { shuffled } from "../domain/Random.ts"

export interface MinibatchSize {
  readonly notes: number
  readonly consultations: number
}

interface Group {
  readonly consultation: string
  /** Content-based: orders depend on it. */
  readonly key: string
  readonly clean: ReadonlyArray<number>
  readonly pairs: ReadonlyArray<number>
  readonly lone: ReadonlyArray<number>
}

const groupsOf = (set: ItemSet<"train">): ReadonlyArray<Group> => {
  const byConsultation = new Map<string, { clean: Array<number>; pairs: Array<number>; lone: Array<number> }>()
  const at = (consultation: string) => {
    let group = byConsultation.get(consultation)
    if (group === undefined) {
      group = { clean: [], pairs: [], lone: [] }
      byConsultation.set(consultation, group)
    }
    return group
  }
  for (const instance of set.instances) {
    const group = at(set.items[instance.item]!.consultation)
    if (instance.kind === "flawed") group.pairs.push(instance.pair)
    else group[instance.kind].push(instance.item)
  }
  return [...byConsultation].map(([consultation, group]) => ({
    consultation,
    key: [...group.clean, ...group.lone].map((item) => set.items[item]!.key).sort()[0] ?? consultation,
    ...group
  }))
}

const isPartial = (pair: ItemPair) =>
  pair.class === "omission" && (pair.trace === "fragment" || pair.trace === "restated")

/**
 * The consultations of the train part in seeded epochs, laid end to end: position `n` of the endless sequence. No epoch
 * is padded, so no batch holds a consultation twice while the part has enough of them.
 */
const epochs = (groups: ReadonlyArray<Group>, seed: number) => {
  const orders = new Map<number, ReadonlyArray<Group>>()
  return (position: number) => {
    const epoch = Math.floor(position / groups.length)
    let order = orders.get(epoch)
    if (order === undefined) {
      order = shuffled(groups, (group) => group.key, seed, "epoch", epoch)
      orders.set(epoch, order)
    }
    return { group: order[position % groups.length]!, epoch }
  }
}

/**
 * The notes that a drawn consultation contributes: one clean note and up to `flawed` pairs of its own. Partial omissions
 * come first; over the epochs the others get their turn, so that no pair is starved.
 */
const contribution = (set: ItemSet<"train">, group: Group, flawed: number, seed: number, epoch: number) => {
  const cleanNotes = shuffled(group.clean, (item) => set.items[item]!.key, seed, "clean", epoch)
  const pairKey = (pair: number) => `${set.items[set.pairs[pair]!.flawed]!.key}:${set.pairs[pair]!.class}`
  const ofTwin = (clean: number) => {
    const own = shuffled(
      group.pairs.filter((pair) => set.pairs[pair]!.clean === clean),
      pairKey,
      seed,
      "pairs"
    )
    const queue = [
      ...own.filter((pair) => isPartial(set.pairs[pair]!)),
      ...own.filter((pair) => !isPartial(set.pairs[pair]!))
    ]
    const start = queue.length === 0 ? 0 : (epoch * flawed) % queue.length
    return [...queue.slice(start), ...queue.slice(0, start)]
  }
  // The twin with enough pairs first; a second clean note only when the first has too few flawed ones.
  const twins = cleanNotes.map((clean) => ({ clean, pairs: ofTwin(clean) }))
  const rich = twins.find(({ pairs }) => pairs.length >= flawed)
  const ordered = rich === undefined ? twins : [rich, ...twins.filter((twin) => twin !== rich)]
  const clean: Array<number> = []
  const pairs: Array<number> = []
  for (const twin of ordered) {
    if (clean.length > 0 && (pairs.length >= flawed || twin.pairs.length === 0)) continue
    clean.push(twin.clean)
    pairs.push(...twin.pairs.slice(0, flawed - pairs.length))
  }
  const lone = shuffled(group.lone, (item) => set.items[item]!.key, seed, "lone", epoch).slice(
    0,
    Math.max(flawed - pairs.length, clean.length === 0 ? 1 : 0)
  )
  return { clean, pairs, lone }
}

/**
 * The train part's minibatches by number (from 0), consultation-first [OB §B.4.2]: `consultations` consultations, each
 * with a clean note and an equal share of flawed ones, every flawed note with its own twin. What the n-th holds is a
 * function of seed, content and n.
 */
export const minibatches = (
  set: ItemSet<"train">,
  size: MinibatchSize,
  seed: number
): ((n: number) => ItemSet<"train">) => {
  const groups = groupsOf(set)
  const at = epochs(groups, seed)
  const wanted = Math.min(size.consultations, groups.length)
  const flawed = Math.max(0, Math.floor(size.notes / size.consultations) - 1)
  return (n) => {
    const chosen = new Map<string, { group: Group; epoch: number }>()
    for (let position = n * wanted; chosen.size < wanted; position++) {
      const next = at(position)
      // At the seam of two epochs a consultation may come up again: the next one takes its place.
      if (!chosen.has(next.group.consultation)) chosen.set(next.group.consultation, next)
    }
    return subset(
      set,
      [...chosen.values()].map(({ epoch, group }) => contribution(set, group, flawed, seed, epoch))
    )
  }
}

const subset = (
  set: ItemSet<"train">,
  parts: ReadonlyArray<{ clean: ReadonlyArray<number>; pairs: ReadonlyArray<number>; lone: ReadonlyArray<number> }>
): ItemSet<"train"> => {
  const items: Array<Item<"train">> = []
  const pairs: Array<ItemPair> = []
  const instances: Array<Instance> = []
  const positions = new Map<number, number>()
  const place = (item: number) => {
    let position = positions.get(item)
    if (position === undefined) {
      position = items.push(set.items[item]!) - 1
      positions.set(item, position)
    }
    return position
  }
  for (const part of parts) {
    for (const clean of part.clean) instances.push({ kind: "clean", id: set.items[clean]!.id, item: place(clean) })
    for (const number of part.pairs) {
      const pair = set.pairs[number]!
      const [flawed, clean] = [place(pair.flawed), place(pair.clean)]
      pairs.push({ ...pair, flawed, clean })
      instances.push({ kind: "flawed", id: pair.id, item: flawed, twin: clean, pair: pairs.length - 1 })
    }
    for (const lone of part.lone) instances.push({ kind: "lone", id: set.items[lone]!.id, item: place(lone) })
  }
  return { items, pairs, instances }
}
