import { covers } from "./dominance.ts"

/** Corners of a staircase in the plane, x rising and y falling: the outline of the union of boxes from 0 to each. */
type Staircase = Array<readonly [x: number, y: number]>

const areaOf = (stairs: Staircase): number => {
  let area = 0
  let left = 0
  for (const [x, y] of stairs) {
    area += (x - left) * y
    left = x
  }
  return area
}

const raise = (stairs: Staircase, x: number, y: number): Staircase => {
  if (stairs.some((corner) => covers(corner, [x, y]))) return stairs
  return [...stairs.filter((corner) => !covers([x, y], corner)), [x, y] as const].sort(([a], [b]) => a - b)
}

/**
 * The exact volume of the union of the boxes from the origin to each point, in three dimensions: the hypervolume
 * indicator with the reference point 0 (Zitzler & Thiele 1999), by slices along the third axis. Points without volume
 * add none. For points in the unit cube a number from 0 to 1. O(n²) for n points that do not cover each other.
 */
export const hypervolume = (points: Iterable<readonly [number, number, number]>): number => {
  const highestFirst = [...points].filter((point) => point.every((value) => value > 0)).sort((a, b) => b[2] - a[2])
  let stairs: Staircase = []
  let volume = 0
  highestFirst.forEach(([x, y, z], at) => {
    stairs = raise(stairs, x, y)
    volume += areaOf(stairs) * (z - (highestFirst[at + 1]?.[2] ?? 0))
  })
  return volume
}
