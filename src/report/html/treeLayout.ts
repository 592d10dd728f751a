import type { ReportNode } from "./ReportData.ts"

export interface PlacedNode {
  readonly node: number
  /** The iteration that made it. */
  readonly column: number
  /** The lane, from 0; a rejected proposal lies on its parent's. */
  readonly lane: number
  /** The last iteration at which it was a parent; its own where it never was one. */
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

/**
 * Places a lineage: time to the right, one lane for each seed and each member of the pool. Of the children of one parent
 * the latest lies nearest to it, so that the way down to an earlier child crosses lanes only before these begin.
 */
export const layoutTree = (nodes: ReadonlyArray<ReportNode>): TreeLayout => {
  const children = nodes.map((): Array<number> => [])
  const roots: Array<number> = []
  nodes.forEach(({ parents }, at) => {
    const [parent] = parents
    // A parent comes before its children in a sound log; anything else would be a circle.
    if (parent === undefined || parent >= at) roots.push(at)
    else children[parent]!.push(at)
  })
  for (const some of children) some.sort((a, b) => nodes[a]!.iteration - nodes[b]!.iteration || a - b)
  const until = nodes.map(({ iteration }) => iteration)
  nodes.forEach(({ iteration, parents }, at) => {
    for (const parent of parents) if (parent < at) until[parent] = Math.max(until[parent]!, iteration)
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
    const { iteration, kind } = nodes[node]!
    placed.push({
      node,
      column: iteration,
      lane: kind === "rejected" && parent >= 0 ? lane[parent]! : lane[node]!,
      until: until[node]!,
      level
    })
    for (const child of children[node]!.toReversed()) walk.push({ node: child, level: level + 1, parent: node })
  }
  return { placed, lanes, children }
}
