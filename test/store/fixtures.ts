import { CandidateId } from "../../src/domain/Candidate.ts"
import type { RunEvent, RunSettings } from "../../src/domain/RunEvent.ts"

export const settings: RunSettings = {
  campaign: "Quick start",
  models: { judge: { provider: "embedded" }, reflection: { provider: "embedded" } },
  judge: { design: "whole-note-score", samples: 1 },
  objective: { primary: { measure: "paired-discrimination" } },
  search: { minibatch: { notes: 12, consultations: 4 }, maxInstructionLength: 6000, seed: 11 },
  split: "a".repeat(64),
  prompt: "b".repeat(64),
  seeds: [CandidateId.make("0123456789ab")]
}

export const newRun = { campaignFile: "/campaigns/campaign.yaml", settings }

export const iterationEvent = (iteration: number): RunEvent => ({
  _tag: "iteration",
  iteration,
  parent: CandidateId.make("0123456789ab"),
  module: "judge",
  minibatch: ["c1/n1", "c1/n2", "患者/🩺"]
})

/** An event as large as they get: a candidate's outcomes on `items` notes. */
export const outcomesEvent = (items: number): RunEvent => ({
  _tag: "childJudged",
  iteration: 1,
  child: CandidateId.make("0123456789ab"),
  outcomes: Object.fromEntries(
    Array.from({ length: items }, (_, index) => [
      `consultation-${index}/note`,
      { _tag: "scored" as const, score: index % 11, reason: "The note leaves out the safety-netting advice." }
    ])
  ),
  reward: 0.5
})
