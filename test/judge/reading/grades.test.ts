import { expect, it } from "vitest"
import { gradeReader } from "../../../src/judge/reading/grades.ts"

const reader = gradeReader<"full">({ words: new Map([["full", "full"]]) })

it.each([
  ['full: "he smokes"', "he smokes"],
  ["full – “he «smokes» now”", "he «smokes"],
  ['full: ""x"', "x"],
  ["full: “”x”", undefined],
  ["full: “never closed", undefined],
  ["full: ““““twice opened”", "“““twice opened"]
])("takes the first words in quotes of %s", (text, quote) => {
  expect(reader.line(text)).toEqual(quote === undefined ? { grade: "full" } : { grade: "full", quote })
})

it("goes over a line of opening quotes once", () => {
  expect(reader.line(`full: ${"“".repeat(200_000)}`)).toEqual({ grade: "full" })
})
