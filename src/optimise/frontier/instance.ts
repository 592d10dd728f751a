import type { TableIndex } from "../itemTable.ts"
import { CellFrontier } from "./cells.ts"
import type { Frontier } from "./Frontier.ts"

/** A candidate leads an instance where no other has a greater reward; its weight is how many it leads [GEPA]. */
export const instanceFrontier = (index: TableIndex): Frontier => {
  const cells = new CellFrontier(index.instances.length)
  const nothing = new Float64Array(index.instances.length).fill(Number.NaN)
  return {
    get candidates() {
      return cells.candidates
    },
    add: (point) => cells.add(point?.rewards ?? nothing),
    survivors: () => cells.survivors()
  }
}
