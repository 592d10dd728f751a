import type { AuditCandidate, AuditInput } from "../../src/audit/AuditInput.ts"
import { type Judged, judgedOf, type Measured, measuredOf } from "../../src/audit/judged.ts"
import type { Outcome, Outcomes } from "../../src/domain/Judgement.ts"
import { mulberry32 } from "../../src/domain/Random.ts"
import type { ItemTable } from "../../src/domain/RunEvent.ts"

const traces = ["complete", "fragment", "restated"] as const

/** Consultations with a clean note and some omissions each. Notes are `c0/clean`, `c0/f0`, …; pairs `c0/p0`, …. */
export const tableOf = (consultations: number, pairs: number): ItemTable => {
  const ids = Array.from({ length: consultations }, (_, at) => `c${at}`)
  const places = Array.from({ length: pairs }, (_, at) => at)
  return {
    items: ids.flatMap((consultation) => [
      { id: `${consultation}/clean`, consultation },
      ...places.map((at) => ({ id: `${consultation}/f${at}`, consultation }))
    ]),
    clean: ids.map((id) => `${id}/clean`),
    pairs: ids.flatMap((id) =>
      places.map((at) => ({
        id: `${id}/p${at}`,
        flawed: `${id}/f${at}`,
        clean: `${id}/clean`,
        class: "omission" as const,
        trace: traces[at % 3]!
      }))
    ),
    lone: []
  }
}

/** A score for each note of the table, by its place in it; null for a reply that cannot be read. */
export const outcomesOf = (table: ItemTable, score: (id: string, at: number) => number | null): Outcomes =>
  Object.fromEntries(
    table.items.map(({ id }, at): [string, Outcome] => {
      const value = score(id, at)
      return [id, value === null ? { _tag: "unparsed", reply: "?" } : { _tag: "scored", score: value }]
    })
  )

export const candidateOf = (
  id: string,
  outcomes: Outcomes | null,
  more: Partial<AuditCandidate> = {}
): AuditCandidate => ({
  id,
  name: id,
  origin: "seed",
  parents: [],
  iteration: 0,
  instructions: { judge: `Instruction of ${id}.` },
  outcomes,
  ...more
})

export const judge = (measured: Measured, id: string, outcomes: Outcomes): Judged =>
  judgedOf(measured, candidateOf(id, outcomes), outcomes)

export const allPairs = (table: ItemTable): Measured => measuredOf(table, undefined)

/** Scores of a middling judge: clean notes about 8, flawed ones about 7.5, both with noise. */
export const noisyScores = (table: ItemTable, seed: number, gap = 0.5): ReadonlyMap<string, number> => {
  const next = mulberry32(seed)
  return new Map(
    table.items.map(({ id }) => [id, (id.endsWith("/clean") ? 8 : 8 - gap) + (next() + next() + next() - 1.5)])
  )
}

export const words = (text: string): number => text.split(/\s+/).filter((word) => word !== "").length

export const inputOf = (
  table: ItemTable | null,
  candidates: ReadonlyArray<AuditCandidate>,
  candidate = candidates.at(-1)!.id
): AuditInput => ({
  subject: {
    kind: "run",
    name: "test-1",
    campaign: "test",
    candidate,
    objective: {
      primary: { measure: "paired-discrimination" },
      secondary: { measure: "detection", maxFalseAlarms: 0.1 }
    },
    embedded: false
  },
  candidates,
  rejected: [],
  table,
  notes: null,
  facts: null,
  indices: [],
  ids: new Map(),
  tokens: words,
  fixed: { preamble: "", contract: "" },
  usage: new Map(),
  ablation: null,
  settings: { seed: 11, resamples: 1000, cap: 0.1 },
  notKnown: []
})
