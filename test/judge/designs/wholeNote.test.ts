import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { requestKey } from "../../../src/model/key.ts"
import { isRetry, item, judged } from "./support.ts"

const note = item("a/1", "Knee pain.")

describe("the whole-note score", () => {
  it.effect("is asked for by the very requests of earlier versions, so that their answers still serve", () =>
    Effect.map(
      judged(
        { design: "whole-note-score", samples: 4 },
        [item("a/1", "Knee pain.", { transcript: "Doctor: Hello.\nPatient: My knee hurts.", key: "k1" })],
        () => "no idea",
        { instructions: { judge: "Judge it." } }
      ),
      ({ asked }) => {
        const keyWith = (seed: number) => asked.filter((request) => request.seed % 64 === seed).map(requestKey)
        // Of version 0.1.0, for the fourth sample and its retry.
        assert.deepStrictEqual(
          [...keyWith(3), ...keyWith(35)].map(({ key }) => key),
          [
            "fc73f84a69a369a29d257208d52d6bd537d2c17e85e7b997450d351e330fa1c8",
            "a3d62855c34f8977569f14510aa73572e693cde8e14bac9df53f30a044b56db1"
          ]
        )
        assert.match(keyWith(3)[0]!.text, /"seed":5630702935328003\}$/)
      }
    )
  )

  it.effect("keeps its key where there is no transcript", () =>
    Effect.map(
      judged(
        { design: "whole-note-score", samples: 1 },
        [item("a/1", "Knee pain.", { transcript: null, key: "k1" })],
        () => '{"score": 5}',
        {
          instructions: { judge: "Judge it." }
        }
      ),
      ({ asked }) =>
        assert.deepStrictEqual(
          asked.map((request) => requestKey(request).key),
          ["38b0d509f45c33671257a7120eb7e36f84b6f9f89e0f53858fc94a55ab5a573d"]
        )
    )
  )
})

describe("the whole-note yes/no", () => {
  const answered = (yes: number) =>
    judged({ design: "whole-note-yes-no", samples: 8 }, [note], ({ seed }) => ({
      reason: "so",
      error: seed % 64 < yes ? "YES" : "NO"
    }))

  it.effect("scores 1 less the share of YES, and flags by the majority: a tie is none", () =>
    Effect.gen(function* () {
      const five = (yield* answered(5)).outcomes["a/1"]
      const four = (yield* answered(4)).outcomes["a/1"]
      assert.deepStrictEqual(five, { _tag: "scored", score: 3 / 8, reason: "so", flagged: true })
      assert.deepStrictEqual(four, { _tag: "scored", score: 0.5, reason: "so", flagged: false })
    })
  )

  it.effect("takes the readable samples when they are at least half", () =>
    Effect.map(
      judged({ design: "whole-note-yes-no", samples: 4 }, [note], ({ seed }) =>
        seed % 32 < 2 ? "I cannot say." : { reason: "so", error: "YES" }
      ),
      ({ asked, outcomes }) => {
        assert.deepStrictEqual(outcomes["a/1"], { _tag: "scored", score: 0, reason: "so", flagged: true })
        assert.strictEqual(asked.filter(isRetry).length, 2)
      }
    )
  )
})

describe("the checklist", () => {
  it.effect("scores the share of its questions that are satisfied, and keeps them", () =>
    Effect.map(
      judged({ design: "checklist", samples: 1 }, [note], () => ({
        questions: [
          { question: "Is the knee named?", satisfied: "YES" },
          { question: "Is the side named?", satisfied: "NO" },
          { question: "Is the allergy named?", satisfied: "NO" },
          { question: "Is the plan named?", satisfied: "YES" }
        ]
      })),
      ({ outcomes }) => {
        const outcome = outcomes["a/1"]
        assert.strictEqual(outcome?._tag === "scored" ? outcome.score : undefined, 0.5)
        assert.deepStrictEqual(
          outcome?._tag === "scored" ? outcome.findings?.map(({ text, verdict }) => `${text} ${verdict}`) : [],
          ["Is the knee named? yes", "Is the side named? no", "Is the allergy named? no", "Is the plan named? yes"]
        )
      }
    )
  )
})
