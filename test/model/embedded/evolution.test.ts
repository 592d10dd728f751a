import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { applyEdit, type Source } from "../../../scripts/quickstart/source.ts"
import type { Instance, Item, ItemPair, ItemSet } from "../../../src/domain/Item.ts"
import { callSeed } from "../../../src/domain/Random.ts"
import type { RunEvent } from "../../../src/domain/RunEvent.ts"
import type { PartName } from "../../../src/domain/Split.ts"
import { contract } from "../../../src/judge/wholeNoteScore.ts"
import { answer } from "../../../src/model/embedded/answer.ts"
import { runSearch } from "../../../src/optimise/engine.ts"
import { judgeBy, memorySink, reflectBy, seed, taskOf } from "../../optimise/support.ts"
import { completenessQuestion, faithfulnessOnly, plainQuestion } from "./instructions.ts"
import { enough, measure, omissions, scoreOf, sources } from "./quickstart.ts"

const itemSet = <P extends PartName>(from: ReadonlyArray<Source>): ItemSet<P> => {
  const items: Array<Item<P>> = []
  const pairs: Array<ItemPair> = []
  const instances: Array<Instance> = []
  const add = (source: Source, name: string, note: string) =>
    items.push({
      id: `${source.id}/${name}`,
      key: `${source.id}/${name}`,
      consultation: source.id,
      transcript: source.transcript,
      note
    } as unknown as Item<P>) - 1
  for (const source of from) {
    const clean = add(source, "clean", source.note)
    instances.push({ kind: "clean", id: items[clean]!.id, item: clean })
    for (const edit of source.edits) {
      if (edit.class !== "omission") continue
      const flawed = add(source, edit.id, applyEdit(source.note, edit))
      const fact = source.facts.find(({ id }) => id === edit.fact)?.text
      pairs.push({
        id: `${source.id}/${edit.id}`,
        consultation: source.id,
        flawed,
        clean,
        class: edit.class,
        ...(edit.trace === undefined ? {} : { trace: edit.trace }),
        ...(fact === undefined ? {} : { fact }),
        residual: (edit.residual ?? []).map(({ quote }) => quote)
      })
      instances.push({
        kind: "flawed",
        id: `${source.id}/${edit.id}`,
        item: flawed,
        twin: clean,
        pair: pairs.length - 1
      })
    }
  }
  return { items, pairs, instances }
}

const evolve = Effect.fnUntraced(function* (runSeed: number) {
  const base = taskOf({
    train: itemSet(sources.filter((_, index) => index % 2 === 0)),
    acceptance: itemSet(sources.filter((_, index) => index % 2 === 1)),
    seeds: [seed(plainQuestion, "plain"), seed(completenessQuestion, "complete"), seed(faithfulnessOnly, "faithful")],
    limits: { iterations: 30 },
    seed: runSeed,
    maxInstructionLength: 6000
  })
  const judge = judgeBy((instruction, item) => {
    const score = scoreOf(item.transcript ?? "", item.note, instruction, runSeed)
    return Number.isNaN(score) ? { _tag: "unparsed", reply: "" } : score
  })
  const reflector = reflectBy((content, iteration) => {
    const { finish, text } = answer({
      messages: [{ role: "user", content }],
      seed: callSeed(runSeed, `reflection ${iteration}`, 0)
    })
    return { kind: "answered", finish, text }
  })
  const events: Array<RunEvent> = []
  const state = yield* runSearch({ ...base, contracts: { judge: contract } }, { sink: memorySink(events) }).pipe(
    Effect.provide(Layer.merge(judge, reflector))
  )
  return { events, winner: state.winner!.candidate.instructions["judge"]! }
})

describe.skipIf(!enough)("a search of 30 iterations with the embedded model", () => {
  for (const runSeed of [11, 22]) {
    it.effect(`climbs in several steps (run seed ${runSeed})`, () =>
      Effect.gen(function* () {
        const { events, winner } = yield* evolve(runSeed)
        const candidates = events.filter((event) => event._tag === "candidate")
        const accepted = candidates.filter((event) => event.candidate.origin !== "seed").length
        assert.isAtLeast(accepted, 6)
        // Not every proposal is an improvement, or there would be nothing to select.
        assert.isBelow(accepted, 28)
        assert.isAtLeast(
          measure(omissions, winner).discrimination,
          measure(omissions, plainQuestion).discrimination + 0.12
        )
      })
    )
  }
})
