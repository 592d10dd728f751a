import { winsorisedMean } from "../../statistics/winsorisedMean.ts"
import { type Design, shares } from "../Design.ts"
import {
  auditModule,
  auditStage,
  checkModule,
  checkStage,
  criticalAbsent,
  extractModule,
  extractStage,
  factFindings,
  secondLookModule,
  secondLookStage,
  shareCaptured
} from "./pipeline.ts"
import { perFact } from "./wordings.ts"

const scale = "full-partial-absent"

/**
 * Facts from the transcript, audited and graded by severity, each full, partial or absent, the absent ones looked for
 * again; the score is severity-weighted capture, and a note is flagged if a critical fact is absent [OB §7.1, §C.1].
 */
export const threeStage: Design = {
  name: "three-stage",
  summary: "facts listed, audited, checked and looked for again; capture weighted by severity",
  modules: [extractModule, auditModule, checkModule(scale, perFact.check.threeStage), secondLookModule],
  stages: [extractStage, auditStage, checkStage(scale), secondLookStage],
  scale: shares,
  conclude: (work) => {
    const score = shareCaptured(work, true)
    const unweighted = shareCaptured(work, false)
    if (score === null || unweighted === null) return null
    const findings = factFindings(work)
    return { score, findings, flagged: criticalAbsent(findings), details: { unweighted, ...work.counts } }
  },
  join: (scores) => winsorisedMean(scores)!,
  wordings: [],
  repeats: [1]
}
