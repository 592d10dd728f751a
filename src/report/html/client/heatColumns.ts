import type { Model } from "./model.ts"

export interface HeatGroup {
  readonly name: string
  /** Instances, by place. */
  readonly columns: ReadonlyArray<number>
}

/** What an instance is of. */
export const instanceOf = ({ data, index }: Model, at: number) => {
  const instance = index.instances[at]!
  const item = data.table.items[instance.item]!
  const pair = instance.kind === "flawed" ? instance.pair : undefined
  const label = pair === undefined ? undefined : data.table.pairs[pair]!
  return {
    consultation: item.consultation,
    group: instance.kind === "clean" ? "clean" : instance.kind === "lone" ? "no twin" : label!.class,
    item: instance.item,
    twin: instance.kind === "flawed" ? instance.twin : undefined,
    pair,
    id: label?.id ?? item.id,
    words: [
      label?.class ?? (instance.kind === "clean" ? "clean note" : "flawed note without a twin"),
      label?.trace,
      label?.severity
    ]
      .filter((word) => word !== undefined)
      .join(", ")
  }
}

/** The columns of the heat map, by consultation and within it by class, or the other way round. */
export const heatGroups = (model: Model, by: "consultation" | "class"): ReadonlyArray<HeatGroup> => {
  const order = ["clean", "omission", "addition", "alteration", "no twin"]
  const all = model.index.instances.map((_, at) => ({ at, ...instanceOf(model, at) }))
  const consultations = new Map([...new Set(all.map(({ consultation }) => consultation))].map((id, at) => [id, at]))
  const rank = (one: (typeof all)[number]) => [consultations.get(one.consultation)!, order.indexOf(one.group)] as const
  const sorted = all.toSorted((a, b) => {
    const [one, other] = [rank(a), rank(b)]
    const [first, second] = by === "consultation" ? [0, 1] : [1, 0]
    return one[first]! - other[first]! || one[second]! - other[second]! || a.at - b.at
  })
  return [...Map.groupBy(sorted, (one) => (by === "consultation" ? one.consultation : one.group))].map(
    ([name, some]) => ({ name, columns: some.map(({ at }) => at) })
  )
}
