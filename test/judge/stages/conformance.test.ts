import { assert, describe, it } from "vitest"
import { parseScore } from "../../../src/judge/parseScore.ts"
import * as audit from "../../../src/judge/stages/audit.ts"
import * as check from "../../../src/judge/stages/check.ts"
import * as checklist from "../../../src/judge/stages/checklist.ts"
import * as criterion from "../../../src/judge/stages/criterion.ts"
import * as extract from "../../../src/judge/stages/extract.ts"
import * as secondLook from "../../../src/judge/stages/secondLook.ts"
import * as yesNo from "../../../src/judge/stages/yesNo.ts"
import * as auditShapes from "./shapes/audit.ts"
import * as checkShapes from "./shapes/check.ts"
import * as checklistShapes from "./shapes/checklist.ts"
import type { Shape } from "./shapes/common.ts"
import * as criterionShapes from "./shapes/criterion.ts"
import * as extractShapes from "./shapes/extract.ts"
import { summary } from "./shapes/keyed.ts"
import * as scoreShapes from "./shapes/score.ts"
import * as secondLookShapes from "./shapes/secondLook.ts"
import * as yesNoShapes from "./shapes/yesNo.ts"

const ids = (facts: ReadonlyArray<{ readonly id: string }>) => facts.map(({ id }) => id)

const conforms = <E>(name: string, shapes: ReadonlyArray<Shape<E>>, read: (reply: string) => E) =>
  describe(`the ${name} contract`, () => {
    it("is tried with sixty shapes or more, no two alike", () => {
      assert.isAtLeast(new Set(shapes.map(([, reply]) => reply)).size, 60)
    })
    it.each(shapes)("%s", (_, reply, expected) => assert.deepStrictEqual(read(reply), expected))
  })

conforms("score", scoreShapes.shapes, (reply) => {
  const parsed = parseScore(reply, 10)
  return parsed.kind === "score" ? parsed.score : "unreadable"
})

conforms("yes/no", yesNoShapes.shapes, (reply) => {
  const parsed = yesNo.parse(reply)
  return parsed.kind === "unreadable" ? "unreadable" : parsed.flagged ? "YES" : "NO"
})

conforms("criterion", criterionShapes.shapes, (reply) => {
  const parsed = criterion.parse(reply)
  return parsed.kind === "unreadable" ? "unreadable" : parsed.met ? "met" : "not met"
})

conforms("checklist", checklistShapes.shapes, (reply) => {
  const parsed = checklist.parse(reply)
  if (parsed.kind === "unreadable") return "unreadable"
  const answers = parsed.questions.map(({ satisfied }) => (satisfied ? "y" : "n")).join("")
  return parsed.notApplicable === 0 ? answers : `${answers}/${parsed.notApplicable}`
})

conforms("extract", extractShapes.shapes, (reply) => {
  const parsed = extract.parse(reply)
  return parsed.kind === "unreadable" ? "unreadable" : parsed.facts.map(({ text }) => text).join(" + ")
})

conforms("audit", auditShapes.shapes, (reply) => {
  const parsed = audit.parse(reply, { ids: ids(auditShapes.facts) })
  if (parsed.kind === "unreadable") return "unreadable"
  const { dropped, duplicated, invented, kept, missing } = parsed
  const grades = [...kept, ...dropped].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return summary(grades, { missing, invented, duplicated })
})

conforms("check", checkShapes.shapes, (reply) => {
  const parsed = check.parse(reply, { ids: ids(checkShapes.facts), scale: "full-partial-absent" })
  if (parsed.kind === "unreadable") return "unreadable"
  const { coerced, duplicated, invented, missing, verdicts } = parsed
  return summary(
    [...verdicts].map(([id, { verdict }]) => [id, verdict] as const),
    { missing, invented, duplicated, coerced }
  )
})

conforms("second look", secondLookShapes.shapes, (reply) => {
  const parsed = secondLook.parse(reply, { ids: ids(secondLookShapes.facts), note: secondLookShapes.note })
  if (parsed.kind === "unreadable") return "unreadable"
  const { absent, duplicated, invented, missing, refused, rescued } = parsed
  return summary(
    [
      ...[...rescued.keys()].map((id) => [id, "rescued"] as const),
      ...[...refused.keys()].map((id) => [id, "refused"] as const),
      ...absent.map((id) => [id, "absent"] as const)
    ],
    { missing, invented, duplicated }
  )
})
