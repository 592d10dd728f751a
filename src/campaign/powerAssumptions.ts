import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { notesOfTable } from "../confirm/acceptancePart.ts"
import { type Assumed, estimate, type PowerMeasures, published, publishedSource } from "../confirm/power/estimate.ts"
import { independentDiscordance, likenessFor } from "../confirm/power/pairedSimulation.ts"
import type { Assumptions } from "../confirm/power/simulation.ts"
import { count } from "../domain/count.ts"
import { differences } from "../domain/differences.ts"
import { inputError, type Problem } from "../domain/InputError.ts"
import type { JudgedNotes } from "../measure/scoredNotes.ts"
import type { Member, RunState } from "../optimise/RunState.ts"
import type { Prepared } from "./prepare.ts"

/** What a user states in place of an estimate. All in [0, 1]. */
export interface StatedAssumptions {
  /** Paired discrimination of the baseline. */
  readonly baseline?: number
  readonly detection?: number
  readonly discordance?: number
  readonly icc?: number
}

/** Assumptions that some scores speak for, and whose scores they are. */
export interface Estimate {
  readonly source: string
  readonly values: Partial<Assumptions>
}

const statedProblems = (stated: StatedAssumptions): ReadonlyArray<Problem> =>
  Object.entries(stated).flatMap(([name, value]) =>
    value >= 0 && value <= 1
      ? []
      : [{ field: `--assume-${name}`, what: "is no share", found: String(value), expected: "a number from 0 to 1" }]
  )

/** What is stated goes before what is estimated, and that before the published campaign. */
export const assumedFrom = Effect.fn("assumedFrom")(function* (
  stated: StatedAssumptions,
  estimated: Estimate | undefined
) {
  const problems = statedProblems(stated)
  if (problems.length > 0) return yield* inputError(...problems)
  const values: { -readonly [Key in keyof Assumptions]: Assumptions[Key] } = { ...published }
  const from = Object.fromEntries(Object.keys(values).map((key) => [key, publishedSource])) as Record<
    keyof Assumptions,
    string
  >
  const take = (source: string, some: Partial<Assumptions>) => {
    Object.assign(values, some)
    for (const key in some) from[key as keyof Assumptions] = source
  }
  if (estimated !== undefined) take(estimated.source, estimated.values)
  if (stated.baseline !== undefined) {
    // As many ties as are known of, where that leaves room for the baseline.
    const ties = Math.min(values.ties, 2 * stated.baseline, 2 * (1 - stated.baseline))
    take("--assume-baseline", { ties, wins: stated.baseline - ties / 2 })
  }
  if (stated.detection !== undefined) take("--assume-detection", { detection: stated.detection })
  if (stated.icc !== undefined) take("--assume-icc", { icc: stated.icc, scoreIcc: stated.icc })
  const most = independentDiscordance(values)
  if (stated.discordance !== undefined) {
    if (stated.discordance > most + 1e-9) {
      return yield* inputError({
        field: "--assume-discordance",
        what: "is more than two judges differ by that decide independently of each other",
        found: String(stated.discordance),
        expected: `at most ${most.toFixed(3)}, for a baseline with ${(values.wins * 100).toFixed(0)} % wins and ${(values.ties * 100).toFixed(0)} % ties`
      })
    }
    take("--assume-discordance", {
      discordance: stated.discordance,
      // Two judges' scores of a note are taken to be as alike as what decides their pairs.
      scoreCorrelation: likenessFor(values, stated.discordance)
    })
  }
  return { values: { ...values, discordance: Math.min(values.discordance, most) }, from } satisfies Assumed
})

const judgedBy = ({ candidate, scores }: Member): JudgedNotes => ({
  judge: candidate.name,
  replicate: "1",
  scores,
  judged: new Uint8Array(scores.length).fill(1)
})

/** What a run's evaluations on the acceptance part say: its best seed as baseline; every two seeds, and parent and child. */
export const estimateOfRun = (name: string, state: RunState, measures: PowerMeasures): Estimate | undefined => {
  const seeds = state.members.filter(({ candidate: { origin } }) => origin === "seed")
  if (seeds.length === 0 || state.index === undefined) return undefined
  const best = seeds.reduce((one, other) => ((other.figures.primary ?? 0) > (one.figures.primary ?? 0) ? other : one))
  const two = (one: Member, other: Member) => [judgedBy(one), judgedBy(other)] as const
  const twos = [
    ...seeds.flatMap((seed, at) => seeds.slice(at + 1).map((other) => two(other, seed))),
    ...state.members.flatMap((child) =>
      state.members
        .filter(({ candidate }) => child.candidate.parents.includes(candidate.id))
        .map((parent) => two(child, parent))
    )
  ]
  return {
    source: `run ${name} on the acceptance part (baseline ${best.candidate.name}, ${count(twos.length, "comparison")} of judges)`,
    values: estimate(notesOfTable(state.index.table), judgedBy(best), twos, measures)
  }
}

/** The estimate of the campaign's newest run that has judged its seeds, on the split and by the judge that the campaign has now. */
export const estimateOfNewestRun = Effect.fn("estimateOfNewestRun")(function* (
  { campaign, task }: Prepared,
  measures: PowerMeasures
) {
  const { EventLog } = yield* Effect.promise(() => import("../store/EventLog.ts"))
  const { Runs } = yield* Effect.promise(() => import("../store/Runs.ts"))
  const { foldRun } = yield* Effect.promise(() => import("../optimise/RunState.ts"))
  const log = yield* EventLog
  const told = ({ judge, models, prompt, split }: typeof task.settings) => ({
    split,
    judge,
    prompt,
    model: models.judge
  })
  for (const run of yield* Effect.flatMap(Runs, (runs) => runs.list(campaign.file))) {
    if (differences(told(run.settings), told(task.settings)).length > 0) continue
    const events = yield* Stream.runCollect(log.read(run.id))
    const found = estimateOfRun(run.id, foldRun(events.map(({ event }) => event)), measures)
    if (found !== undefined) return found
  }
  return undefined
})

/**
 * What a table of scores says: the first judge is the baseline; its first replicate against each other judge's, or, in a
 * table of one judge, its replicates against each other.
 */
export const estimateOfScores = Effect.fn("estimateOfScores")(function* (file: string, measures: PowerMeasures) {
  const { readScoreTables } = yield* Effect.promise(() => import("../dataset/scoresTableRead.ts"))
  const { runs, set, warnings } = yield* readScoreTables([file])
  const baseline = runs[0]!
  const firsts = [...new Map(runs.toReversed().map((run) => [run.judge, run])).values()].toReversed()
  const others = firsts.length > 1 ? firsts : runs
  const twos = others.flatMap((one, at) => others.slice(at + 1).map((other) => [other, one] as const))
  const values = estimate(set, baseline, twos, measures)
  if (values.wins === undefined) {
    return yield* inputError({
      file,
      what: "the table has no scored pair of the classes of the campaign's measures",
      expected: `pairs of ${measures.paired.classes?.join(", ") ?? "any class"}`
    })
  }
  return { source: `${file} (baseline ${baseline.judge})`, values, warnings }
})
