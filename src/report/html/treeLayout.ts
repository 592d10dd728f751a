import type { ReportNode } from "./ReportData.ts"

export interface PlacedNode {
  readonly node: number
  /** The iteration that made it, and a part of one where it has several proposals. */
  readonly column: number
  /** The lane, from 0; a rejected proposal lies on its parent's. */
  readonly lane: number
  /** The column at which it was a parent last; its own where it never was one. */
  readonly until: number
  /** The number of steps from a root, from 1. */
  readonly level: number
}

export interface TreeLayout {
  /** In the order in which a reader goes through them: each before its children, children by iteration. */
  readonly placed: ReadonlyArray<PlacedNode>
  readonly lanes: number
  /** First-parent children of each node, by iteration. */
  readonly children: ReadonlyArray<ReadonlyArray<number>>
}

/** Where each node stands in time: proposals of one iteration one after the other. */
const columnsOf = (nodes: ReadonlyArray<ReportNode>): ReadonlyArray<number> => {
  const most = nodes.reduce((so, { proposal }) => Math.max(so, proposal), 1)
  return nodes.map(({ iteration, proposal }) => iteration + (proposal - 1) / most)
}

/**
 * Places a lineage: time to the right, one lane for each seed and each accepted proposal. Of the children of one parent
 * the latest lies nearest to it, so that the way down to an earlier child crosses lanes only before these begin.
 */
export const layoutTree = (nodes: ReadonlyArray<ReportNode>): TreeLayout => {
  const column = columnsOf(nodes)
  const children = nodes.map((): Array<number> => [])
  const roots: Array<number> = []
  nodes.forEach(({ parents }, at) => {
    const [parent] = parents
    // A parent comes before its children in a sound log; anything else would be a circle.
    if (parent === undefined || parent >= at) roots.push(at)
    else children[parent]!.push(at)
  })
  for (const some of children) some.sort((a, b) => column[a]! - column[b]! || a - b)
  const until = [...column]
  nodes.forEach(({ parents }, at) => {
    for (const parent of parents) if (parent < at) until[parent] = Math.max(until[parent]!, column[at]!)
  })

  const lane = new Int32Array(nodes.length)
  let lanes = 0
  const down = [...roots].reverse()
  while (down.length > 0) {
    const at = down.pop()!
    lane[at] = lanes++
    for (const child of children[at]!) if (nodes[child]!.kind !== "rejected") down.push(child)
  }

  const placed: Array<PlacedNode> = []
  const walk = [...roots].reverse().map((node) => ({ node, level: 1, parent: -1 }))
  while (walk.length > 0) {
    const { level, node, parent } = walk.pop()!
    placed.push({
      node,
      column: column[node]!,
      lane: nodes[node]!.kind === "rejected" && parent >= 0 ? lane[parent]! : lane[node]!,
      until: until[node]!,
      level
    })
    for (const child of children[node]!.toReversed()) walk.push({ node: child, level: level + 1, parent: node })
  }
  return { placed, lanes, children }
}
