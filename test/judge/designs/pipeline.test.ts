import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Outcome } from "../../../src/domain/Judgement.ts"
import { isRetry, item, judged, keysOf, type Script, stageOf } from "./support.ts"

const facts = ["Left knee pain", "Allergic to penicillin", "Works on a farm", "Was asked to sit down"]
const listed = { facts }
const audited = {
  facts: [
    { id: "F1", grade: "supporting" },
    { id: "F2", grade: "critical" },
    { id: "F3", grade: "peripheral" },
    { id: "F4", grade: "unsupported" }
  ]
}
const verdicts = (words: Readonly<Record<string, string>>) => ({
  verdicts: Object.entries(words).map(([id, verdict]) => ({ id, quote: "", verdict }))
})

const note = item("a/1", "Knee pain on the left. Reacts badly to penicillin tablets.")

const script =
  (answers: Readonly<Record<string, unknown>>): Script =>
  (_, stage) =>
    answers[stage] ?? { extract: listed, audit: audited }[stage]

const scored = (outcome: Outcome | undefined) => {
  if (outcome?._tag !== "scored") throw new Error(`not scored: ${JSON.stringify(outcome)}`)
  return outcome
}

describe("the two-stage pipeline", () => {
  it.effect("scores the share of the facts that is present, a partial one too, which is counted", () =>
    Effect.map(
      judged(
        { design: "two-stage", samples: 1 },
        [note],
        script({ check: verdicts({ F1: "present", F2: "partial", F3: "absent", F4: "absent" }) })
      ),
      ({ asked, outcomes, uses }) => {
        const outcome = scored(outcomes["a/1"])
        assert.strictEqual(outcome.score, 0.5)
        assert.deepStrictEqual(outcome.details, { coerced: 1 })
        assert.deepStrictEqual(
          outcome.findings?.map(({ id, text, verdict }) => [id, text, verdict]),
          [
            ["F1", facts[0], "present"],
            ["F2", facts[1], "present"],
            ["F3", facts[2], "absent"],
            ["F4", facts[3], "absent"]
          ]
        )
        assert.isUndefined(outcome.flagged)
        assert.deepStrictEqual(asked.map(stageOf), ["extract", "check"])
        assert.deepStrictEqual(
          uses.map(({ stage }) => stage),
          ["extract", "check"]
        )
      }
    )
  )
})

describe("the three-stage pipeline", () => {
  const judge = { design: "three-stage", samples: 1 } as const

  it.effect(
    "weighs what is captured by severity, records it unweighted, and flags a note without a critical fact",
    () =>
      Effect.map(
        judged(
          judge,
          [note],
          script({
            check: verdicts({ F1: "full", F2: "absent", F3: "partial" }),
            "second-look": { facts: [{ id: "F2", quote: "" }] }
          })
        ),
        ({ asked, outcomes }) => {
          const outcome = scored(outcomes["a/1"])
          // 2 · 1 + 4 · 0 + 1 · ½ of 7; dropped facts are in no denominator.
          assert.approximately(outcome.score, 2.5 / 7, 1e-12)
          assert.approximately(outcome.details!["unweighted"]!, 0.5, 1e-12)
          assert.strictEqual(outcome.details!["dropped"], 1)
          assert.isTrue(outcome.flagged)
          assert.deepStrictEqual(
            outcome.findings?.map(({ id, severity, verdict }) => [id, severity, verdict]),
            [
              ["F1", "supporting", "full"],
              ["F2", "critical", "absent"],
              ["F3", "peripheral", "partial"]
            ]
          )
          const after = asked.filter((request) => ["check", "second-look"].includes(stageOf(request)))
          assert.strictEqual(after.length, 2)
          for (const { messages } of after)
            assert.notMatch(
              messages.map(({ content }) => content).join("\n"),
              /critical|supporting|peripheral|severity/i
            )
          // Of the absent facts alone.
          assert.include(after[1]!.messages[0]!.content, '"F2"')
          assert.notInclude(after[1]!.messages[0]!.content, '"F1"')
        }
      )
  )

  it.effect("is rescued by a quote that the note has, whatever its case and white space", () =>
    Effect.map(
      judged(
        judge,
        [note],
        script({
          check: verdicts({ F1: "full", F2: "absent", F3: "full" }),
          "second-look": { facts: [{ id: "F2", quote: "reacts  badly to\nPenicillin" }] }
        })
      ),
      ({ outcomes }) => {
        const outcome = scored(outcomes["a/1"])
        assert.strictEqual(outcome.score, 1)
        assert.isFalse(outcome.flagged)
        assert.isTrue(outcome.findings?.find(({ id }) => id === "F2")?.rescued)
        assert.strictEqual(outcome.details!["rescued"], 1)
        assert.strictEqual(outcome.details!["rescues refused"], 0)
      }
    )
  )

  for (const [what, quote] of [
    ["that the note has not", "Allergy to penicillin recorded"],
    ["of fewer than 8 characters", "tablets"]
  ] as const) {
    it.effect(`refuses a rescue with a quote ${what}, and counts it`, () =>
      Effect.map(
        judged(
          judge,
          [note],
          script({
            check: verdicts({ F1: "full", F2: "absent", F3: "full" }),
            "second-look": { facts: [{ id: "F2", quote }] }
          })
        ),
        ({ outcomes }) => {
          const outcome = scored(outcomes["a/1"])
          assert.approximately(outcome.score, 3 / 7, 1e-12)
          assert.isTrue(outcome.flagged)
          assert.strictEqual(outcome.findings?.find(({ id }) => id === "F2")?.verdict, "absent")
          assert.strictEqual(outcome.details!["rescued"], 0)
          assert.strictEqual(outcome.details!["rescues refused"], 1)
        }
      )
    )
  }

  it.effect("takes no second look where nothing is absent", () =>
    Effect.map(
      judged(judge, [note], script({ check: verdicts({ F1: "full", F2: "full", F3: "partial" }) })),
      ({ asked, outcomes }) => {
        assert.deepStrictEqual(asked.map(stageOf), ["extract", "audit", "check"])
        assert.isFalse(scored(outcomes["a/1"]).flagged)
      }
    )
  )

  it.effect("asks once for ids that are missing, and for them alone", () =>
    Effect.map(
      judged(judge, [note], (request, stage) =>
        stage === "check"
          ? isRetry(request)
            ? verdicts({ F2: "full" })
            : verdicts({ F1: "full", F3: "full" })
          : script({})(request, stage)
      ),
      ({ asked, outcomes }) => {
        assert.strictEqual(scored(outcomes["a/1"]).score, 1)
        const retry = asked.find(isRetry)!
        assert.include(retry.messages.at(-1)!.content, '"F2"')
        assert.notInclude(retry.messages.at(-1)!.content, '"F1"')
      }
    )
  )

  it.effect("has no score where ids are missing even then: never a share of an unknown whole", () =>
    Effect.map(
      judged(judge, [note], (request, stage) =>
        stage === "check" ? verdicts({ F1: "full", F3: "full" }) : script({})(request, stage)
      ),
      ({ asked, outcomes }) => {
        assert.strictEqual(outcomes["a/1"]?._tag, "unparsed")
        assert.strictEqual(asked.filter((request) => stageOf(request) === "check").length, 2)
      }
    )
  )

  it.effect(
    "asks for a consultation's facts in one and the same way, whatever the note, sample, candidate or run",
    () => {
      const notes = [note, item("a/2", "Nothing of it."), item("a/3", "Knee.")]
      const answers = script({
        check: verdicts({ F1: "full", F2: "absent", F3: "full" }),
        "second-look": { facts: [{ id: "F2", quote: "" }] }
      })
      return Effect.gen(function* () {
        const first = yield* judged({ ...judge, samples: 3 }, notes, answers, { instructions: { check: "Check it." } })
        const second = yield* judged(judge, notes, answers, {
          instructions: { check: "Check it otherwise." },
          seed: 22,
          candidate: "d"
        })
        const asked = [...first.asked, ...second.asked]
        assert.strictEqual(keysOf(asked, "extract").size, 1)
        assert.strictEqual(keysOf(asked, "audit").size, 1)
        // Each note and sample of the first, each note of the second.
        assert.strictEqual(keysOf(asked, "check").size, 3 * 3 + 3)
        const other = yield* judged(judge, notes, answers, { instructions: { extract: "List other things." } })
        assert.strictEqual(keysOf([...asked, ...other.asked], "extract").size, 2)
      })
    }
  )

  it.effect("judges no note of a consultation whose facts cannot be read", () =>
    Effect.map(
      judged(judge, [note], (_, stage) => (stage === "extract" ? "I would rather not." : audited)),
      ({ asked, outcomes }) => {
        assert.deepStrictEqual(asked.map(stageOf), ["extract", "extract"])
        assert.strictEqual(outcomes["a/1"]?._tag, "unparsed")
      }
    )
  )
})

describe("the coverage judge", () => {
  it.effect("scores mean coverage without audit, weights or second look", () =>
    Effect.map(
      judged(
        { design: "coverage", samples: 1 },
        [note],
        script({ check: verdicts({ F1: "full", F2: "absent", F3: "partial", F4: "absent" }) })
      ),
      ({ asked, outcomes }) => {
        assert.strictEqual(scored(outcomes["a/1"]).score, 1.5 / 4)
        assert.deepStrictEqual(asked.map(stageOf), ["extract", "check"])
      }
    )
  )
})
