import type { Audit, Gain, LineageStep } from "../audit/Audit.ts"
import { namesOf } from "./auditNames.ts"
import { differenceText } from "./differenceText.ts"
import { bounds, fixed, intervalRemarks, none, plural, type Section, signed } from "./scoreFormat.ts"

const gainRow = ({ after, before, by, consultations, difference, n, name, thin, ...interval }: Gain) => [
  by === "all" ? "all pairs" : name,
  fixed(before),
  fixed(after),
  signed(difference),
  bounds(interval),
  `${n} of ${consultations}${thin ? " (thin)" : ""}`
]

const stepSection = (name: (id: string) => string, step: LineageStep): Section => {
  const rows = step.gains.map(gainRow)
  return {
    title: `Step ${name(step.parent)} → ${name(step.child)}${step.module === "judge" ? "" : `, module ${step.module}`}`,
    rows: rows.length === 0 ? [] : [["pairs", "before", "after", "change", "95 %", "n"], ...rows],
    remarks: [
      `${signedWhole(step.growth.characters)} characters, ${signedWhole(step.growth.tokens)} tokens`,
      differenceText(step.diff) || "nothing but white space differs",
      ...intervalRemarks(rows)
    ]
  }
}

const signedWhole = (value: number): string => `${value < 0 ? "−" : "+"}${Math.abs(value)}`

const shownFigures = 6

/** Counts as they are, so that they are not taken for shares. */
const figureText = (value: number | undefined, whole: boolean): string =>
  whole && value !== undefined ? String(value) : fixed(value)

/** The tree's path to the candidate with the difference of each step; all the tree is in `--json`. */
export const lineageSections = (audit: Audit): ReadonlyArray<Section> => {
  const { nodes, path, rejected, steps } = audit.lineage
  const name = namesOf(audit)
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const onPath = path.flatMap((id) => byId.get(id) ?? [])
  const figures = [...new Set(onPath.flatMap((node) => Object.keys(node.figures)))].slice(0, shownFigures)
  const whole = new Set(
    figures.filter((figure) => onPath.every(({ figures }) => Number.isInteger(figures[figure] ?? 0)))
  )
  const reasons = Map.groupBy(rejected, ({ reason }) => reason)
  const edges = path
    .slice(1)
    .flatMap((id, at) => steps.filter(({ child, parent }) => child === id && parent === path[at]))
  return [
    {
      title: "Lineage",
      rows: [
        ["candidate", "origin", "iteration", "characters", "tokens", "primary", "pairs", ...figures],
        ...onPath.map((node) => [
          node.name,
          node.origin,
          node.iteration,
          node.size.characters,
          node.size.tokens,
          fixed(node.primary),
          node.pairs ?? none,
          ...figures.map((figure) => figureText(node.figures[figure], whole.has(figure)))
        ])
      ],
      remarks: [
        `${plural(nodes.length, "candidate")} in all; ${plural(Math.max(0, path.length - 1), "step")} from ${path[0] === undefined ? "none" : name(path[0])} to ${name(audit.subject.candidate)}`,
        ...(rejected.length === 0
          ? []
          : [
              `${plural(rejected.length, "proposal")} that came to nothing: ${[...reasons].map(([reason, some]) => `${some.length} ${reason}`).join(", ")}`
            ])
      ]
    },
    ...edges.map((step) => stepSection(name, step))
  ]
}
