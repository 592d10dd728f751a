import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { judgedOfOutcomes, notesOfTable } from "../../src/confirm/acceptancePart.ts"
import { acceptanceGates, type Gate, holdoutGate, type JudgedPart } from "../../src/confirm/gates.ts"
import { contender, defaultChoices, preregistration } from "../../src/confirm/preregistration.ts"
import type { Measure } from "../../src/domain/Campaign.ts"
import type { Candidate } from "../../src/domain/Candidate.ts"
import type { Item, ItemSet } from "../../src/domain/Item.ts"
import type { Outcomes } from "../../src/domain/Judgement.ts"
import { mulberry32 } from "../../src/domain/Random.ts"
import type { RunEvent } from "../../src/domain/RunEvent.ts"
import type { PartName, SplitManifest } from "../../src/domain/Split.ts"
import { runSearch, type Task } from "../../src/optimise/engine.ts"
import { itemTable } from "../../src/optimise/itemTable.ts"
import { normalDraws } from "../../src/statistics/normalDraws.ts"
import { answer, itemSet, judgeBy, memorySink, reflectBy, seed, taskOf } from "../optimise/support.ts"

/** FNV-1a: a seed for what is drawn for some names. */
const seedOf = (...names: ReadonlyArray<string | number>): number => {
  let hash = 0x811c9dc5
  for (const character of names.join("\u0000")) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193)
  return hash >>> 0
}

/** A standard normal variable of its own for the names. */
export const normalOf = (...names: ReadonlyArray<string | number>): number => normalDraws(seedOf(...names))()
export const uniformOf = (...names: ReadonlyArray<string | number>): number => {
  const next = mulberry32(seedOf(...names))
  next()
  return next()
}

export type Score = (instruction: string, item: Item) => number

/** One campaign from seed to decision, and what each step said. */
export interface Ended {
  readonly winner: Candidate
  readonly isSeed: boolean
  /** Empty where the search found nothing better than its seed. */
  readonly acceptance: ReadonlyArray<Gate>
  /** As the holdout would say it if it were opened: the decision looks at it only when the acceptance gates are met. */
  readonly holdout: Gate | undefined
  readonly declared: boolean
}

export const outcomesBy = (items: ReadonlyArray<Item>, instruction: string, score: Score): Outcomes =>
  Object.fromEntries(items.map((item) => [item.id, { _tag: "scored", score: score(instruction, item) } as const]))

const manifest = { name: "test", hash: "0".repeat(64) } as SplitManifest

export interface CampaignShape {
  readonly train: number
  readonly acceptance: number
  readonly holdout: number
  /** Omissions of each consultation. */
  readonly flaws: number
  readonly iterations: number
  readonly primary: Measure
  readonly secondary: Measure | undefined
}

const parts = new Map<string, ItemSet>()
/** Parts are the same in every campaign of a shape; only the scores differ. */
const part = <P extends PartName>(name: P, consultations: number, flaws: number): ItemSet<P> => {
  const key = JSON.stringify([name, consultations, flaws])
  const found =
    parts.get(key) ??
    itemSet<P>(
      name,
      consultations,
      Array.from({ length: flaws }, () => ({ class: "omission", trace: "complete" }) as const)
    )
  parts.set(key, found)
  return found as ItemSet<P>
}

/** Runs the engine with a judge of these scores, then decides as `assize confirm` does. */
export const campaign = Effect.fnUntraced(function* (
  shape: CampaignShape,
  runSeed: number,
  score: Score,
  propose: (iteration: number) => string
) {
  const events: Array<RunEvent> = []
  const first = seed("the seed's instruction")
  const base = taskOf({
    train: part("train", shape.train, shape.flaws),
    acceptance: part("acceptance", shape.acceptance, shape.flaws),
    seeds: [first],
    limits: { iterations: shape.iterations },
    seed: runSeed
  })
  const task: Task = {
    ...base,
    settings: {
      ...base.settings,
      objective: {
        primary: shape.primary,
        ...(shape.secondary === undefined ? {} : { secondary: shape.secondary })
      }
    }
  }
  const state = yield* runSearch(task, { sink: memorySink(events) }).pipe(
    Effect.provide(
      Layer.merge(
        judgeBy(score),
        reflectBy((_, iteration) => answer(propose(iteration)))
      )
    )
  )
  const winner = state.winner!.candidate
  if (winner.id === first.id) {
    return { winner, isSeed: true, acceptance: [], holdout: undefined, declared: false } satisfies Ended
  }
  const document = preregistration({
    run: "test-1",
    settings: task.settings,
    manifest,
    candidate: contender(winner),
    baselines: [contender(first)],
    choices: defaultChoices
  })
  // Intervals decide nothing, and 10,000 resamples of each would take most of the test's time.
  const quick = { ...document, tests: { ...document.tests, resamples: 20 } }
  const judged = (items: ItemSet): JudgedPart => {
    const table = itemTable(items)
    return {
      set: notesOfTable(table),
      runs: [winner, first].map(({ instructions, name }) =>
        judgedOfOutcomes(name, "11", table, outcomesBy(items.items, instructions["judge"]!, score))
      ),
      failed: new Map()
    }
  }
  const acceptance = acceptanceGates(judged(task.acceptance), quick)
  const holdout = holdoutGate(judged(part("holdout", shape.holdout, shape.flaws)), quick)
  return {
    winner,
    isSeed: false,
    acceptance,
    holdout,
    declared: [...acceptance, holdout].every(({ met }) => met)
  } satisfies Ended
})
