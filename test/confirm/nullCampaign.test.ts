import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { judgedOfOutcomes, notesOfTable } from "../../src/confirm/acceptancePart.ts"
import { detectable } from "../../src/confirm/detectable.ts"
import { estimate, published } from "../../src/confirm/power/estimate.ts"
import { pairedSimulation } from "../../src/confirm/power/pairedSimulation.ts"
import type { ItemSet } from "../../src/domain/Item.ts"
import { countPairs, pairedDiscrimination } from "../../src/measure/discrimination.ts"
import { outcomesOf } from "../../src/measure/pairedFigure.ts"
import { pairsOf } from "../../src/measure/scoredNotes.ts"
import { itemTable } from "../../src/optimise/itemTable.ts"
import { wilson } from "../../src/statistics/wilson.ts"
import { itemSet } from "../optimise/support.ts"
import { type CampaignShape, campaign, type Ended, normalOf, outcomesBy, type Score, uniformOf } from "./campaigns.ts"

const seeds = Array.from({ length: 200 }, (_, at) => at)
const paired = { measure: "paired-discrimination", classes: ["omission"] } as const
const detection = { measure: "detection", classes: ["omission"], maxFalseAlarms: 0.1 } as const

const told = (what: string, count: number, n: number) => {
  const [low, high] = wilson(count, n)!
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`
  console.log(`${what}: ${count} of ${n}, ${percent(count / n)} (95 % ${percent(low)} to ${percent(high)})`)
}

const gateMet = ({ acceptance }: Ended) => acceptance.length > 0 && acceptance.every(({ met }) => met)

describe("200 campaigns of a judge that the instruction does nothing to", () => {
  const shape: CampaignShape = {
    train: 6,
    acceptance: 12,
    holdout: 24,
    flaws: 3,
    iterations: 12,
    primary: paired,
    secondary: detection
  }
  it.effect(
    "end in a declared gain at most once in 20, where the acceptance part alone would have declared far more",
    () =>
      Effect.gen(function* () {
        const ended = yield* Effect.forEach(seeds, (at) =>
          campaign(
            shape,
            at,
            (instruction, { id }) => Math.floor(11 * uniformOf(at, instruction, id)),
            (n) => `proposal ${n}`
          )
        )
        const count = (holds: (one: Ended) => boolean) => ended.filter(holds).length
        const declared = count((one) => one.declared)
        const byGate = count(gateMet)
        const byTest = count(({ acceptance: [first] }) => {
          const { difference, p } = first?.measured ?? { difference: null, p: null }
          return difference !== null && difference > 0 && p !== null && p <= 0.05
        })
        told("null campaigns, gain declared by gate and holdout", declared, seeds.length)
        told("null campaigns, acceptance gate passed", byGate, seeds.length)
        told("null campaigns, acceptance gain with p of at most 0.05", byTest, seeds.length)
        assert.isAtMost(declared / seeds.length, 0.05)
        assert.isAbove(byGate, Math.max(10 * declared, 40))
        assert.isAbove(byTest, declared)
      }),
    300_000
  )
})

describe.each([
  ["detection", detection],
  ["AUC", { measure: "auc", classes: ["omission"] } as const]
])("200 such campaigns for %s", (name, primary) => {
  const shape: CampaignShape = {
    train: 6,
    acceptance: 12,
    holdout: 20,
    flaws: 3,
    iterations: 6,
    primary,
    secondary: undefined
  }
  it.effect(
    "end in a declared gain at most once in 20",
    () =>
      Effect.gen(function* () {
        const ended = yield* Effect.forEach(seeds, (at) =>
          campaign(
            shape,
            at,
            (instruction, { id, note }) => {
              // A judge that sees something, so that there is detection to differ in by chance.
              const worse = note.includes("without") ? 1 : 0
              return Math.round(6 - worse + 2 * normalOf(at, instruction, id))
            },
            (n) => `proposal ${n}`
          )
        )
        const opened = ended.filter(gateMet)
        const declared = ended.filter((one) => one.declared).length
        const significant = ended.filter(({ holdout }) => (holdout?.measured.p ?? 1) <= 0.05).length
        told(`null campaigns for ${name}, acceptance gate passed`, opened.length, seeds.length)
        told(`null campaigns for ${name}, gain declared by gate and holdout`, declared, seeds.length)
        told(
          `null campaigns for ${name}, holdout difference either way with p of at most 0.05`,
          significant,
          seeds.length
        )
        assert.isAbove(opened.length, 100)
        assert.isAtMost(declared / seeds.length, 0.05)
        // Two-sided, whatever the gate said: 5 % and two standard errors and a half of 200 campaigns.
        assert.isAtMost(significant / seeds.length, 0.09)
      }),
    300_000
  )
})

describe("a planted gain of the size that was planned for the holdout", () => {
  const shape: CampaignShape = {
    train: 8,
    acceptance: 30,
    holdout: 30,
    flaws: 3,
    iterations: 4,
    primary: paired,
    secondary: undefined
  }
  /** A judge of whole scores whose flawed notes are lower by `worse`, with noise of its own on the notes and on consultations. */
  const judge =
    (worse: (instruction: string) => number, trial: number): Score =>
    (instruction, { consultation, id, note }) => {
      const shared = normalOf("note", trial, id)
      const harsh = normalOf("consultation", trial, instruction, consultation, String(note.includes("without")))
      const own = normalOf("own", trial, instruction, id)
      return Math.round(7 - (note.includes("without") ? worse(instruction) : 0) + shared + 0.5 * harsh + 0.9 * own)
    }
  const usual = 0.5
  const many: ItemSet = itemSet(
    "many",
    1500,
    Array.from({ length: 3 }, () => ({ class: "omission", trace: "complete" }) as const)
  )
  const table = itemTable(many)
  const set = notesOfTable(table)
  const runOf = (instruction: string, worse: number) =>
    judgedOfOutcomes(
      instruction,
      "11",
      table,
      outcomesBy(
        many.items,
        instruction,
        judge(() => worse, 0)
      )
    )
  const valueOf = (run: ReturnType<typeof runOf>) =>
    pairedDiscrimination(countPairs(outcomesOf(set, run, pairsOf(set))))!

  it.effect(
    "is confirmed in about 80 % of 200 campaigns",
    () =>
      Effect.gen(function* () {
        const baseline = runOf("one", usual)
        const assumptions = {
          ...published,
          ...estimate(set, baseline, [[runOf("other", usual), baseline]], { paired: {}, detection: { cap: 0.1 } })
        }
        const sizes = Array.from({ length: shape.holdout }, () => shape.flaws)
        const { gain } = detectable(pairedSimulation(sizes, assumptions, { seed: 11, trials: 2000 }))
        assert.isNotNull(gain)
        const level = valueOf(runOf("better", usual))
        let [low, high] = [usual, usual + 3]
        for (let step = 0; step < 8; step++) {
          const middle = (low + high) / 2
          if (valueOf(runOf("better", middle)) - level < gain) low = middle
          else high = middle
        }
        const worse = (instruction: string) => (instruction.startsWith("better") ? high : usual)
        const ended = yield* Effect.forEach(seeds, (at) =>
          campaign(shape, at, judge(worse, at + 1), (n) => `better wording ${n}`)
        )
        const opened = ended.filter(gateMet)
        const confirmed = opened.filter(({ declared }) => declared).length
        console.log(
          `planted gain: ${(100 * gain).toFixed(1)} points over ${level.toFixed(3)}, discordance ${assumptions.discordance.toFixed(3)}, ICC ${assumptions.icc.toFixed(3)}`
        )
        told("planted gain, found and past the acceptance gate", opened.length, seeds.length)
        told("planted gain, confirmed where the holdout was opened", confirmed, opened.length)
        told("planted gain, confirmed of all", confirmed, seeds.length)
        assert.isAtLeast(opened.length, 190)
        assert.closeTo(confirmed / opened.length, 0.8, 0.08)
      }),
    300_000
  )
})
