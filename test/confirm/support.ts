import { preregistrationHash } from "../../src/confirm/preregistration.ts"
import { type CandidateId, candidateId } from "../../src/domain/Candidate.ts"
import type { LedgerEntry } from "../../src/domain/Ledger.ts"
import type { Contender, Preregistration } from "../../src/domain/Preregistration.ts"

const contender = (name: string): Contender => {
  const instructions = { judge: `Judge as ${name} does.` }
  return { id: candidateId(instructions), name, instructions }
}

const hash = (digit: string) => digit.repeat(64)

export const document: Preregistration = {
  format: "assize-preregistration/1",
  summary: "A promise for tests.",
  run: "test-1",
  campaign: "test",
  split: { name: "test", hash: hash("1") },
  candidate: contender("evolved"),
  baselines: [contender("seed")],
  judge: { design: "whole-note-score", samples: 1 },
  model: { provider: "embedded", model: "lexical-1" },
  prompt: hash("2"),
  replicates: [11, 22, 33],
  primary: { measure: "paired-discrimination", classes: ["omission"] },
  secondary: { measure: "detection", classes: ["omission"], maxFalseAlarms: 0.1 },
  cap: 0.1,
  tests: {
    primary: "cluster-swap",
    alpha: 0.05,
    secondary: ["detection (McNemar)", "false alarms (McNemar)", "own false alarms", "control"],
    adjustment: "holm",
    seed: 11,
    resamples: 2000
  },
  gate: { acceptance: { primary: 0.02, secondary: 0.02 }, holdout: { primary: 0 } }
}

export const candidate: CandidateId = document.candidate.id

const common = {
  time: "2026-11-30T10:00:00.000Z",
  user: "tester",
  split: document.split.hash,
  preregistration: preregistrationHash(document),
  candidate,
  purpose: "a question"
}

export const entry = (): LedgerEntry => ({
  kind: "preregistration",
  ...common,
  digest: { name: "test", hash: document.split.hash, sections: { train: hash("3"), seed: hash("4") } },
  document
})

export const unsealingEntry = (again: string | null = null): LedgerEntry => ({ kind: "unsealing", ...common, again })

export const readOutEntry = (unsealing: string): LedgerEntry => ({
  kind: "read-out",
  ...common,
  unsealing,
  readOut: hash("5"),
  decision: "passed"
})
