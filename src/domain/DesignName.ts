import * as Schema from "effect/Schema"

/** The judge designs that there are; what each is stands in `judge/designs`. */
export const DesignName = Schema.Literals([
  "whole-note-score",
  "whole-note-yes-no",
  "checklist",
  "two-stage",
  "three-stage",
  "coverage",
  "rubric",
  "consensus"
])
export type DesignName = typeof DesignName.Type
