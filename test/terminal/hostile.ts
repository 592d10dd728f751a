import { type Candidate, type CandidateId, candidateId } from "../../src/domain/Candidate.ts"
import type { Outcomes } from "../../src/domain/Judgement.ts"
import type { RunEvent } from "../../src/domain/RunEvent.ts"
import { figuresOf } from "../../src/optimise/figures.ts"
import { indexTable } from "../../src/optimise/itemTable.ts"
import { RunState } from "../../src/optimise/RunState.ts"
import { wholeNoteScale } from "../../src/optimise/rewards.ts"

/** Names that a screen must survive. */
export const hostileNames: ReadonlyArray<string> = [
  "plain",
  "\u001b]0;owned\u0007\u001b[2J\u001b[31mred\u001b[0m\u009b5m",
  "مرحبا بالعالم \u202eدرس\u202c",
  "👩‍⚕️🩺❤️ 病历记录评审员全角文字ＡＢＣ",
  "x".repeat(5000),
  "line\nbreak\r\ttab",
  "e\u0301\u0301\u0301 zalgo",
  "가나다 한국어"
]

const pairs = 40
/** The last is hostile, too. */
const consultationOf = (pair: number) => (pair < pairs - 4 ? `v${Math.floor(pair / 4)}` : hostileNames[1]!)

const table = {
  items: Array.from({ length: pairs }, (_, at) => [
    { id: `f${at}`, consultation: consultationOf(at) },
    { id: `c${at}`, consultation: consultationOf(at) }
  ]).flat(),
  clean: Array.from({ length: pairs }, (_, at) => `c${at}`),
  pairs: Array.from({ length: pairs }, (_, at) => ({
    id: `p${at}`,
    flawed: `f${at}`,
    clean: `c${at}`,
    class: "omission" as const
  })),
  lone: []
}

const objective = {
  primary: { measure: "paired-discrimination" },
  secondary: { measure: "detection", maxFalseAlarms: 0.1 }
} as const

/** Scores under which a candidate ranks the first `wins` pairs right, ties the next, and gets the last `losses` wrong. */
export const outcomesWith = (wins: number, losses: number, unreadable: ReadonlyArray<string> = []): Outcomes =>
  Object.fromEntries(
    table.items.map(({ id }) => {
      const pair = Number(id.slice(1))
      const flawed = id.startsWith("f")
      const score = !flawed ? 7 : pair < wins ? 4 : pair < pairs - losses ? 7 : 9
      return [id, unreadable.includes(id) ? { _tag: "unparsed", reply: "?" } : { _tag: "scored", score }]
    })
  )

export const candidate = (
  name: string,
  text: string,
  parents: ReadonlyArray<CandidateId> = [],
  iteration = 0
): Candidate => {
  const instructions = { judge: text }
  return {
    id: candidateId(instructions),
    name,
    origin: parents.length === 0 ? "seed" : "reflection",
    parents,
    iteration,
    instructions
  }
}

const embedded = { provider: "embedded", model: "lexical-1" }

export const startedEvent = (
  seeds: ReadonlyArray<Candidate>,
  campaign = "quickstart",
  judge: unknown = embedded
): RunEvent => ({
  _tag: "started",
  settings: {
    campaign,
    models: { judge, reflection: judge },
    judge: { design: "whole-note-score", samples: 1 },
    objective,
    search: { minibatch: { notes: 12, consultations: 4 }, maxInstructionLength: 6000, seed: 11 },
    split: "0",
    prompt: "0",
    seeds: seeds.map(({ id }) => id)
  },
  acceptance: table
})

export const evaluatedEvent = (of: Candidate, outcomes: Outcomes): RunEvent => ({
  _tag: "evaluated",
  candidate: of.id,
  outcomes,
  figures: figuresOf(indexTable(table), outcomes, objective, wholeNoteScale)
})

const iterationEvents = (
  iteration: number,
  parent: Candidate,
  verdict: Partial<Extract<RunEvent, { _tag: "decided" }>>
): ReadonlyArray<RunEvent> => [
  { _tag: "iteration", iteration, parent: parent.id, module: "judge", minibatch: ["t1", "t2"] },
  { _tag: "parentJudged", iteration, outcomes: {}, reward: 0.6 },
  {
    _tag: "proposed",
    iteration,
    prompt: `p ${hostileNames[1]}`,
    reply: `r ${hostileNames[1]}`,
    instruction: null,
    rejected: null
  },
  {
    _tag: "decided",
    iteration,
    parent: parent.id,
    accepted: false,
    reason: "not-better",
    detail: "mean reward 0.600 against the parent's 0.600 on the same 12 notes",
    parentReward: 0.6,
    childReward: 0.6,
    compared: 12,
    ...verdict
  }
]

/** Two seeds, an accepted child that beats both, and two rejections. */
export const smallRun = (names: readonly [string, string, string] = ["completeness", "faithfulness", "c3"]) => {
  const first = candidate(names[0], "Find what is missing.")
  const second = candidate(names[1], "Find what is wrong.")
  const child = candidate(names[2], "List each fact, then look for it.", [first.id], 1)
  const events: ReadonlyArray<RunEvent> = [
    startedEvent([first, second]),
    { _tag: "candidate", candidate: first },
    { _tag: "candidate", candidate: second },
    evaluatedEvent(first, outcomesWith(16, 8)),
    evaluatedEvent(second, outcomesWith(12, 12, ["f39"])),
    ...iterationEvents(1, first, {
      accepted: true,
      reason: null,
      childReward: 0.7,
      detail: "mean reward 0.700 against the parent's 0.600 on the same 12 notes"
    }),
    { _tag: "candidate", candidate: child },
    evaluatedEvent(child, outcomesWith(30, 4)),
    ...iterationEvents(2, child, {}),
    ...iterationEvents(3, child, {
      reason: "copies-notes",
      detail:
        'copies eight words in a row from the train part: "the patient takes ramipril five milligrams every morning"',
      childReward: null
    })
  ]
  return { events, first, second, child }
}

/** The events of a run whose every text is hostile, with more candidates on the frontier than a screen has lines. */
export const hostileEvents = (): ReadonlyArray<RunEvent> => {
  const seeds = hostileNames.map((name, at) => candidate(name, `seed ${at}\n\n${hostileNames.join(" ")}`))
  const events: Array<RunEvent> = [
    startedEvent(seeds, hostileNames.join(" "), {
      provider: "openai",
      model: hostileNames[1],
      baseUrl: `http://${"y".repeat(400)}`
    }),
    ...seeds.map((seed): RunEvent => ({ _tag: "candidate", candidate: seed })),
    ...seeds.map((seed, at) => evaluatedEvent(seed, outcomesWith(10 + at, 10 - at)))
  ]
  for (let iteration = 1; iteration <= 30; iteration++) {
    const parent = seeds[iteration % seeds.length]!
    const other = seeds[(iteration + 1) % seeds.length]!
    const name = hostileNames[iteration % hostileNames.length]!
    events.push(...iterationEvents(iteration, parent, { reason: "placeholder", detail: name, childReward: null }))
    const parents = iteration % 3 === 0 ? [parent.id, other.id] : [parent.id]
    const child = candidate(
      `${iteration} ${name}`,
      `child ${iteration}\n${[...hostileNames].reverse().join("\n")}`,
      parents,
      iteration
    )
    events.push({ _tag: "candidate", candidate: child })
    events.push(evaluatedEvent(child, outcomesWith(10 + (iteration % 20), iteration % 10)))
  }
  return events
}

export const hostileRun = (): RunState => {
  const state = new RunState()
  for (const event of hostileEvents()) state.apply(event)
  return state
}

/** Control characters and whatever else must not reach a terminal, apart from line feeds. */
export const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/
