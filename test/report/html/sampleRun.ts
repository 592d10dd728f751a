import { type Candidate, candidateId } from "../../../src/domain/Candidate.ts"
import type { Outcome, Outcomes } from "../../../src/domain/Judgement.ts"
import { mulberry32 } from "../../../src/domain/Random.ts"
import type { ItemTable, RunEvent, RunSettings } from "../../../src/domain/RunEvent.ts"
import { figuresOf } from "../../../src/optimise/figures.ts"
import { indexTable } from "../../../src/optimise/itemTable.ts"
import { wholeNoteScale } from "../../../src/optimise/rewards.ts"
import type { ReportInput } from "../../../src/report/html/ReportInput.ts"

export interface SampleOptions {
  readonly candidates: number
  readonly consultations: number
  /** Flawed notes a consultation, beside its clean one. */
  readonly flawed: number
  readonly rejected?: number
  /** Characters of an instruction, about. */
  readonly instruction?: number
  /** Characters of a note, about. */
  readonly note?: number
  /** Stands in every text and every name. */
  readonly hostile?: string
  /** A line of its own in every note and every instruction. */
  readonly line?: string
  readonly model?: string
}

const stock =
  "check whether the note records every dose allergy symptom duration plan and safety net advice that the patient or the doctor mentioned in the consultation and compare each figure with care before you give a score".split(
    " "
  )

/** Lines of words that are nowhere the same, about as long in all. */
const prose = (random: () => number, characters: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (let size = 0; size < characters; ) {
    const line = Array.from({ length: 12 }, () => stock[Math.floor(random() * stock.length)]).join(" ")
    lines.push(`${line}, ${Math.floor(random() * 1e6)}.`)
    size += line.length + 9
  }
  return lines
}

/** A run made of chance, with the texts of its notes: the shape of a real one, of any size. */
export const sampleRun = (options: SampleOptions): ReportInput => {
  const { candidates, consultations, flawed, hostile = "" } = options
  const random = mulberry32(7)
  const line = options.line === undefined ? [] : [options.line]
  const classes = ["omission", "addition", "alteration"] as const
  const items: Array<{ id: string; consultation: string }> = []
  const clean: Array<string> = []
  const pairs: Array<ItemTable["pairs"][number]> = []
  const notes = new Map<string, string>()
  const facts = new Map<string, { readonly fact?: string; readonly residual: ReadonlyArray<string> }>()
  for (let c = 0; c < consultations; c++) {
    const consultation = `consultation-${c}${hostile}`
    const text = [...prose(random, options.note ?? 600), ...line]
    clean.push(`${consultation}/clean`)
    items.push({ id: `${consultation}/clean`, consultation })
    notes.set(`${consultation}/clean`, `${text.join("\n")}${hostile}`)
    for (let f = 0; f < flawed; f++) {
      const id = `${consultation}/flawed-${f}`
      items.push({ id, consultation })
      notes.set(id, `${text.filter((_, at) => at !== f % text.length).join("\n")}${hostile}`)
      pairs.push({
        id: `${consultation}/p${f}`,
        flawed: id,
        clean: `${consultation}/clean`,
        class: classes[f % 3]!,
        trace: "complete",
        severity: "critical"
      })
      facts.set(`${consultation}/p${f}`, { fact: `a fact ${f}${hostile}`, residual: [`a mention ${hostile}`] })
    }
  }
  const table: ItemTable = { items, clean, pairs, lone: [] }
  const index = indexTable(table)
  const objective = {
    primary: { measure: "paired-discrimination" },
    secondary: { measure: "detection", maxFalseAlarms: 0.1 }
  } as const
  const outcomesOf = (skill: number): Outcomes =>
    Object.fromEntries(
      items.map(({ id }): readonly [string, Outcome] => {
        const chance = random()
        if (chance < 0.002) return [id, { _tag: "failed", cause: `no answer ${hostile}` }]
        if (chance < 0.006) return [id, { _tag: "unparsed", reply: `I will not score this ${hostile}` }]
        const score = Math.min(10, Math.max(0, 6 + 4 * random() - (id.endsWith("/clean") ? 0 : skill * 3 * random())))
        return [id, { _tag: "scored", score: Math.round(score * 10) / 10, reason: `because ${hostile}` }]
      })
    )
  const events: Array<RunEvent> = []
  const settings: RunSettings = {
    campaign: `sample${hostile}`,
    models: {
      judge: { provider: options.model ?? "openai", model: `m${hostile}` },
      reflection: { provider: "openai", model: "m" }
    },
    judge: { design: "whole-note-score", samples: 1 },
    objective,
    search: { minibatch: { notes: 4, consultations: 2 }, maxInstructionLength: 20_000, seed: 3 },
    split: "a".repeat(64),
    prompt: "b".repeat(64),
    seeds: []
  }
  events.push({ _tag: "started", settings, acceptance: table })
  const born: Array<{ candidate: Candidate; lines: ReadonlyArray<string> }> = []
  const bear = (lines: ReadonlyArray<string>, more: Pick<Candidate, "name" | "origin" | "parents" | "iteration">) => {
    const instructions = { judge: `${lines.join("\n")}${hostile}` }
    const candidate: Candidate = { id: candidateId(instructions), ...more, instructions }
    events.push({ _tag: "candidate", candidate })
    const outcomes = outcomesOf(0.2 + 0.7 * random())
    const figures = figuresOf(index, outcomes, objective, wholeNoteScale)
    events.push({ _tag: "evaluated", candidate: candidate.id, outcomes, figures })
    born.push({ candidate, lines })
  }
  const length = options.instruction ?? 500
  for (const name of ["first", "second"])
    bear([...prose(random, length), ...line], { name: `${name}${hostile}`, origin: "seed", parents: [], iteration: 0 })
  const changed = (lines: ReadonlyArray<string>) => {
    const fresh = prose(random, length * 0.3)
    const at = Math.floor(random() * lines.length)
    return [...lines.slice(0, at), ...fresh, ...lines.slice(at + fresh.length)]
  }
  const total = candidates - 2 + (options.rejected ?? 3)
  for (let iteration = 1; iteration <= total; iteration++) {
    const parent = born[Math.floor(random() * born.length)]!
    const accepted = born.length < candidates && (iteration % 2 === 0 || total - iteration < candidates - born.length)
    const lines = changed(parent.lines)
    const instruction = `${lines.join("\n")}${hostile}`
    const at = { iteration, parent: parent.candidate.id }
    events.push({ _tag: "iteration", ...at, module: "judge", minibatch: [items[0]!.id] })
    events.push({ _tag: "parentJudged", iteration, outcomes: {}, reward: 0.5 })
    const unread = !accepted && iteration % 5 === 0
    events.push({
      _tag: "proposed",
      iteration,
      prompt: `SECRET OF THE TRAIN PART ${hostile}`,
      reply: unread ? `no block ${hostile}` : instruction,
      instruction: unread ? null : instruction,
      rejected: unread ? { reason: "no-block", detail: "no block" } : null
    })
    if (!unread)
      events.push({
        _tag: "childJudged",
        iteration,
        child: candidateId({ judge: instruction }),
        outcomes: {},
        reward: 0.6
      })
    events.push({
      _tag: "decided",
      ...at,
      accepted,
      reason: accepted ? null : unread ? "no-block" : "not-better",
      detail: `in words ${hostile}`,
      parentReward: 0.5,
      childReward: accepted ? 0.6 : unread ? null : 0.4,
      compared: unread ? 0 : 4
    })
    if (accepted)
      bear(lines, { name: `c${born.length + 1}`, origin: "reflection", parents: [parent.candidate.id], iteration })
  }
  events.push({ _tag: "stopped", reason: "iterations", detail: "all done", iteration: total, winner: null })
  const start = Date.UTC(2026, 0, 1)
  const logged = events.map((event, sequence) => ({ event, sequence, time: start + sequence * 1000 }))
  return {
    version: "0.0.0",
    made: "2026-01-02T03:04:05.000Z",
    run: {
      id: "sample-1",
      campaignFile: "/somewhere/campaign.yaml",
      created: start,
      settings,
      settingsHash: "c".repeat(64)
    },
    logged,
    usage: { calls: 1000, answered: 1000, tokens: 123_456, usd: 1.25, unpriced: 0, seconds: 77 },
    series: Array.from({ length: 100 }, (_, at) => ({
      until: start + at * 4000,
      calls: 10,
      tokens: 1234,
      usd: 0.0125,
      unpriced: 0
    })),
    campaign: { budget: { usd: 2, calls: 2000 }, iterations: total },
    confirmations: [],
    texts: { kind: "known", texts: { notes, pairs: facts } },
    audit: "nobody made one."
  }
}
