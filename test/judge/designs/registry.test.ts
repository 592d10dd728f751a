import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { judgeConfigs, seedDesigns } from "../../../src/campaign/judgeConfigs.ts"
import { parseSeed } from "../../../src/campaign/seeds.ts"
import { DesignName } from "../../../src/domain/DesignName.ts"
import { designOf } from "../../../src/judge/designs/registry.ts"
import { hasPlaceholder } from "../../../src/judge/prompt.ts"

const folder = join(import.meta.dirname, "../../../seeds")
const seeds = readdirSync(folder)
  .filter((file) => file.endsWith(".md"))
  .map((file) =>
    parseSeed(
      readFileSync(join(folder, file), "utf8"),
      file,
      file.slice(0, -3),
      seedDesigns(judgeConfigs(undefined, 1))
    )
  )

describe("the designs", () => {
  it("have shipped seeds that can be read, each for a module of its design", () => {
    for (const { problems, seed } of seeds) assert.deepStrictEqual(problems, [], seed.file)
  })

  for (const name of DesignName.literals.filter((one) => one !== "consensus")) {
    const design = designOf({ design: name, samples: 1 })

    it(`${name} starts from the texts of its seeds`, () => {
      const texts = seeds
        .filter(({ seed }) => seed.design === name)
        .map(({ seed }) => `${seed.module}: ${seed.instruction}`)
      for (const { instruction, name: module } of design.modules) assert.include(texts, `${module}: ${instruction}`)
      for (const { instructions } of design.wordings)
        for (const [module, text] of Object.entries(instructions)) assert.include(texts, `${module}: ${text}`)
    })

    it(`${name} is one value: its stages follow its modules, and only those that see no note are asked once a consultation`, () => {
      assert.strictEqual(design.name, name)
      const modules = design.modules.map((module) => module.name)
      for (const stage of design.stages) {
        assert.include(modules, stage.module)
        assert.strictEqual(stage.per === "consultation", stage.sees === "transcript")
      }
      for (const { contract, instruction, preamble } of design.modules) {
        assert.isFalse(hasPlaceholder(instruction))
        assert.match(preamble, /<instruction>\n$/)
        assert.match(contract, /^\n<\/instruction>/)
      }
      assert.isBelow(design.scale.min, design.scale.max)
    })
  }

  it("of a consensus have the modules of its members under their names", () => {
    const design = designOf({
      design: "consensus",
      samples: 1,
      members: [{ design: "two-stage" }, { name: "x", design: "checklist" }]
    })
    assert.deepStrictEqual(
      design.modules.map(({ name }) => name),
      ["1.extract", "1.check", "x.judge"]
    )
  })
})
