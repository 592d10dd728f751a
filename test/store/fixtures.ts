import type { DatabaseSync } from "node:sqlite"
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

/** Makes a store what the first version left: no later migration can have been run before the ones between. */
export const toFirstVersion = (database: DatabaseSync): void => {
  database.exec("PRAGMA foreign_keys = OFF")
  const first = new Set(["runs", "events", "judgements", "calls", "uses", "sessions", "migrations"])
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all() as Array<{
    readonly name: string
  }>
  for (const { name } of tables)
    if (!first.has(name) && !name.startsWith("sqlite_")) database.exec(`DROP TABLE ${name}`)
  database.exec("ALTER TABLE events DROP COLUMN sha256")
  for (const table of ["judgements", "calls"])
    for (const column of ["cache_write", "estimated"]) database.exec(`ALTER TABLE ${table} DROP COLUMN ${column}`)
  database.exec("DELETE FROM migrations WHERE migration_id > 1")
}
