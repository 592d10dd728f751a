import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { getErrorExitCode } from "effect/Runtime"
import { BlindnessViolation, stretchInText, type TranscriptView } from "../../src/judge/blindness.ts"
import { messages as auditMessages } from "../../src/judge/stages/audit.ts"
import { messages as extractMessages } from "../../src/judge/stages/extract.ts"
import { item, judged } from "./designs/support.ts"

const note = `Start of a note that goes on for quite some while, so that its first eighty characters are its own.
Middle part of the very same note, which says other things again and is long enough for a stretch of its own.
End of the note, with a plan, a review in two weeks, and advice on when to come back, as every note should have.`

describe("a stage that reads the transcript alone", () => {
  it("cannot be handed a note, by type", () => {
    const whole = { transcript: "talk", note: "note" }
    // @ts-expect-error a view of the transcript has no place for a note
    const view: TranscriptView = whole
    // @ts-expect-error nor has the prompt of the extraction
    extractMessages(whole, "List.")
    // @ts-expect-error nor that of the audit
    auditMessages({ ...whole, facts: [] }, "Audit.")
    assert.isObject(view)
  })

  it("is found out by 80 characters of the note's start, middle or end, white space and case aside", () => {
    const within = (stretch: string) => stretchInText(`talk talk\n${stretch}\ntalk`, note)
    assert.isDefined(within(note.slice(0, 90).toUpperCase()))
    assert.isDefined(within(note.slice(-90).replaceAll(" ", "\n  ")))
    assert.isDefined(within(note.slice(90, 230)))
    assert.isUndefined(within(note.slice(0, 70)))
    assert.isUndefined(within(note.slice(-70)))
    assert.isUndefined(stretchInText("Knee pain. Rest.", "Knee pain. Rest."), "a short note cannot be told from chance")
  })

  for (const design of ["two-stage", "three-stage", "coverage", "consensus"] as const) {
    it.effect(`stops a ${design} judge before any call where the data hold a note in a transcript`, () =>
      Effect.map(
        judged(
          { design, samples: 1 },
          [item("a/1", "Fine."), item("b/clean", note, { transcript: `Doctor: ${note.slice(-120)}` })],
          () => ({ facts: ["a fact"] })
        ),
        ({ asked, result }) => {
          assert.strictEqual(asked.length, 0)
          const error = result._tag === "Failure" ? result.failure : undefined
          assert.instanceOf(error, BlindnessViolation)
          assert.strictEqual(getErrorExitCode(error), 2)
          assert.match(error.message, /consultation b holds a stretch of the note b\/clean/)
        }
      )
    )
  }

  it.effect("is stopped as well where a later prompt would show the note: the answer of an earlier stage has it", () =>
    Effect.map(
      judged({ design: "three-stage", samples: 1 }, [item("a/1", note)], (_, stage) =>
        stage === "extract" ? { facts: [note.slice(0, 99)] } : { facts: [] }
      ),
      ({ asked, result }) => {
        assert.strictEqual(asked.length, 1)
        assert.instanceOf(result._tag === "Failure" ? result.failure : undefined, BlindnessViolation)
      }
    )
  )
})
