import { applyEdit, readSources } from "../../../scripts/quickstart/source.ts"
import { sha256 } from "../../../src/domain/hash.ts"
import { callSeed } from "../../../src/domain/Random.ts"
import { parseScore } from "../../../src/judge/parseScore.ts"
import { maxScore, messages } from "../../../src/judge/wholeNoteScore.ts"
import { answer } from "../../../src/model/embedded/answer.ts"

const folder = new URL("../../../campaigns/quickstart/source", import.meta.url).pathname

export const sources = readSources(folder)

/** What the stand-in's figures are measured on must be there. */
export const enough = sources.length >= 24

export interface TestPair {
  readonly class: "omission" | "addition" | "alteration"
  readonly trace: string | undefined
  readonly transcript: string
  readonly clean: string
  readonly flawed: string
}

export const pairs: ReadonlyArray<TestPair> = sources.flatMap((source) =>
  source.edits.map((edit) => ({
    class: edit.class,
    trace: edit.trace,
    transcript: source.transcript,
    clean: source.note,
    flawed: applyEdit(source.note, edit)
  }))
)

export const omissions = pairs.filter((pair) => pair.class === "omission")
export const commissions = pairs.filter((pair) => pair.class !== "omission")

const runSeeds = [11, 22, 33, 44, 55]

/** One judge call, by way of the prompt, as a campaign makes it; NaN where the reply cannot be read. */
export const scoreOf = (transcript: string, note: string, instruction: string, runSeed: number): number => {
  const reply = answer({
    messages: messages({ transcript, note }, instruction),
    seed: callSeed(runSeed, sha256(JSON.stringify([transcript, note])), 0)
  })
  const parsed = parseScore(reply.text, maxScore)
  return parsed.kind === "score" ? parsed.score : Number.NaN
}

export interface Figures {
  readonly discrimination: number
  /** Share of all notes below 7. */
  readonly flagged: number
  readonly ties: number
}

/** Over five seeds. Pairs without two readable replies are left out. */
export const measure = (over: ReadonlyArray<TestPair>, instruction: string): Figures => {
  let wins = 0
  let ties = 0
  let flags = 0
  let n = 0
  for (const seed of runSeeds) {
    for (const pair of over) {
      const clean = scoreOf(pair.transcript, pair.clean, instruction, seed)
      const flawed = scoreOf(pair.transcript, pair.flawed, instruction, seed)
      if (Number.isNaN(clean) || Number.isNaN(flawed)) continue
      n++
      if (flawed < clean) wins++
      else if (flawed === clean) ties++
      flags += Number(clean < 7) + Number(flawed < 7)
    }
  }
  return { discrimination: (wins + ties / 2) / n, flagged: flags / (2 * n), ties: ties / n }
}
