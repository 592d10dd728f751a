import type { Audit, NotKnown } from "./Audit.ts"
import type { AuditCandidate, AuditInput, AuditOf } from "./AuditInput.ts"
import { contentOf } from "./content.ts"
import { costOf } from "./cost.ts"
import { flipsOf } from "./flips.ts"
import { type Judged, judgedOf, type Measured, measuredOf } from "./judged.ts"
import { leakageOf } from "./leakage.ts"
import { lineageOf, pathsOf, sizer, wholeText } from "./lineage.ts"
import { optimismOf, type Selectable, selectableByInstances } from "./optimism.ts"
import { separationOf } from "./separation.ts"
import { objectivesOf, type Values, valuesOf } from "./values.ts"
import { wallOf } from "./wall.ts"

interface Scores {
  readonly measured: Measured | null
  readonly judged: ReadonlyMap<string, Judged>
}

const scoresOf = ({ candidates, subject, table }: AuditInput): Scores => {
  const measured = table === null ? null : measuredOf(table, subject.objective?.primary.classes)
  const judged = new Map<string, Judged>()
  if (measured !== null)
    for (const candidate of candidates)
      if (candidate.outcomes !== null) judged.set(candidate.id, judgedOf(measured, candidate, candidate.outcomes))
  return { measured, judged }
}

/** Only candidates whose judgements are whole can have been selected, unless none is: as the run's own rule. */
const selectableOf = (judged: Scores["judged"], values: ReadonlyMap<string, Values>): ReadonlyArray<Selectable> => {
  const all = [...judged.values()].filter(({ candidate }) => values.has(candidate.id) && candidate.vetoed !== true)
  const whole = all.filter(({ failed }) => failed.every((one) => one === 0))
  return (whole.length > 0 ? whole : all).map(({ candidate }) => ({
    candidate: candidate.id,
    ...values.get(candidate.id)!
  }))
}

const few = (consultations: number): NotKnown => ({
  section: "separation",
  why: `the acceptance part has ${consultations} consultations: fewer than 10 are too few for an interval, so nothing is called separation or relocation`
})

/** The audit of an evolved prompt: see `Audit`. Method §7. */
export const auditOf: AuditOf = (input): Audit => {
  const { candidates, settings, subject } = input
  const paths = pathsOf(candidates)
  const byId = new Map(candidates.map((candidate) => [candidate.id, candidate]))
  const seedOf = (candidate: AuditCandidate) => byId.get(paths.get(candidate.id)!.at(-1)!)!
  const own = byId.get(subject.candidate)
  const seed = own === undefined || seedOf(own).id === own.id ? null : seedOf(own)
  // A merge may have words of any seed. Those that a search on these data made, or a person in the middle of one, excuse
  // nothing: their words may be copied as well.
  const roots = candidates.filter(
    (candidate) => seedOf(candidate) === candidate && candidate.origin !== "human" && candidate.searched !== true
  )
  const seedTextOf = (candidate: AuditCandidate) =>
    [...roots.filter((root) => root !== candidate).map(wholeText), ...(input.earlierSeeds ?? [])].join("\n\n")
  const scores = scoresOf(input)
  const { judged, measured } = scores
  const { objective } = subject
  const values =
    measured === null || objective === null ? new Map<string, Values>() : valuesOf(measured, judged, objective)
  const figures = objectivesOf(candidates, values, new Set(measured?.cluster).size)
  const size = sizer(input.tokens)
  const ownJudged = judged.get(subject.candidate)
  const seedJudged = seed === null ? undefined : judged.get(seed.id)
  const reference = judged.get((seed ?? own)?.id ?? "")

  const separation =
    measured === null || judged.size === 0
      ? null
      : [...candidates]
          .sort((a, b) => Number(b.id === subject.candidate) - Number(a.id === subject.candidate))
          .flatMap((candidate) => {
            const [after, before] = [judged.get(candidate.id), judged.get(seedOf(candidate).id)]
            if (after === undefined || before === undefined || after === before) return []
            return [separationOf(measured, before, after, settings)]
          })
  const unknown = separation?.find(({ verdict }) => verdict === "unknown")
  return {
    format: "assize-audit/1",
    subject: { ...subject, seed: seed?.id ?? null },
    settings,
    notKnown: [...input.notKnown, ...(unknown === undefined ? [] : [few(unknown.paired.consultations)])],
    lineage: lineageOf(
      { candidates, candidate: subject.candidate, rejected: input.rejected, measured, judged, figures, size },
      settings
    ),
    separation,
    wall:
      measured === null || reference === undefined
        ? null
        : wallOf(measured, reference, [...judged.values()], settings.cap),
    leakage: leakageOf({
      candidates,
      candidate: subject.candidate,
      seedTextOf,
      fixed: input.fixed,
      indices: input.indices
    }),
    content:
      own === undefined
        ? []
        : contentOf({ candidate: own, seedText: seedTextOf(own), fixed: input.fixed, ids: input.ids }),
    optimism: optimismOf(
      measured === null
        ? { ...selectableByInstances(candidates), units: "instances", measure: null, seed: seed?.id ?? null }
        : {
            selectable: selectableOf(judged, values),
            drawn: measured.drawn,
            units: "consultations",
            measure: objective?.primary ?? null,
            seed: seed?.id ?? null
          },
      settings
    ),
    flips:
      measured === null || ownJudged === undefined || seedJudged === undefined
        ? null
        : flipsOf(measured, seedJudged, ownJudged, { notes: input.notes, facts: input.facts }),
    cost: costOf(
      candidates,
      seedOf,
      new Map([...figures].map(([id, { primary }]) => [id, primary])),
      input.usage,
      size
    ),
    ablation: input.ablation
  }
}
