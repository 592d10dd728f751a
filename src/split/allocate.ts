import { type Name, uniform } from "../domain/Random.ts"

const tolerance = 1e-9

/** The subsets of the first `size` numbers that have `count` members. */
const subsets = (size: number, count: number): ReadonlyArray<ReadonlyArray<number>> => {
  if (count === 0) return [[]]
  if (size < count) return []
  return [...subsets(size - 1, count), ...subsets(size - 1, count - 1).map((some) => [...some, size - 1])]
}

interface Choice {
  /** Units above the floor, by part, over the cells so far. */
  readonly extras: ReadonlyArray<number>
  readonly cost: number
  readonly taken: ReadonlyArray<ReadonlyArray<number>>
}

/**
 * How many units of each cell go to each part. Every figure is the floor or the ceiling of its fair share
 * (cell size × fraction), and so is each part's total wherever that can be had; among such roundings the seed chooses.
 * Among these, one in which no part is empty is preferred.
 */
export const allocate = (
  cells: ReadonlyArray<{ readonly name: string; readonly size: number }>,
  fractions: ReadonlyArray<number>,
  seed: number,
  ...names: ReadonlyArray<Name>
): ReadonlyArray<ReadonlyArray<number>> => {
  const shares = cells.map((cell) => fractions.map((fraction) => cell.size * fraction))
  const floors = shares.map((row) => row.map((share) => Math.floor(share + tolerance)))

  let states = new Map<string, Choice>([["", { extras: fractions.map(() => 0), cost: 0, taken: [] }]])
  cells.forEach((cell, index) => {
    const floor = floors[index]!
    const left = cell.size - floor.reduce((sum, count) => sum + count, 0)
    const open = fractions.map((_, part) => part).filter((part) => shares[index]![part]! - floor[part]! > tolerance)
    const options = subsets(open.length, left).map((some) => some.map((place) => open[place]!))
    const next = new Map<string, Choice>()
    for (const state of states.values()) {
      for (const option of options) {
        const extras = state.extras.map((count, part) => count + (option.includes(part) ? 1 : 0))
        const cost = state.cost + uniform(seed, ...names, cell.name, option.join(","))
        const key = extras.join(",")
        const known = next.get(key)
        if (known === undefined || cost < known.cost) next.set(key, { extras, cost, taken: [...state.taken, option] })
      }
    }
    states = next
  })

  const units = cells.reduce((sum, cell) => sum + cell.size, 0)
  const base = fractions.map((_, part) => floors.reduce((sum, row) => sum + row[part]!, 0))
  const distance = (choice: Choice): number =>
    fractions.reduce((sum, fraction, part) => {
      const total = base[part]! + choice.extras[part]!
      const off = Math.abs(total - units * fraction)
      const empty = total === 0 && units >= fractions.length ? units * units : 0
      const beyond = off > 1 - tolerance ? units * off : 0
      return sum + empty + beyond
    }, 0)
  const best = [...states.values()].reduce((one, other) => {
    const [a, b] = [distance(one), distance(other)]
    return b < a || (b === a && other.cost < one.cost) ? other : one
  })
  return floors.map((row, index) => row.map((count, part) => count + (best.taken[index]!.includes(part) ? 1 : 0)))
}
