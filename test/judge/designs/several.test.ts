import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import type { Criterion } from "../../../src/domain/Dataset.ts"
import type { Outcome } from "../../../src/domain/Judgement.ts"
import { ModelError } from "../../../src/model/LanguageModel.ts"
import { item, judged } from "./support.ts"

const score = (outcome: Outcome | undefined) => (outcome?._tag === "scored" ? outcome.score : undefined)

describe("the rubric", () => {
  const criteria: ReadonlyArray<Criterion> = [
    { id: "dose", text: "Names the dose.", points: 6 },
    { id: "side", text: "Names the side.", points: 4 },
    { id: "false", text: "States something false.", points: -5 }
  ]
  const met = (...names: ReadonlyArray<string>) =>
    judged({ design: "rubric", samples: 1 }, [item("a/1", "Knee pain.", { criteria })], ({ messages: [first] }) => ({
      reason: "so",
      met: names.some((name) => first!.content.includes(criteria.find(({ id }) => id === name)!.text)) ? "YES" : "NO"
    }))

  it.effect("asks each criterion in a call of its own, without its points, and scores the share of the points", () =>
    Effect.gen(function* () {
      const { asked, outcomes } = yield* met("dose", "false")
      assert.strictEqual(asked.length, 3)
      assert.strictEqual(new Set(asked.map(({ seed }) => seed)).size, 3)
      for (const { messages } of asked) assert.notMatch(messages[0]!.content, /points/)
      const outcome = outcomes["a/1"]
      assert.strictEqual(score(outcome), 0.1)
      assert.deepStrictEqual(outcome?._tag === "scored" ? outcome.findings : [], [
        { id: "dose", text: "Names the dose.", verdict: "met", points: 6 },
        { id: "side", text: "Names the side.", verdict: "not-met", points: 4 },
        { id: "false", text: "States something false.", verdict: "met", points: -5 }
      ])
      assert.strictEqual(score((yield* met("dose", "side")).outcomes["a/1"]), 1)
      assert.strictEqual(score((yield* met("false")).outcomes["a/1"]), -0.5)
    })
  )

  it.effect("asks the judge's own criteria beside the consultation's, one of a name once", () =>
    Effect.map(
      judged(
        {
          design: "rubric",
          samples: 1,
          criteria: [
            { id: "plan", text: "Names the plan.", points: 2 },
            { id: "side", text: "Names a side.", points: 1 }
          ]
        },
        [item("a/1", "Knee pain.", { criteria: criteria.slice(0, 2) })],
        () => ({ reason: "so", met: "YES" })
      ),
      ({ asked }) => assert.strictEqual(asked.length, 3)
    )
  )

  it.effect("has no score where one criterion cannot be read", () =>
    Effect.map(
      judged({ design: "rubric", samples: 1 }, [item("a/1", "Knee pain.", { criteria })], ({ messages: [first] }) =>
        first!.content.includes("Names the side.") ? "Hard to say." : { reason: "so", met: "YES" }
      ),
      ({ outcomes }) => assert.strictEqual(outcomes["a/1"]?._tag, "unparsed")
    )
  )
})

describe("the consensus", () => {
  const members = [
    { name: "whole", design: "whole-note-score" },
    { name: "first", design: "whole-note-yes-no", samples: 2 },
    { name: "second", design: "whole-note-yes-no", model: { provider: "openai", model: "other" } }
  ] as const
  const script =
    (answers: Readonly<Record<string, unknown>>) =>
    ({ model, messages: [first] }: { model: { model: string }; messages: ReadonlyArray<{ content: string }> }) =>
      first!.content.includes("has an error") ? answers[model.model] : { reason: "so", score: 4 }

  it.effect("joins the members' scores on one scale by mean or median, and their flags by majority", () =>
    Effect.gen(function* () {
      const answers = script({ m: { reason: "so", error: "NO" }, other: { reason: "so", error: "YES" } })
      const note = [item("a/1", "Knee pain.")]
      const mean = yield* judged({ design: "consensus", samples: 1, members }, note, answers)
      const median = yield* judged({ design: "consensus", samples: 1, members, join: "median" }, note, answers)
      assert.approximately(score(mean.outcomes["a/1"])!, (0.4 + 1 + 0) / 3, 1e-12)
      assert.strictEqual(score(median.outcomes["a/1"]), 0.4)
      // One of the two that have a rule: no majority.
      assert.isFalse(mean.outcomes["a/1"]?._tag === "scored" && mean.outcomes["a/1"].flagged)
      assert.deepStrictEqual(
        mean.uses.map(({ sample, stage }) => `${stage} ${sample}`),
        ["whole.judge 0", "first.judge 0", "first.judge 1", "second.judge 0"]
      )
    })
  )

  it.effect("asks a member as often as it says itself, else as often as the consensus is asked", () =>
    Effect.map(
      judged(
        { design: "consensus", samples: 3, members },
        [item("a/1", "Knee pain.")],
        script({ m: { error: "NO" }, other: { error: "NO" } })
      ),
      ({ uses }) =>
        assert.deepStrictEqual(
          uses.map(({ sample, stage }) => `${stage} ${sample}`),
          ["whole.judge 0", "whole.judge 1", "whole.judge 2", "first.judge 0", "first.judge 1"].concat([
            "second.judge 0",
            "second.judge 1",
            "second.judge 2"
          ])
        )
    )
  )

  it.effect("gives each member the instruction that is called after it", () =>
    Effect.map(
      judged(
        { design: "consensus", samples: 1, members },
        [item("a/1", "Knee pain.")],
        script({ m: { error: "NO" }, other: { error: "NO" } }),
        { instructions: { "first.judge": "Look at the first thing." } }
      ),
      ({ asked }) =>
        assert.deepStrictEqual(
          asked.map(({ messages }) => messages[0]!.content.includes("Look at the first thing.")),
          [false, true, true, false]
        )
    )
  )

  it.effect("has no score while a member's calls fail: such a note is asked for again", () =>
    Effect.gen(function* () {
      const failure = new ModelError({ kind: "bad-request", message: "refused" })
      const fiber = yield* Effect.forkChild(
        judged(
          { design: "consensus", samples: 1, members },
          [item("a/1", "Knee pain."), item("b/1", "Back pain.")],
          (request) =>
            request.model.model === "other" && request.messages[0]!.content.includes("Knee")
              ? failure
              : script({ m: { error: "NO" }, other: { error: "NO" } })(request)
        ),
        { startImmediately: true }
      )
      yield* TestClock.adjust("5 minutes")
      const { outcomes } = yield* Fiber.join(fiber)
      assert.deepStrictEqual(outcomes["a/1"], { _tag: "failed", cause: "refused" })
      assert.strictEqual(outcomes["b/1"]?._tag, "scored")
    })
  )

  it.effect("is unreadable where most of its members are", () =>
    Effect.map(
      judged({ design: "consensus", samples: 1, members }, [item("a/1", "Knee pain.")], script({ m: "?", other: "?" })),
      ({ outcomes }) => assert.strictEqual(outcomes["a/1"]?._tag, "unparsed")
    )
  )
})
