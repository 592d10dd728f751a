import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import fc from "fast-check"
import type { Item } from "../../src/domain/Item.ts"
import type { Outcome, Outcomes } from "../../src/domain/Judgement.ts"
import type { RunSettings } from "../../src/domain/RunEvent.ts"
import type { Task } from "../../src/optimise/engine.ts"
import { measured } from "../../src/optimise/figures.ts"
import { indexTable, itemTable } from "../../src/optimise/itemTable.ts"
import { mayLead } from "../../src/optimise/race.ts"
import { ofTag, replaysFromAnywhere, run } from "./replay.ts"
import { answer, itemSet, judgeBy, reflectBy, seed, skillOf, skillScore, taskOf } from "./support.ts"

const flaws = [{ class: "omission" }, { class: "alteration" }] as const
const index = indexTable(itemTable(itemSet("a", 4, flaws)))
const scored = (score: number): Outcome => ({ _tag: "scored", score })
const outcome = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 10 }).map(scored) },
  { weight: 1, arbitrary: fc.constant<Outcome>({ _tag: "unparsed", reply: "?" }) },
  { weight: 1, arbitrary: fc.constant<Outcome>({ _tag: "failed", cause: "down" }) }
)
const outcomes = fc
  .array(outcome, { minLength: index.table.items.length, maxLength: index.table.items.length })
  .map((all): Outcomes => Object.fromEntries(index.table.items.map(({ id }, at) => [id, all[at]!])))

const objectives: ReadonlyArray<RunSettings["objective"]> = [
  { primary: { measure: "paired-discrimination" }, secondary: { measure: "detection", maxFalseAlarms: 0.25 } },
  { primary: { measure: "auc", classes: ["omission"] } },
  { primary: { measure: "detection", maxFalseAlarms: 0.25 }, secondary: { measure: "paired-discrimination" } }
]

describe("a race", () => {
  it("is never over for a candidate that will win or be the first to order a pair rightly", () => {
    fc.assert(
      fc.property(
        outcomes,
        outcomes,
        fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
        fc.uniqueArray(fc.nat(7)),
        fc.constantFrom(...objectives),
        (mine, winners, judged, unsolved, objective) => {
          const value = (all: Outcomes, of: "primary" | "secondary") => {
            const measure = objective[of]
            return measure === undefined ? null : measured(index, all, measure)
          }
          const race = {
            primary: value(winners, "primary"),
            secondary: value(winners, "secondary"),
            unsolved: new Set(unsolved)
          }
          const known = Object.fromEntries(
            index.table.items.flatMap(({ consultation, id }) =>
              judged[Number(consultation.slice(1))] === true ? [[id, mine[id]!]] : []
            )
          )
          if (mayLead(index, known, race, objective)) return
          const scoreOf = (at: number) => {
            const one = mine[index.table.items[at]!.id]!
            return one._tag === "scored" ? one.score : Number.NaN
          }
          for (const pair of unsolved)
            assert.isFalse(scoreOf(index.pairs[pair]!.flawed) < scoreOf(index.pairs[pair]!.clean))
          const [primary, secondary] = [value(mine, "primary"), value(mine, "secondary")]
          if (primary === null) return
          assert.isAtMost(primary, race.primary! + 1e-9)
          if (primary > race.primary! - 1e-9) assert.isAtMost(secondary ?? 0, (race.secondary ?? 0) + 1e-9)
        }
      ),
      { numRuns: 3000 }
    )
  })

  it("is over as soon as it is lost", () => {
    const objective = objectives[0]!
    const race = { primary: 0.8, secondary: null, unsolved: new Set<number>() }
    const upTo = (count: number) =>
      Object.fromEntries(index.table.items.slice(0, count).map(({ id }) => [id, scored(5)] as const))
    // Each tie costs half of one pair of eight: three of them leave 0.8125, four 0.75.
    assert.isTrue(mayLead(index, upTo(3), race, objective))
    assert.isFalse(mayLead(index, upTo(6), race, objective))
    assert.isTrue(mayLead(index, upTo(6), { ...race, unsolved: new Set([7]) }, objective))
    assert.isFalse(mayLead(index, upTo(6), { ...race, unsolved: new Set([0]) }, objective))
  })
})

describe("a search with racing", () => {
  const racing = (options: Parameters<typeof taskOf>[0] = {}, on = true): Task => {
    const task = taskOf({
      acceptance: itemSet("a", 12, [{ class: "omission" }, { class: "omission" }, { class: "omission" }]),
      seeds: [seed("skill 6", "good"), seed("skill 0", "weak")],
      limits: { iterations: 10 },
      ...options
    })
    return on ? { ...task, settings: { ...task.settings, search: { ...task.settings.search, racing: true } } } : task
  }
  /** Skilled judges are harsher to clean notes, so that weak ones stay on the frontier and have children. */
  const score = (instruction: string, item: Item) => skillScore(instruction, item) - skillOf(instruction) / 10

  const improving = reflectBy((prompt, iteration) => {
    const current = /<current_instruction>\n([\s\S]*?)\n<\/current_instruction>/.exec(prompt)![1]!
    return answer(`attempt ${iteration} skill ${skillOf(current) === 6 ? 6 : skillOf(current) + 2}`)
  })

  it.effect("cuts short what can lead nowhere, and says after how many notes", () =>
    Effect.gen(function* () {
      const { events, state } = yield* run(racing())
      const cut = ofTag(events, "raced")
      assert.isNotEmpty(cut)
      for (const { candidate, detail, figures, judged, notes, outcomes } of cut) {
        assert.strictEqual(notes, 48)
        assert.isBelow(judged, notes)
        assert.lengthOf(Object.keys(outcomes), judged)
        assert.strictEqual(figures.discrimination.pairs, (judged / 4) * 3)
        assert.include(detail, "with every other note in its favour it would come to")
        assert.isUndefined(state.member(candidate))
        assert.isFalse(ofTag(events, "iteration").some(({ parent }) => parent === candidate))
        assert.notStrictEqual(state.winner?.candidate.id, candidate)
      }
      assert.lengthOf(state.raced, cut.length)
      assert.strictEqual(state.frontier.candidates, state.members.length)
      assert.lengthOf(new Set([...state.members, ...state.raced].map(({ candidate }) => candidate.name)), state.births)
    }).pipe(Effect.provide(Layer.merge(judgeBy(score), improving)))
  )

  it.effect("judges whole consultations, each note once, and leaves nothing out of an evaluation that is not cut", () =>
    Effect.gen(function* () {
      const { events } = yield* run(racing())
      const notes = (outcomes: Outcomes) => new Set(Object.keys(outcomes).map((id) => id.split("/")[0]))
      for (const { judged, outcomes } of ofTag(events, "raced")) assert.strictEqual(notes(outcomes).size * 4, judged)
      for (const { outcomes } of ofTag(events, "evaluated")) assert.lengthOf(Object.keys(outcomes), 48)
    }).pipe(Effect.provide(Layer.merge(judgeBy(score), improving)))
  )

  it.effect("judges less, and finds no worse a winner than the members without racing at that time", () => {
    let judged = 0
    return Effect.gen(function* () {
      const without = yield* run(racing({}, false))
      const before = judged
      judged = 0
      const { state } = yield* run(racing())
      assert.isBelow(judged, before)
      assert.isAtLeast(state.winner!.figures.primary!, without.state.winner!.figures.primary!)
    }).pipe(
      Effect.provide(
        Layer.merge(
          judgeBy(score, (items) => {
            judged += items.length
          }),
          improving
        )
      )
    )
  })

  it.effect("takes a consultation whose calls all fail for one that is not judged", () =>
    Effect.gen(function* () {
      const { events, state } = yield* run(racing({ limits: { iterations: 6 } }))
      assert.notStrictEqual(state.stopped?.reason, "broken-judge")
      for (const { outcomes } of ofTag(events, "evaluated")) assert.lengthOf(Object.keys(outcomes), 48)
    }).pipe(
      Effect.provide(
        Layer.merge(
          judgeBy((instruction, item): Outcome | number =>
            item.consultation === "a3" && instruction.includes("attempt")
              ? { _tag: "failed", cause: "down" }
              : score(instruction, item)
          ),
          improving
        )
      )
    )
  )

  it.effect("goes on from any event to the same end", () =>
    Effect.gen(function* () {
      const { events } = yield* replaysFromAnywhere(racing({ limits: { iterations: 6 } }))
      assert.isNotEmpty(ofTag(events, "raced"))
    }).pipe(Effect.provide(Layer.merge(judgeBy(score), improving)))
  )
})
