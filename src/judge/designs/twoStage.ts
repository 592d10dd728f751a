import { winsorisedMean } from "../../statistics/winsorisedMean.ts"
import { type Design, shares } from "../Design.ts"
import { checkModule, checkStage, extractModule, extractStage, factFindings, shareCaptured } from "./pipeline.ts"
import { perFact } from "./wordings.ts"

const scale = "present-absent"

/** Facts from the transcript, each present or absent; the score is the share present, "partial" counted as present [OB §7.1]. */
export const twoStage: Design = {
  name: "two-stage",
  summary: "facts listed from the transcript, each looked for in the note; the share that is present",
  modules: [extractModule, checkModule(scale, perFact.check.twoStage)],
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
