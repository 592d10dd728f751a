import { winsorisedMean } from "../../statistics/winsorisedMean.ts"
import { type Design, shares } from "../Design.ts"
import { checkModule, checkStage, extractModule, extractStage, factFindings, shareCaptured } from "./pipeline.ts"
import { perFact } from "./wordings.ts"

const scale = "full-partial-absent"

/** Mean coverage of the facts of the transcript, partial ones by half: neither audit nor severity nor second look [OB §7.5]. */
export const coverage: Design = {
  name: "coverage",
  summary: "facts listed from the transcript, each full, partial or absent in the note; mean coverage",
  modules: [extractModule, checkModule(scale, perFact.check.coverage)],
  stages: [extractStage, checkStage(scale)],
  scale: shares,
  conclude: (work) => {
    const score = shareCaptured(work, false)
    return score === null ? null : { score, findings: factFindings(work), details: { ...work.counts } }
  },
  join: (scores) => winsorisedMean(scores)!,
  wordings: [],
  repeats: [1]
}
