/** A run of two modules with merges, rejections, unreadable replies and failed calls: what the panes have to show. */
import { type Candidate, type CandidateId, candidateId } from "../../src/domain/Candidate.ts"
import type { Outcome, Outcomes } from "../../src/domain/Judgement.ts"
import { mulberry32 } from "../../src/domain/Random.ts"
import type { RejectionReason, RunEvent } from "../../src/domain/RunEvent.ts"
import { figuresOf } from "../../src/optimise/figures.ts"
import { indexTable } from "../../src/optimise/itemTable.ts"
import { wholeNoteScale } from "../../src/optimise/rewards.ts"

const consultations = [
  "asthma-review",
  "copd-exacerbation",
  "uti",
  "back-pain",
  "wheeze-in-a-toddler",
  "migraine"
].concat(["contraception", "hypertension", "rash", "depression", "gout", "medication-review"])

const table = {
  items: consultations.flatMap((consultation) =>
    ["clean", "a", "b"].map((note) => ({ id: `${consultation}/${note}`, consultation }))
  ),
  clean: consultations.map((consultation) => `${consultation}/clean`),
  pairs: consultations.flatMap((consultation) =>
    ["a", "b"].map((note) => ({
      id: `${consultation}-${note}`,
      flawed: `${consultation}/${note}`,
      clean: `${consultation}/clean`,
      class: "omission" as const
    }))
  ),
  lone: []
}
const index = indexTable(table)

const objective = {
  primary: { measure: "paired-discrimination" },
  secondary: { measure: "detection", maxFalseAlarms: 0.1 }
} as const

/** Scores of a judge that tells the flawed note from the clean one the better, the greater `skill` is, 0 to 1. */
const outcomesOf = (skill: number, seed: number, odd: Readonly<Record<string, Outcome>> = {}): Outcomes => {
  const next = mulberry32(seed)
  return Object.fromEntries(
    table.items.map(({ id }) => {
      const noise = (next() - 0.5) * 9 * (1 - skill)
      const score = Math.min(10, Math.max(0, (id.endsWith("clean") ? 7.5 : 7.5 - 3 * skill) + noise))
      return [id, odd[id] ?? { _tag: "scored", score: Math.round(score * 10) / 10 }]
    })
  )
}

const check = [
  "Read the transcript first and list what was said: symptoms, findings, medicines with dose and frequency, allergies, and what the patient was told to do.",
  "Then go through the note and tick off each item of the list.",
  "Do not mark a note down for its style."
]
const score = [
  "Give 10 to a note that holds everything that matters.",
  "Take off one point for each small omission and three for one that could harm the patient."
]
const text = (lines: ReadonlyArray<string>) => lines.join("\n\n")

const member = (
  name: string,
  instructions: Record<string, string>,
  parents: ReadonlyArray<Candidate> = [],
  iteration = 0
): Candidate => ({
  id: candidateId(instructions),
  name,
  origin: parents.length === 0 ? "seed" : parents.length === 1 ? "reflection" : "merge",
  parents: parents.map(({ id }): CandidateId => id),
  iteration,
  instructions
})

const first = member("completeness", { check: text(check), score: text(score) })
const second = member("faithfulness", { check: "Find what the transcript does not support.", score: text(score) })
const c3 = member(
  "c3",
  {
    check: text([check[0]!.replace("list what was said", "write down, one a line, what was said"), ...check.slice(1)]),
    score: text(score)
  },
  [first],
  2
)
const c4 = member(
  "c4",
  {
    check: text(check),
    score: text([
      score[0]!,
      "Take off two points for each omission that another doctor would act on, half a point for any other."
    ])
  },
  [first],
  4
)
const c5 = member("c5", { check: c3.instructions["check"]!, score: c4.instructions["score"]! }, [c3, c4], 6)
const c6 = member(
  "c6",
  {
    check: text([
      c5.instructions["check"]!,
      "Ask of each safety-net instruction: is it in the note, and does it say when to come back?",
      "A dose without its unit counts as missing."
    ]),
    score: c5.instructions["score"]!
  },
  [c5],
  7
)
const c7 = member(
  "c7",
  { check: "Check every claim of the note against the transcript.", score: text(score) },
  [second],
  9
)

const born = (
  candidate: Candidate,
  skill: number,
  seed: number,
  odd?: Readonly<Record<string, Outcome>>
): ReadonlyArray<RunEvent> => {
  const outcomes = outcomesOf(skill, seed, odd)
  return [
    { _tag: "candidate", candidate },
    {
      _tag: "evaluated",
      candidate: candidate.id,
      outcomes,
      figures: figuresOf(index, outcomes, objective, wholeNoteScale)
    }
  ]
}

const iteration = (
  number: number,
  parent: Candidate,
  module: string,
  instruction: string | null,
  reason: RejectionReason | null
): ReadonlyArray<RunEvent> => {
  const [before, after] = [0.5 + number / 100, reason === null ? 0.55 + number / 100 : 0.49]
  const detail =
    reason === null || reason === "not-better"
      ? `mean reward ${after.toFixed(3)} against the parent's ${before.toFixed(3)} on the same 12 notes`
      : "the reply holds no block with an instruction"
  return [
    { _tag: "iteration", iteration: number, parent: parent.id, module, minibatch: ["t1", "t2"] },
    { _tag: "parentJudged", iteration: number, outcomes: {}, reward: before },
    { _tag: "proposed", iteration: number, prompt: "the prompt", reply: "the reply", instruction, rejected: null },
    {
      _tag: "decided",
      iteration: number,
      parent: parent.id,
      accepted: reason === null,
      reason,
      detail,
      parentReward: before,
      childReward: reason === null || reason === "not-better" ? after : null,
      compared: 12
    }
  ]
}

const embedded = { provider: "embedded", model: "lexical-1" }
const failed = { "gout/a": { _tag: "failed", cause: "timeout" }, "uti/b": { _tag: "unparsed", reply: "?" } } as const

/** The events up to a proposal that is being judged. */
export const galleryUnderWay: ReadonlyArray<RunEvent> = [
  {
    _tag: "started",
    settings: {
      campaign: "gallery",
      models: { judge: embedded, reflection: embedded },
      judge: { design: "whole-note-score", samples: 1 },
      objective,
      search: { minibatch: { notes: 12, consultations: 4 }, maxInstructionLength: 6000, seed: 11 },
      split: "0",
      prompt: "0",
      seeds: [first.id, second.id]
    },
    acceptance: table
  },
  ...born(first, 0.35, 1),
  ...born(second, 0.2, 2),
  ...iteration(1, second, "check", "Find what is wrong.", "not-better"),
  ...iteration(2, first, "check", c3.instructions["check"]!, null),
  ...born(c3, 0.5, 3),
  ...iteration(3, c3, "score", null, "no-block"),
  ...iteration(4, first, "score", c4.instructions["score"]!, null),
  ...born(c4, 0.45, 4, failed),
  ...iteration(5, second, "score", "Give 10 or 0.", "not-better"),
  ...iteration(6, c3, "score", c5.instructions["score"]!, null),
  ...born(c5, 0.6, 5),
  ...iteration(7, c5, "check", c6.instructions["check"]!, null),
  ...born(c6, 0.75, 6),
  ...iteration(8, c6, "score", "Be harsh.", "not-better"),
  ...iteration(9, second, "check", c7.instructions["check"]!, null),
  ...born(c7, 0.25, 7),
  ...iteration(10, c6, "check", "Read, list, tick off.", "not-better"),
  ...iteration(
    11,
    c6,
    "score",
    "Give 10 to a note that misses nothing; 5 to one that misses one thing; else 0.",
    null
  ).slice(0, 3)
]

/** The whole run. */
export const galleryEvents: ReadonlyArray<RunEvent> = [
  ...galleryUnderWay,
  ...iteration(
    11,
    c6,
    "score",
    "Give 10 to a note that misses nothing; 5 to one that misses one thing; else 0.",
    "not-better"
  ).slice(3),
  { _tag: "stopped", reason: "stall", detail: "10 proposals in a row were rejected", iteration: 11, winner: c6.id }
]

/** When each event was written: 9 o'clock of some day, and 20 s apart; milliseconds since 1970. */
export const galleryTime = (sequence: number): number => Date.UTC(2026, 2, 4, 9, 0, 20 * sequence)
export const galleryIds = { c5: c5.id, c6: c6.id, first: first.id }
