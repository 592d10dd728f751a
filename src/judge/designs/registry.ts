import type { JudgeConfig } from "../../domain/Campaign.ts"
import type { DesignName } from "../../domain/DesignName.ts"
import type { Design } from "../Design.ts"
import { checklist } from "./checklist.ts"
import { consensus } from "./consensus.ts"
import { coverage } from "./coverage.ts"
import { rubric } from "./rubric.ts"
import { threeStage } from "./threeStage.ts"
import { twoStage } from "./twoStage.ts"
import { wholeNoteScore } from "./wholeNoteScore.ts"
import { wholeNoteYesNo } from "./yesNo.ts"

/** Every design by its name; those that have options are made from them. */
const designs: Readonly<Record<DesignName, (judge: JudgeConfig) => Design>> = {
  "whole-note-score": () => wholeNoteScore,
  "whole-note-yes-no": () => wholeNoteYesNo,
  checklist: () => checklist,
  "two-stage": () => twoStage,
  "three-stage": () => threeStage,
  coverage: () => coverage,
  rubric: ({ criteria }) => rubric(criteria),
  consensus: (judge) => consensus(judge, designOf)
}

/** The design of a judge, with its options. */
export const designOf = (judge: JudgeConfig): Design => designs[judge.design](judge)
