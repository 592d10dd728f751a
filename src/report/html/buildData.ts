import type { Measure } from "../../domain/Campaign.ts"
import { scoreOf } from "../../domain/Judgement.ts"
import { acceptanceOutcomes } from "../../domain/RunEvent.ts"
import { pairOutcome } from "../../measure/discrimination.ts"
import type { Member, RunState } from "../../optimise/RunState.ts"
import { lengthOf } from "../../terminal/frontierRows.ts"
import { costCourse } from "./costCourse.ts"
import { lineageNodes } from "./lineage.ts"
import { packNumbers, type TextPacker, textPacker } from "./packing.ts"
import type { ReportData } from "./ReportData.ts"
import type { KnownTexts, ReportInput } from "./ReportInput.ts"

/** Characters of distinct lines that notes may take in a file, and that reasons may. */
const noteBudget = 1_600_000
const reasonBudget = 300_000

/** The seed that the winner is held against: the best one that it is not, by the measures that rank. */
export const baselineOf = (state: RunState): Member | undefined => {
  const value = ({ figures }: Member) => figures.primary ?? figures.reward ?? 0
  return state.members
    .filter((member) => member.candidate.origin === "seed" && member !== state.winner)
    .reduce<Member | undefined>(
      (best, seed) => (best === undefined || value(seed) > value(best) + 1e-9 ? seed : best),
      undefined
    )
}

const measureOf = ({ classes, measure }: Measure) => ({ name: measure, classes: classes ?? null })

/** Pairs that the winner and the seeds order differently come first, since these are what readers look at. */
const byInterest = (state: RunState): ReadonlyArray<number> => {
  const index = state.index!
  const shown = state.members.filter((member) => member === state.winner || member.candidate.origin === "seed")
  const differs = index.pairs.map(({ clean, flawed }) => {
    const outcomes = new Set(shown.map(({ scores }) => pairOutcome(scores[flawed]!, scores[clean]!)))
    return outcomes.size > 1
  })
  return index.pairs.map((_, pair) => pair).sort((a, b) => Number(differs[b]) - Number(differs[a]) || a - b)
}

/** Notes of the pairs, as far as they have room. */
const packNotes = (state: RunState, known: KnownTexts, texts: TextPacker) => {
  const { table, pairs } = state.index!
  const notes = table.items.map(() => -1)
  const limit = texts.size() + noteBudget
  let left = 0
  for (const pair of byInterest(state)) {
    const { clean, flawed } = pairs[pair]!
    for (const item of [clean, flawed]) {
      if (notes[item] !== -1) continue
      const text = known.notes.get(table.items[item]!.id)
      if (text === undefined) continue
      // One note of the size of a book must not push out all the others.
      if (texts.size() + text.length > limit) left++
      else notes[item] = texts.add(text)
    }
  }
  return { notes, left }
}

/** What winner and baseline said of the notes of pairs that they order differently. */
const packReasons = (input: ReportInput, state: RunState, texts: TextPacker): ReportData["reasons"] => {
  const baseline = baselineOf(state)
  if (state.winner === undefined || baseline === undefined) return {}
  const { pairs, table } = state.index!
  const outcomes = acceptanceOutcomes(input.logged.map(({ event }) => event))
  const limit = texts.size() + reasonBudget
  const reasons: Record<number, Record<number, number>> = {}
  const both = [state.winner, baseline]
  for (const { clean, flawed } of pairs) {
    const [one, other] = both.map(({ scores }) => pairOutcome(scores[flawed]!, scores[clean]!))
    if (one === other || Number.isNaN(one) || Number.isNaN(other)) continue
    for (const member of both) {
      for (const item of [flawed, clean]) {
        const outcome = outcomes.get(member.candidate.id)?.[table.items[item]!.id]
        if (outcome?._tag !== "scored" || outcome.reason === undefined || texts.size() > limit) continue
        const at = state.members.indexOf(member)
        reasons[at] = { ...reasons[at], [item]: texts.add(outcome.reason) }
      }
    }
  }
  return reasons
}

const withoutTexts = (input: ReportInput, left: number): string | null => {
  switch (input.texts.kind) {
    case "left-out":
      return "Made with --no-texts: note texts, and what models wrote about notes, are left out. Instructions are in it whole, and may quote notes: see the audit."
    case "not-at-hand":
      return `The note texts are not at hand: ${input.texts.why}`
    case "known":
      return left === 0
        ? null
        : `${left} note texts are left out to keep the file small; those of pairs that the winner and the seeds order differently came first. assize data show has them all.`
  }
}

/** The data of a report's page. `state` is the fold of the logged events. */
export const reportData = (input: ReportInput, state: RunState): ReportData => {
  const events = input.logged.map(({ event }) => event)
  const texts = textPacker()
  const { objective } = input.run.settings
  const nodes = lineageNodes(events, state, texts, { quotes: input.texts.kind !== "left-out" })
  const placeOf = new Map(nodes.flatMap(({ member }, at) => (member === null ? [] : [[member, at] as const])))
  const outcomes = acceptanceOutcomes(events)
  const table = state.index?.table ?? { items: [], clean: [], pairs: [], lone: [] }
  const led = state.frontier.survivors()
  const baseline = baselineOf(state)
  const { notes, left } =
    input.texts.kind === "known" && state.index !== undefined
      ? packNotes(state, input.texts.texts, texts)
      : { notes: [], left: 0 }
  const reasons = input.texts.kind === "left-out" || state.index === undefined ? {} : packReasons(input, state, texts)
  const capped = [objective.secondary, objective.primary].find((measure) => measure?.measure === "detection")
  const known = input.texts.kind === "known" ? input.texts.texts.pairs : undefined
  return {
    format: "assize-report/1",
    run: input.run.id,
    nodes,
    members: state.members.map((member, at) => ({
      node: placeOf.get(at)!,
      figures: member.figures,
      leads: led.get(at) ?? 0,
      characters: lengthOf(member)
    })),
    winner: state.winner === undefined ? null : state.members.indexOf(state.winner),
    baseline: baseline === undefined ? null : state.members.indexOf(baseline),
    table,
    scores: packNumbers(
      state.members.flatMap(({ candidate }) =>
        table.items.map(({ id }) => {
          const outcome = outcomes.get(candidate.id)?.[id]
          return outcome?._tag === "unparsed" ? Number.POSITIVE_INFINITY : scoreOf(outcome)
        })
      )
    ),
    rewards: packNumbers(state.members.flatMap((member) => [...member.rewards])),
    primary: measureOf(objective.primary),
    secondary: objective.secondary === undefined ? null : { name: objective.secondary.measure },
    detection: {
      classes: (capped ?? objective.primary).classes ?? null,
      cap: state.members.find(({ figures }) => figures.detection !== null)?.figures.detection?.cap ?? 0.1
    },
    minScore: state.scale.min ?? 0,
    maxScore: state.scale.max,
    iterations: state.iteration,
    cost: costCourse(input.logged, input.series),
    budget: budgetOf(input),
    texts: texts.packed(),
    notes,
    pairs: table.pairs.map(({ id }) => {
      const one = known?.get(id)
      return one === undefined
        ? {}
        : {
            ...(one.fact === undefined ? {} : { fact: one.fact }),
            ...(one.residual.length === 0 ? {} : { residual: one.residual })
          }
    }),
    reasons,
    withoutTexts: withoutTexts(input, left)
  }
}

const budgetOf = ({ campaign }: ReportInput): ReportData["budget"] => {
  const { calls, tokens, usd } = campaign?.budget ?? {}
  return {
    ...(usd === undefined ? {} : { usd }),
    ...(calls === undefined ? {} : { calls }),
    ...(tokens === undefined ? {} : { tokens })
  }
}
