import type { CandidateCost } from "./Audit.ts"
import type { AuditCandidate, AuditUsage } from "./AuditInput.ts"
import { type Sizer, wholeText } from "./lineage.ts"

/** Length, tokens and money of each candidate beside what it gained on its seed. Method §7.7. */
export const costOf = (
  candidates: ReadonlyArray<AuditCandidate>,
  seedOf: (candidate: AuditCandidate) => AuditCandidate,
  primary: ReadonlyMap<string, number | null>,
  usage: ReadonlyMap<string, AuditUsage>,
  size: Sizer
): ReadonlyArray<CandidateCost> =>
  candidates.map((candidate) => {
    const used = usage.get(candidate.id)
    const seed = seedOf(candidate)
    const [own, seeds] = [primary.get(candidate.id) ?? null, primary.get(seed.id) ?? null]
    const perNote = (total: number | null | undefined) =>
      used === undefined || total === undefined || total === null || used.notes === 0 ? null : total / used.notes
    return {
      candidate: candidate.id,
      size: size(wholeText(candidate)),
      answers: used?.answers ?? 0,
      inputTokens: perNote(used?.input),
      outputTokens: perNote(used?.output),
      usd: perNote(used?.usd),
      primary: own,
      gain: own === null || seeds === null ? null : own - seeds,
      growth: size(wholeText(candidate)).characters - size(wholeText(seed)).characters
    }
  })
