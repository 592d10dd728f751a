import type { Instance, ItemSet } from "../domain/Item.ts"
import type { ItemTable } from "../domain/RunEvent.ts"
import { clusterNumbers } from "../statistics/clusterOrder.ts"

/** The table of an item set: ids and labels, no texts. */
export const itemTable = (set: ItemSet): ItemTable => {
  const id = (index: number) => set.items[index]!.id
  return {
    items: set.items.map(({ id, consultation }) => ({ id, consultation })),
    clean: set.instances.filter(({ kind }) => kind === "clean").map(({ item }) => id(item)),
    pairs: set.pairs.map((pair) => ({
      id: pair.id,
      flawed: id(pair.flawed),
      clean: id(pair.clean),
      class: pair.class,
      ...(pair.trace === undefined ? {} : { trace: pair.trace }),
      ...(pair.severity === undefined ? {} : { severity: pair.severity }),
      ...(pair.stratum === undefined ? {} : { stratum: pair.stratum })
    })),
    lone: set.instances.filter(({ kind }) => kind === "lone").map(({ item }) => id(item))
  }
}

/** A table with its ids resolved to positions, once for many uses. */
export interface TableIndex {
  readonly table: ItemTable
  /** What earns a reward; `item`, `twin` and `pair` are positions in the table. */
  readonly instances: ReadonlyArray<Instance>
  /** Positions of each pair's two items, and its consultation by `clusterNumbers`. */
  readonly pairs: ReadonlyArray<{ readonly flawed: number; readonly clean: number; readonly cluster: number }>
  readonly clusters: number
}

/** Fails with an Error on a table that names an item it does not list: such a log is damaged. */
export const indexTable = (table: ItemTable): TableIndex => {
  const positions = new Map(table.items.map(({ id }, index) => [id, index]))
  const position = (id: string): number => {
    const found = positions.get(id)
    if (found === undefined) throw new Error(`the run's table of notes has no note ${id}`)
    return found
  }
  const clusters = clusterNumbers(table.items.map(({ consultation }) => consultation))
  const pairs = table.pairs.map((pair) => {
    const flawed = position(pair.flawed)
    return { flawed, clean: position(pair.clean), cluster: clusters.get(table.items[flawed]!.consultation)! }
  })
  return {
    table,
    pairs,
    clusters: clusters.size,
    instances: [
      ...table.clean.map((id): Instance => ({ kind: "clean", id, item: position(id) })),
      ...pairs.map(
        ({ flawed, clean }, pair): Instance => ({
          kind: "flawed",
          id: table.pairs[pair]!.id,
          item: flawed,
          twin: clean,
          pair
        })
      ),
      ...table.lone.map((id): Instance => ({ kind: "lone", id, item: position(id) }))
    ]
  }
}
