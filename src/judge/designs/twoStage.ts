import { captureDesign } from "./pipeline.ts"
import { perFact } from "./wordings.ts"

/** Facts from the transcript, each present or absent; the score is the share present, "partial" counted as present [OB §7.1]. */
export const twoStage = captureDesign({
  name: "two-stage",
  summary: "facts listed from the transcript, each looked for in the note; the share that is present",
  scale: "present-absent",
  instruction: perFact.check.twoStage
})
