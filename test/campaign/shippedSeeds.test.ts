import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { scaffoldSeeds } from "../../src/campaign/scaffold.ts"
import { parseSeed } from "../../src/campaign/seeds.ts"
import { DesignName } from "../../src/domain/DesignName.ts"
import { designOf } from "../../src/judge/designs/registry.ts"

const designs = DesignName.literals
  .filter((design) => design !== "consensus")
  .map((design) => designOf({ design, samples: 1 }))

const folder = new URL("../../seeds/", import.meta.url)
const seeds = readdirSync(folder)
  .filter((name) => name.endsWith(".md"))
  .map((file) => {
    const text = readFileSync(new URL(file, folder), "utf8")
    const named = /^design: (.+)$/m.exec(text)?.[1]
    const design = designs.find(({ name }) => name === named)
    assert.isDefined(design, `${file} names no design`)
    return { file, text, ...parseSeed(text, file, file.replace(/\.md$/, ""), design!) }
  })

describe("the seeds that are shipped", () => {
  it("serve every module of every design, and the design starts from one of them", () => {
    for (const { modules, name } of designs)
      for (const module of modules) {
        const own = seeds.filter(({ seed }) => seed.design === name && seed.module === module.name)
        assert.include(
          own.map(({ seed }) => seed.instruction),
          module.instruction,
          `${name} ${module.name}`
        )
      }
  })

  it("hold the wordings that a comparison of designs takes", () => {
    for (const { name, wordings } of designs)
      for (const { instructions } of wordings)
        for (const [module, instruction] of Object.entries(instructions))
          assert.isTrue(
            seeds.some(
              ({ seed }) => seed.design === name && seed.module === module && seed.instruction === instruction
            ),
            `${name} ${module}`
          )
  })

  it("are all written by init", () => {
    assert.sameMembers(
      seeds.map(({ file }) => file),
      scaffoldSeeds.map((name) => `${name}.md`)
    )
  })

  it("are readable, say where they come from, and have names of their own within a module", () => {
    for (const { file, problems, seed } of seeds) {
      assert.deepStrictEqual(problems, [], file)
      assert.match(seed.provenance ?? "", /^written for this project/, file)
      assert.isAtMost(seed.instruction.length, 3000, file)
    }
    const names = seeds.map(({ seed }) => `${seed.design}/${seed.module}/${seed.name}`)
    assert.strictEqual(new Set(names).size, names.length)
  })

  it("hold nothing but ASCII and end with a line end, so that they diff well", () => {
    for (const { file, text } of seeds) assert.match(text, /^[\x20-\x7e\n]*\n$/, file)
  })
})
