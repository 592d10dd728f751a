import type { Severity } from "../../domain/Dataset.ts"
import type { Finding } from "../../domain/Judgement.ts"
import { winsorisedMean } from "../../statistics/winsorisedMean.ts"
import {
  type Design,
  type FactVerdict,
  type ListedFact,
  type Module,
  type Stage,
  shares,
  type Work
} from "../Design.ts"
import { counted, keyedQuestion, question } from "../question.ts"
import * as audit from "../stages/audit.ts"
import * as check from "../stages/check.ts"
import * as extract from "../stages/extract.ts"
import * as secondLook from "../stages/secondLook.ts"
import { perFact } from "./wordings.ts"

/** The stages of judges that list facts and look for each in the note [OB §7.1, §C.1]; designs put them together. */

export const extractModule: Module = {
  name: "extract",
  preamble: extract.preamble,
  contract: extract.contract,
  instruction: perFact.extract
}

export const auditModule: Module = {
  name: "audit",
  preamble: audit.preamble,
  contract: audit.contract,
  instruction: perFact.audit
}

export const checkModule = (scale: check.Scale, instruction: string): Module => ({
  name: "check",
  preamble: check.preamble,
  contract: check.contracts[scale],
  instruction
})

export const secondLookModule: Module = {
  name: "second-look",
  preamble: secondLook.preamble,
  contract: secondLook.contract,
  instruction: perFact.secondLook
}

/** Without the severity: no prompt after the audit may show it. */
const bare = ({ id, text }: ListedFact) => ({ id, text })

export const extractStage: Stage = {
  name: "extract",
  module: "extract",
  sees: "transcript",
  per: "consultation",
  outputTokens: 700,
  questions: (view, _, instruction) => [
    question({
      messages: extract.messages(view, instruction),
      answer: extract.answer,
      parse: extract.parse,
      retry: extract.retryMessages,
      work:
        ({ facts }) =>
        (before) => ({ ...before, facts })
    })
  ]
}

export const auditStage: Stage = {
  name: "audit",
  module: "audit",
  sees: "transcript",
  per: "consultation",
  outputTokens: 500,
  questions: (view, { facts = [] }, instruction) => [
    keyedQuestion({
      messages: audit.messages({ ...view, facts: facts.map(bare) }, instruction),
      answer: audit.answer,
      ids: facts.map(({ id }) => id),
      parse: (text, ids) => audit.parse(text, { ids }),
      combined: audit.combined,
      retry: audit.retryMessages,
      work:
        ({ dropped, kept }) =>
        (before) => ({
          ...before,
          facts: facts.flatMap(({ id, text }) => {
            const severity = kept.get(id)
            return severity === undefined ? [] : [{ id, text, severity }]
          }),
          counts: counted(before, { dropped: dropped.size })
        })
    })
  ]
}

export const checkStage = (scale: check.Scale): Stage => ({
  name: "check",
  module: "check",
  sees: "transcript and note",
  per: "note",
  outputTokens: 900,
  questions: ({ note, transcript }, { facts = [] }, instruction) =>
    facts.length === 0
      ? []
      : [
          keyedQuestion({
            messages: check.messages({ transcript, note, facts: facts.map(bare), scale }, instruction),
            answer: check.answers[scale],
            ids: facts.map(({ id }) => id),
            parse: (text, ids) => check.parse(text, { ids, scale }),
            combined: check.combined,
            retry: (asked, reply, parsed) => check.retryMessages(asked, reply, parsed, scale),
            work:
              ({ coerced, verdicts }) =>
              (before) => ({ ...before, verdicts, counts: counted(before, { coerced }) })
          })
        ]
})

const absentFacts = ({ facts = [], verdicts }: Work): ReadonlyArray<ListedFact> =>
  facts.filter(({ id }) => verdicts?.get(id)?.verdict === "absent")

/** A rescued fact is recorded in full: the second look asks for the words that record it. */
const rescuedBy = (
  verdicts: ReadonlyMap<string, FactVerdict>,
  rescued: ReadonlyMap<string, string>
): ReadonlyMap<string, FactVerdict> =>
  new Map(
    [...verdicts].map(([id, verdict]) => {
      const quote = rescued.get(id)
      return [id, quote === undefined ? verdict : { verdict: "full", quote, rescued: true }]
    })
  )

export const secondLookStage: Stage = {
  name: "second-look",
  module: "second-look",
  sees: "note",
  per: "absent facts",
  outputTokens: 120,
  questions: ({ note }, work, instruction) => {
    const facts = absentFacts(work).map(bare)
    if (facts.length === 0) return []
    return [
      keyedQuestion({
        messages: secondLook.messages({ note, facts }, instruction),
        answer: secondLook.answer,
        ids: facts.map(({ id }) => id),
        parse: (text, ids) => secondLook.parse(text, { ids, note }),
        combined: secondLook.combined,
        retry: secondLook.retryMessages,
        work:
          ({ refused, rescued }) =>
          (before) => ({
            ...before,
            verdicts: rescuedBy(before.verdicts!, rescued),
            counts: counted(before, { rescued: rescued.size, "rescues refused": refused.size })
          })
      })
    ]
  }
}

const credits = { full: 1, present: 1, partial: 0.5, absent: 0 } as const
const weights: Readonly<Record<Severity, number>> = { critical: 4, supporting: 2, peripheral: 1 }

/** The share of the facts that the note has, partial ones by half; null without a verdict on every fact. */
export const shareCaptured = (work: Work, weighted: boolean): number | null => {
  const { facts = [], verdicts } = work
  if (verdicts === undefined || facts.length === 0) return null
  let captured = 0
  let all = 0
  for (const { id, severity } of facts) {
    const verdict = verdicts.get(id)
    if (verdict === undefined) return null
    const weight = weighted && severity !== undefined ? weights[severity] : 1
    captured += weight * credits[verdict.verdict]
    all += weight
  }
  return captured / all
}

/** Every fact with its verdict, as it is kept with the judgement. */
export const factFindings = ({ facts = [], verdicts }: Work): ReadonlyArray<Finding> =>
  facts.flatMap(({ id, severity, text }) => {
    const found = verdicts?.get(id)
    if (found === undefined) return []
    return [
      {
        id,
        text,
        verdict: found.verdict,
        ...(severity === undefined ? {} : { severity }),
        ...(found.quote === undefined || found.quote === "" ? {} : { quote: found.quote }),
        ...(found.rescued === true ? { rescued: true } : {})
      }
    ]
  })

/** The per-fact rule: a note is flagged if any critical fact is absent [OB §7.5]. */
export const criticalAbsent = (findings: ReadonlyArray<Finding>): boolean =>
  findings.some(({ severity, verdict }) => severity === "critical" && verdict === "absent")

/** A design that lists facts and checks each against the note, once: the score is the share that the note captures. */
export const captureDesign = ({ instruction, name, scale, summary }: CaptureDesign): Design => ({
  name,
  summary,
  modules: [extractModule, checkModule(scale, instruction)],
  stages: [extractStage, checkStage(scale)],
  scale: shares,
  conclude: (work) => {
    const score = shareCaptured(work, false)
    return score === null ? null : { score, findings: factFindings(work), details: { ...work.counts } }
  },
  join: (scores) => winsorisedMean(scores)!,
  wordings: [],
  repeats: [1]
})

interface CaptureDesign extends Pick<Design, "name" | "summary"> {
  readonly scale: Parameters<typeof checkModule>[0]
  /** The check's own. */
  readonly instruction: string
}
