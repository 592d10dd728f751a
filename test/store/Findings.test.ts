import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as SqlClient from "effect/sql/SqlClient"
import type { Outcome } from "../../src/domain/Judgement.ts"
import { Findings } from "../../src/store/Findings.ts"
import { Runs } from "../../src/store/Runs.ts"
import * as store from "../../src/store/store.ts"
import { verifyStore } from "../../src/store/verify.ts"
import { newRun } from "./fixtures.ts"

const memory = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provide(effect, store.layer(":memory:"))
const candidate = "0123456789ab"

const scored = (score: number): Outcome => ({
  _tag: "scored",
  score,
  flagged: score < 0.5,
  findings: [{ id: "F1", text: "Allergic to 💊 penicillin", verdict: "absent", severity: "critical" }],
  details: { unweighted: 0.25 }
})

describe("Findings", () => {
  it.effect("keeps what says more than a score, the later judgement of a note in the place of the earlier", () =>
    Effect.gen(function* () {
      const findings = yield* Findings
      const { id } = yield* Runs.use((runs) => runs.create(newRun))
      yield* findings.note(id, candidate, {
        "a/1": scored(0.25),
        "a/2": { _tag: "scored", score: 7, reason: "fine" },
        "a/3": { _tag: "unparsed", reply: "?" }
      })
      yield* findings.note(id, candidate, { "a/1": scored(0.75) })
      assert.deepStrictEqual(yield* findings.find(id, candidate, "a/1"), Option.some(scored(0.75)))
      assert.deepStrictEqual(yield* findings.find(id, candidate, "a/2"), Option.none())
      assert.deepStrictEqual(yield* Stream.runCollect(findings.read(id)), [
        { candidate, item: "a/1", outcome: scored(0.75) }
      ])
    }).pipe(memory)
  )

  it.effect("reads more than a page in order, and goes with its run", () =>
    Effect.gen(function* () {
      const findings = yield* Findings
      const sql = yield* SqlClient.SqlClient
      const { id } = yield* Runs.use((runs) => runs.create(newRun))
      const items = Array.from({ length: 450 }, (_, at) => `c${String(at).padStart(3, "0")}/n`)
      yield* findings.note(id, candidate, Object.fromEntries(items.toReversed().map((item) => [item, scored(1)])))
      const read = yield* Stream.runCollect(findings.read(id))
      assert.deepStrictEqual(
        read.map(({ item }) => item),
        items
      )
      yield* sql`DELETE FROM runs WHERE id = ${id}`
      assert.deepStrictEqual(yield* Stream.runCollect(findings.read(id)), [])
    }).pipe(memory)
  )

  it.effect("that are none any more are damage, and are not shown", () =>
    Effect.gen(function* () {
      const findings = yield* Findings
      const sql = yield* SqlClient.SqlClient
      const { id } = yield* Runs.use((runs) => runs.create(newRun))
      yield* findings.note(id, candidate, { "a/1": scored(1) })
      yield* sql`UPDATE findings SET outcome = '{"_tag":"scored"}'`
      const error = yield* Effect.flip(findings.find(id, candidate, "a/1"))
      assert.strictEqual(error._tag, "CorruptStore")
      const { damage } = yield* verifyStore(":memory:", "/nowhere")
      assert.deepStrictEqual(
        damage.map(({ row }) => row),
        [`findings of ${candidate} on a/1 in run ${id}`]
      )
    }).pipe(memory)
  )
})
