import { assert, describe, it } from "@effect/vitest"
import { defaultInstructions, seedGroups, targetModules, targetProblems } from "../../src/campaign/candidates.ts"
import type { Seed } from "../../src/campaign/seeds.ts"
import { designOf } from "../../src/judge/designs/registry.ts"

const design = designOf({ design: "three-stage", samples: 1 })
const own = defaultInstructions(design)
const seed = (name: string, module: string, instruction: string): Seed => ({
  file: `${name}.md`,
  name,
  module,
  design: "three-stage",
  instruction
})

describe("starting points of a judge with several modules", () => {
  it("have an instruction for every module: the seed's, else the design's own", () => {
    assert.deepStrictEqual(
      seedGroups(design, [seed("a", "check", "Check A."), seed("b", "check", "Check B.")], ["check"]),
      [
        { name: "a", instructions: { ...own, check: "Check A." }, seeds: [seed("a", "check", "Check A.")] },
        { name: "b", instructions: { ...own, check: "Check B." }, seeds: [seed("b", "check", "Check B.")] }
      ]
    )
  })

  it("are one for seeds of one name", () => {
    const groups = seedGroups(
      design,
      [seed("a", "extract", "List A."), seed("a", "check", "Check A."), seed("b", "check", "Check B.")],
      ["extract", "check"]
    )
    assert.deepStrictEqual(
      groups.map(({ instructions, name }) => [name, instructions["extract"], instructions["check"]]),
      [
        ["a", "List A.", "Check A."],
        ["b", own["extract"], "Check B."]
      ]
    )
  })

  it("all take the seed of a module that does not evolve", () => {
    const groups = seedGroups(
      design,
      [seed("x", "extract", "List X."), seed("a", "check", "Check A."), seed("b", "check", "Check B.")],
      ["check"]
    )
    assert.deepStrictEqual(
      groups.map(({ instructions }) => instructions["extract"]),
      ["List X.", "List X."]
    )
  })

  it("are the design's own where no seed is of a module that evolves", () => {
    assert.deepStrictEqual(
      seedGroups(design, [seed("x", "extract", "List X.")], ["check"]).map(({ instructions, name }) => [
        name,
        instructions["extract"],
        instructions["check"]
      ]),
      [["default", "List X.", own["check"]]]
    )
  })
})

describe("the modules that evolve", () => {
  const seeds = [seed("a", "check", "Check A."), seed("b", "extract", "List B.")]

  it("are those of the target, else those that seeds are of, in the design's order", () => {
    assert.deepStrictEqual(targetModules(design, undefined, seeds), ["extract", "check"])
    assert.deepStrictEqual(targetModules(design, { module: "audit" }, seeds), ["audit"])
    assert.deepStrictEqual(targetModules(design, { modules: ["check", "extract", "check"] }, seeds), [
      "check",
      "extract"
    ])
  })

  it("must be the design's, and others have one seed at most", () => {
    const problems = targetProblems("campaign.yaml", design, [...seeds, seed("c", "check", "Check C.")], ["chek"])
    assert.deepStrictEqual(
      problems.map(({ field, found }) => [field, found]),
      [
        ["target", '"chek"'],
        ["seeds", '"a", "c"']
      ]
    )
  })
})
