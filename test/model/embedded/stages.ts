import { sha256 } from "../../../src/domain/hash.ts"
import { callSeed } from "../../../src/domain/Random.ts"
import * as audit from "../../../src/judge/stages/audit.ts"
import * as check from "../../../src/judge/stages/check.ts"
import * as checklist from "../../../src/judge/stages/checklist.ts"
import * as extract from "../../../src/judge/stages/extract.ts"
import * as secondLook from "../../../src/judge/stages/secondLook.ts"
import * as yesNo from "../../../src/judge/stages/yesNo.ts"
import { answer } from "../../../src/model/embedded/answer.ts"
import type { Message } from "../../../src/model/LanguageModel.ts"

/** One call, as a runner makes it: the seed is the run's, the subject's and the sample's. */
export const ask = (messages: ReadonlyArray<Message>, about: string, runSeed: number, sample = 0): string =>
  answer({ messages, seed: callSeed(runSeed, sha256(about), sample) }).text

export interface PipelineTexts {
  readonly extract: string
  readonly audit?: string
  readonly check: string
  readonly secondLook?: string
}

const weights = { critical: 4, supporting: 2, peripheral: 1 } as const
const credits = { full: 1, present: 1, partial: 0.5, absent: 0 } as const

const listed = new Map<string, ReadonlyArray<{ readonly id: string; readonly text: string; readonly weight: number }>>()

/** The facts of a transcript, by extraction and audit; the answers are kept, as a run keeps them. */
export const factsOf = (transcript: string, texts: PipelineTexts, runSeed: number) => {
  const key = sha256(JSON.stringify([transcript, texts, runSeed]))
  const known = listed.get(key)
  if (known !== undefined) return known
  const extracted = extract.parse(ask(extract.messages({ transcript }, texts.extract), transcript, runSeed))
  const facts = extracted.kind === "facts" ? extracted.facts : []
  const audited =
    texts.audit === undefined || facts.length === 0
      ? undefined
      : audit.parse(ask(audit.messages({ transcript, facts }, texts.audit), transcript, runSeed), {
          ids: facts.map(({ id }) => id)
        })
  const kept =
    audited === undefined
      ? facts.map((fact) => ({ ...fact, weight: 1 }))
      : audited.kind === "unreadable"
        ? []
        : facts.flatMap((fact) => {
            const severity = audited.kept.get(fact.id)
            return severity === undefined ? [] : [{ ...fact, weight: weights[severity] }]
          })
  listed.set(key, kept)
  return kept
}

/** The capture score of the two-stage or three-stage pipeline; NaN where a reply could not be read. */
export const pipelineScore = (transcript: string, note: string, texts: PipelineTexts, runSeed: number): number => {
  const facts = factsOf(transcript, texts, runSeed)
  if (facts.length === 0) return Number.NaN
  const scale = texts.audit === undefined ? "present-absent" : "full-partial-absent"
  const ids = facts.map(({ id }) => id)
  const about = JSON.stringify([transcript, note])
  const bare = facts.map(({ id, text }) => ({ id, text }))
  const checked = check.parse(
    ask(check.messages({ transcript, note, facts: bare, scale }, texts.check), about, runSeed),
    { ids, scale }
  )
  if (checked.kind === "unreadable" || checked.missing.length > 0) return Number.NaN
  const gone = bare.filter(({ id }) => checked.verdicts.get(id)!.verdict === "absent")
  const looked =
    texts.secondLook === undefined || gone.length === 0
      ? undefined
      : secondLook.parse(ask(secondLook.messages({ note, facts: gone }, texts.secondLook), about, runSeed), {
          ids: gone.map(({ id }) => id),
          note
        })
  const rescued = looked?.kind === "rescues" ? looked.rescued : new Map<string, string>()
  const total = facts.reduce((sum, { weight }) => sum + weight, 0)
  return (
    facts.reduce(
      (sum, { id, weight }) =>
        sum + weight * (rescued.has(id) ? credits.partial : credits[checked.verdicts.get(id)!.verdict]),
      0
    ) / total
  )
}

/** 1 for a note that passes, 0 for one that is flagged, on average over `k` samples. */
export const yesNoScore = (transcript: string, note: string, instruction: string, runSeed: number, k = 1): number => {
  const messages = yesNo.messages({ transcript, note }, instruction)
  const flags = Array.from({ length: k }, (_, sample) =>
    yesNo.parse(ask(messages, JSON.stringify([transcript, note]), runSeed, sample))
  ).flatMap((parsed) => (parsed.kind === "flag" ? [parsed.flagged] : []))
  return flags.length === 0 ? Number.NaN : 1 - flags.filter((flagged) => flagged).length / flags.length
}

export const checklistScore = (transcript: string, note: string, instruction: string, runSeed: number): number => {
  const messages = checklist.messages({ transcript, note }, instruction)
  const parsed = checklist.parse(ask(messages, JSON.stringify([transcript, note]), runSeed))
  return parsed.kind === "checklist" ? parsed.share : Number.NaN
}
