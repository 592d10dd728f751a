import { assert, describe, it } from "@effect/vitest"
import { callSeed } from "../../../src/domain/Random.ts"
import { contract } from "../../../src/judge/wholeNoteScore.ts"
import { answer } from "../../../src/model/embedded/answer.ts"
import { methods, readInstruction, type Skill } from "../../../src/model/embedded/instruction.ts"
import { readReflectionPrompt } from "../../../src/model/embedded/reflect/readPrompt.ts"
import { openings, padding, vague, wordings } from "../../../src/model/embedded/reflect/wordings.ts"
import { topics } from "../../../src/model/embedded/text/transcript.ts"
import { gramsOf } from "../../../src/optimise/overlap.ts"
import { readReflection } from "../../../src/optimise/readReflection.ts"
import { type Attempt, reflectionMessages } from "../../../src/optimise/reflectionPrompt.ts"
import type { NoteTrace } from "../../../src/optimise/trace.ts"
import { faithfulnessOnly, plainQuestion } from "./instructions.ts"

const passages: ReadonlyArray<{ fact: string; passage: string; surviving?: string }> = [
  {
    fact: "Allergic to penicillin",
    passage: "Allergy: penicillin (rash in childhood, told to carry a card).",
    surviving: "in view of penicillin allergy"
  },
  {
    fact: "Calls 999 if breathless at rest",
    passage: "999 if breathless at rest or coughing blood, ring if no better in 3 days."
  },
  {
    fact: "Furosemide 40 mg every morning",
    passage: "Furosemide 40 mg in the morning, misses it twice a week when driving."
  },
  { fact: "No calf pain", passage: "No calf pain or swelling, no long journeys in the last month." }
]

const traces: ReadonlyArray<NoteTrace> = passages.flatMap(
  ({ fact, passage, surviving }, index): ReadonlyArray<NoteTrace> => {
    const letter = String.fromCharCode(65 + index)
    return [
      { label: `${letter}1`, verdict: "right", score: 8, reason: "Nothing is missing.", truth: { kind: "clean" } },
      {
        label: `${letter}2`,
        verdict: "wrong",
        score: 8,
        reason: 'It says "no fever".\nAll is well.',
        truth: {
          kind: "flawed",
          twin: `${letter}1`,
          twinScore: 8,
          class: "omission",
          trace: surviving === undefined ? "complete" : "fragment",
          severity: "critical",
          fact,
          cleanPassage: passage,
          flawedPassage: "",
          surviving: surviving === undefined ? [] : [surviving]
        }
      }
    ]
  }
)

const prompt = (instruction: string, attempts: ReadonlyArray<Attempt> = [], lengthLimit = 6000) =>
  reflectionMessages({ instruction, contract, traces, attempts, lengthLimit })

const rules = (instruction: string, lengthLimit = 6000) => ({
  lengthLimit,
  pool: new Set([instruction]),
  trainGrams: gramsOf(passages.map(({ passage }) => passage)),
  seedGrams: new Set<string>()
})

const reflections = (instruction: string, count: number, lengthLimit = 6000, attempts: ReadonlyArray<Attempt> = []) =>
  Array.from({ length: count }, (_, index) => {
    const reply = answer({
      messages: prompt(instruction, attempts, lengthLimit),
      seed: callSeed(3, `reflection ${index}`, 0)
    })
    return readReflection({ kind: "answered", text: reply.text, finish: reply.finish }, rules(instruction, lengthLimit))
  })

const skills: ReadonlyArray<Skill> = [...topics, ...methods]
const asked = (instruction: string) => skills.filter((skill) => readInstruction(instruction).asked(skill) >= 0.6)

describe("the embedded reflector", () => {
  it("reads the prompt that the search writes", () => {
    const attempts: ReadonlyArray<Attempt> = [
      { instruction: "Be strict.\n\nVery.", reason: "not-better", detail: "mean reward 0.4 against 0.5" },
      { instruction: "List the facts.", reason: null, detail: "accepted" }
    ]
    const task = readReflectionPrompt(prompt(plainQuestion, attempts, 1234)[0]!.content)
    assert.strictEqual(task?.instruction, plainQuestion)
    assert.strictEqual(task?.lengthLimit, 1234)
    assert.deepStrictEqual(task?.attempts, [
      { accepted: false, instruction: "Be strict.\n\nVery." },
      { accepted: true, instruction: "List the facts." }
    ])
    assert.deepStrictEqual(
      task?.traces.filter((trace) => !trace.right).map(({ content, kind, survives }) => ({ content, kind, survives })),
      passages.map(({ fact, passage, surviving }) => ({
        kind: "omission",
        content: `${fact}. ${passage}`,
        survives: surviving !== undefined
      }))
    )
  })

  it("mostly adds skills that the errors call for, and often a good many in the end", () => {
    let current = plainQuestion
    for (let index = 0; index < 12; index++) {
      const reply = answer({ messages: prompt(current), seed: callSeed(5, `reflection ${index}`, 0) })
      const { instruction, rejected } = readReflection(
        { kind: "answered", text: reply.text, finish: reply.finish },
        rules(current)
      )
      if (rejected === null && asked(instruction!).length > asked(current).length) current = instruction!
    }
    const reading = readInstruction(current)
    for (const skill of ["enumerate", "negatives", "medicines", "safetyNet"] as const) {
      assert.isAtLeast(reading.asked(skill), 0.6, skill)
    }
    assert.isAtMost(current.length, 6000)
  })

  it("is usable most of the time, and malformed or bad at its seeded rates", () => {
    const results = reflections(plainQuestion, 1000)
    const unusable = results.filter((result) => result.rejected !== null)
    assert.isAtLeast(unusable.length, 10)
    assert.isAtMost(unusable.length, 60)
    const reasons = new Set(unusable.map((result) => result.rejected!.reason))
    for (const reason of ["no-block", "truncated", "placeholder", "copies-notes"] as const)
      assert.isTrue(reasons.has(reason), reason)
    const usable = results.flatMap(({ instruction, rejected }) => (rejected === null ? [instruction!] : []))
    const better = usable.filter((instruction) => asked(instruction).length > asked(plainQuestion).length)
    assert.isAtLeast(better.length / results.length, 0.75)
    const bad = (test: (instruction: string) => boolean) => usable.filter(test).length / results.length
    assert.approximately(
      bad((instruction) => readInstruction(instruction).harshness > 0),
      0.05,
      0.03
    )
    assert.approximately(
      bad((instruction) => instruction.length > 3500),
      0.04,
      0.03
    )
    assert.approximately(
      bad((instruction) => vague.includes(instruction)),
      0.08,
      0.04
    )
    assert.isAtLeast(new Set(usable).size, 200)
  })

  it("keeps to the length limit", () => {
    for (const limit of [400, 900]) {
      for (const { instruction } of reflections(plainQuestion, 200, limit)) {
        if (instruction !== null && !instruction.includes("For example") && !instruction.includes("{{")) {
          assert.isAtMost(instruction.length, limit)
        }
      }
    }
  })

  it("drops a sentence that forbids what is called for", () => {
    const revised = reflections(faithfulnessOnly, 60).flatMap(({ instruction, rejected }) =>
      rejected === null && readInstruction(instruction!).asked("omissions") >= 0.6 ? [instruction!] : []
    )
    assert.isNotEmpty(revised)
    assert.isAtLeast(
      revised.filter((instruction) => !instruction.includes("Ignore anything")).length / revised.length,
      0.8
    )
  })

  it("returns less often to what an attempt tried in vain", () => {
    const attempt = {
      instruction: `${plainQuestion}\n\n${wordings.enumerate[0]}`,
      reason: "not-better",
      detail: "worse"
    } as const
    const share = (attempts: ReadonlyArray<Attempt>) =>
      reflections(plainQuestion, 300, 6000, attempts).filter(
        ({ instruction }) => instruction !== null && readInstruction(instruction).asked("enumerate") >= 0.6
      ).length / 300
    assert.isBelow(share([attempt]), share([]) - 0.05)
  })
})

describe("the reflector's wordings", () => {
  it("ask for the skill that they stand for, without harshness and without leaving anything aside", () => {
    for (const [skill, texts] of Object.entries(wordings)) {
      for (const text of texts) {
        const reading = readInstruction(text)
        assert.isAtLeast(reading.asked(skill as Skill), 0.6, text)
        assert.strictEqual(reading.harshness, 0, text)
        assert.strictEqual(reading.suppressed.size, 0, text)
      }
    }
  })

  it("ask for nothing where they are meant to say nothing", () => {
    for (const text of [...vague, ...padding, ...openings]) {
      assert.deepStrictEqual(asked(text), [], text)
      assert.strictEqual(readInstruction(text).suppressed.size, 0, text)
    }
  })
})
