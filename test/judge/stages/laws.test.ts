import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { parseScore } from "../../../src/judge/parseScore.ts"
import * as audit from "../../../src/judge/stages/audit.ts"
import * as check from "../../../src/judge/stages/check.ts"
import * as checklist from "../../../src/judge/stages/checklist.ts"
import * as criterion from "../../../src/judge/stages/criterion.ts"
import * as extract from "../../../src/judge/stages/extract.ts"
import * as secondLook from "../../../src/judge/stages/secondLook.ts"
import * as yesNo from "../../../src/judge/stages/yesNo.ts"

const ids = ["F1", "F2", "F3", "f3", "12", "a b", "constructor", "__proto__"]
const note = "He takes aspirin 75 mg daily and lives alone."

/** Scraps that answers are made of, in any order: more of them are nearly readable than of random characters. */
const scrap = fc.constantFrom(
  ..."{ } [ ] : , \" ' “ ” ` | \\ / # // /* */ - * 1. <think> </think> ``` \n \t \uFEFF \u00a0 \ud800".split(" "),
  ..." ,\n,: ,F1,F2,F3,f3,F9,12,a b,__proto__,constructor,id,fact,verdict,quote,grade,full,partial,absent,present,YES,NO,true,None,NaN,null,7,8/10,1e999,-0,score,error,met,question,satisfied,facts,verdicts,critical,duplicate,takes aspirin 75 mg".split(
    ","
  )
)
const reply = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.array(scrap, { maxLength: 60 }).map((scraps) => scraps.join("")),
  fc.array(scrap, { maxLength: 60 }).map((scraps) => scraps.join(" ")),
  fc.json(),
  fc
    .array(fc.tuple(fc.constantFrom(...ids, "F9"), fc.constantFrom("full", "partial", "absent", "odd")), {
      maxLength: 12
    })
    .map((rows) => JSON.stringify({ verdicts: rows.map(([id, verdict]) => ({ id, verdict })) }))
)

const subset = (found: Iterable<string>) => {
  const list = [...found]
  assert.strictEqual(new Set(list).size, list.length)
  for (const id of list) assert.include(ids, id)
}

describe("whatever a reply holds", () => {
  it("a check yields verdicts on ids that were asked, at most one each, and accounts for every id", () => {
    fc.assert(
      fc.property(reply, fc.constantFrom<check.Scale>("present-absent", "full-partial-absent"), (text, scale) => {
        const parsed = check.parse(text, { ids, scale })
        if (parsed.kind === "unreadable") return
        subset(parsed.verdicts.keys())
        assert.sameMembers([...parsed.verdicts.keys(), ...parsed.missing], ids)
        for (const id of parsed.invented) assert.notInclude(ids, id)
        for (const { verdict } of parsed.verdicts.values())
          assert.include(scale === "present-absent" ? ["present", "absent"] : ["full", "partial", "absent"], verdict)
      }),
      { numRuns: 250 }
    )
  })

  it("an audit keeps or drops ids that were asked, and accounts for every id", () => {
    fc.assert(
      fc.property(reply, (text) => {
        const parsed = audit.parse(text, { ids })
        if (parsed.kind === "unreadable") return
        assert.sameMembers([...parsed.kept.keys(), ...parsed.dropped.keys(), ...parsed.missing], ids)
      }),
      { numRuns: 200 }
    )
  })

  it("a second look rescues ids that were asked, and none without words of the note", () => {
    fc.assert(
      fc.property(reply, (text) => {
        const parsed = secondLook.parse(text, { ids, note })
        if (parsed.kind === "unreadable") return
        assert.sameMembers(
          [...parsed.rescued.keys(), ...parsed.refused.keys(), ...parsed.absent, ...parsed.missing],
          ids
        )
        for (const quote of parsed.rescued.values())
          assert.include(
            note.toLowerCase(),
            quote
              .toLowerCase()
              .replace(/\s+/g, " ")
              .replace(/^["' ]+|["' ]+$/g, "")
          )
      }),
      { numRuns: 200 }
    )
  })

  it("facts have ids of their own, a checklist a share of its questions, a score its range", () => {
    fc.assert(
      fc.property(reply, (text) => {
        const facts = extract.parse(text)
        if (facts.kind === "facts") {
          assert.isAtLeast(facts.facts.length, 1)
          assert.deepStrictEqual(
            facts.facts.map(({ id }) => id),
            facts.facts.map((_, index) => `F${index + 1}`)
          )
          for (const fact of facts.facts) assert.notMatch(fact.text, /[\r\n]/)
        }
        const questions = checklist.parse(text)
        if (questions.kind === "checklist") {
          assert.isAtLeast(questions.questions.length, 1)
          assert.isTrue(questions.share >= 0 && questions.share <= 1)
        }
        const score = parseScore(text, 10)
        if (score.kind === "score") assert.isTrue(score.score >= 0 && score.score <= 10)
        assert.include(["flag", "unreadable"], yesNo.parse(text).kind)
        assert.include(["graded", "unreadable"], criterion.parse(text).kind)
      }),
      { numRuns: 250 }
    )
  })

  it("an answer in the contract's own shape is read back whole", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("full", "partial", "absent"), { minLength: ids.length, maxLength: ids.length }),
        fc.array(fc.string({ unit: "grapheme", maxLength: 40 }), { minLength: ids.length, maxLength: ids.length }),
        (grades, quotes) => {
          const verdicts = ids.map((id, index) => ({ id, quote: quotes[index]!, verdict: grades[index]! }))
          const parsed = check.parse(JSON.stringify({ verdicts }), { ids, scale: "full-partial-absent" })
          assert.strictEqual(parsed.kind, "verdicts")
          if (parsed.kind !== "verdicts") return
          assert.deepStrictEqual(
            ids.map((id) => parsed.verdicts.get(id)?.verdict),
            grades
          )
        }
      ),
      { numRuns: 200 }
    )
  })
})

describe("hostile replies", () => {
  const repeated = (length: number): ReadonlyArray<string> =>
    [
      "[",
      "{",
      '{"a":',
      "{'a':'",
      '"',
      "\\",
      '\\"',
      '{"F1":"full",',
      "F1: full\n",
      "| F1 | full |\n",
      "<think>",
      "```",
      "// ",
      "/*",
      "#",
      "- ",
      "1. ",
      " ",
      "\n",
      "F1",
      "F1 ",
      "F1:",
      "yes ",
      "No, ",
      "score ",
      "score: 7 ",
      "“",
      "'",
      "{]",
      '["F1",',
      "Is it? ",
      "id: F1\n",
      "a|b|",
      '{"a" ',
      '{"a":"b"c',
      "{a:b "
    ].map((piece) => piece.repeat(Math.ceil(length / piece.length)))

  const readAll = (text: string) => {
    parseScore(text, 10)
    yesNo.parse(text)
    criterion.parse(text)
    checklist.parse(text)
    extract.parse(text)
    audit.parse(text, { ids })
    check.parse(text, { ids, scale: "full-partial-absent" })
    secondLook.parse(text, { ids, note })
  }

  it("are read in time that grows with their length, and not with its square", () => {
    const took = (length: number) =>
      repeated(length).map((text) => {
        // The process's own time: a busy machine makes it no longer.
        const start = process.cpuUsage()
        readAll(text)
        return process.cpuUsage(start).user / 1000
      })
    took(2000)
    // Eight parsers on 150,000 characters: quadratic reading would take minutes.
    for (const [index, time] of took(150_000).entries()) assert.isBelow(time, 5000, JSON.stringify(repeated(20)[index]))
  })
})
