import { captureDesign } from "./pipeline.ts"
import { perFact } from "./wordings.ts"

/** Mean coverage of the facts of the transcript, partial ones by half: neither audit nor severity nor second look [OB §7.5]. */
export const coverage = captureDesign({
  name: "coverage",
  summary: "facts listed from the transcript, each full, partial or absent in the note; mean coverage",
  scale: "full-partial-absent",
  instruction: perFact.check.coverage
})
