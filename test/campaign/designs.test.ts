import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { forecastOf } from "../../src/campaign/affordable.ts"
import { prepareCampaign } from "../../src/campaign/prepare.ts"
import type { InputError } from "../../src/domain/InputError.ts"
import { judgePin } from "../../src/judge/judgePin.ts"

const root = join(import.meta.dirname, "../..")

/** Prepares the quickstart with another judge and other seeds, in a folder of its own. */
const prepared = (judge: string, seeds: ReadonlyArray<string>, more = "") =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "assize-designs-"))),
    (folder) => {
      for (const part of ["seeds", "splits"]) cpSync(join(root, part), join(folder, part), { recursive: true })
      const target = join(folder, "campaigns/quickstart")
      cpSync(join(root, "campaigns/quickstart/dataset.jsonl"), join(target, "dataset.jsonl"))
      const yaml = readFileSync(join(root, "campaigns/quickstart/campaign.yaml"), "utf8")
        .replace("{ design: whole-note-score, samples: 1 }", judge)
        .replace(
          /seeds:\n(?: {2}- .*\n)+/,
          `${more}\nseeds:\n${seeds.map((seed) => `  - ../../seeds/${seed}.md\n`).join("")}`
        )
      const file = join(target, "campaign.yaml")
      writeFileSync(file, yaml)
      return prepareCampaign(file)
    },
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  ).pipe(Effect.provide(NodeServices.layer))

const problemsOf = <A>(effect: Effect.Effect<A, InputError>) =>
  Effect.map(Effect.flip(effect), ({ problems }) => problems.map(({ field, found, what }) => ({ field, found, what })))

describe("a campaign", () => {
  it.effect("of a whole-note judge has the settings of old, so that its runs go on", () =>
    Effect.map(prepared("{ design: whole-note-score, samples: 1 }", ["completeness"]), ({ task }) => {
      assert.deepStrictEqual(task.settings.judge, { design: "whole-note-score", samples: 1 })
      assert.notProperty(task.settings, "modules")
      // Of version 0.1.0.
      assert.strictEqual(task.settings.prompt, "d665c77369b7b66308408f76193c0ecdd3bc8cfd5255c1b26ec8eb32b58fb285")
      assert.deepStrictEqual(
        task.seeds.map(({ id, instructions }) => [id, Object.keys(instructions)]),
        [["87ea09b3b6a1", ["judge"]]]
      )
      assert.deepStrictEqual(task.modules, ["judge"])
    })
  )

  it.effect("of a pipeline evolves the module of its target, with an instruction for every other", () =>
    Effect.map(prepared("{ design: three-stage }", ["three-stage-check"], "target: { module: check }"), ({ task }) => {
      assert.deepStrictEqual(task.modules, ["check"])
      assert.deepStrictEqual(task.settings.modules, ["check"])
      assert.deepStrictEqual(Object.keys(task.seeds[0]!.instructions), ["extract", "audit", "check", "second-look"])
      assert.deepStrictEqual(task.scale, { min: 0, max: 1, margin: 0.05 })
      assert.deepStrictEqual(Object.keys(task.contracts), ["extract", "audit", "check", "second-look"])
    })
  )

  it.effect("of a pipeline evolves several modules in turn, named below search too", () =>
    Effect.map(
      prepared(
        "{ design: two-stage }",
        ["two-stage-check", "two-stage-extract"],
        "target: { modules: [extract, check] }"
      ),
      ({ task }) => assert.deepStrictEqual(task.modules, ["extract", "check"])
    )
  )

  it.effect("takes a seed of another design whose module has the same fixed words", () =>
    Effect.map(
      prepared("{ design: two-stage }", ["three-stage-extract", "two-stage-check"], "target: { module: check }"),
      ({ task }) => assert.strictEqual(task.seeds.length, 1)
    )
  )

  it.effect("refuses seeds of other designs, modules that are none, and options of other designs", () =>
    Effect.gen(function* () {
      const other = yield* problemsOf(prepared("{ design: two-stage }", ["three-stage-check"]))
      assert.deepStrictEqual(other, [
        { field: "design", found: '"three-stage"', what: "the seed is for another design of judge" }
      ])
      const none = yield* problemsOf(
        prepared("{ design: two-stage }", ["two-stage-check"], "target: { module: audit }")
      )
      assert.deepStrictEqual(none, [
        { field: "target", found: '"audit"', what: "the judge's design two-stage has no such module" }
      ])
      const options = yield* problemsOf(prepared("{ design: checklist, join: median }", ["checklist"]))
      assert.deepStrictEqual(
        options.map(({ field, what }) => [field, what]),
        [["judge.join", "is an option of the design consensus alone"]]
      )
    })
  )

  it("of a consensus is settled by its members and the pins of their models, which hold no timeout", () => {
    assert.deepStrictEqual(
      judgePin({
        design: "consensus",
        samples: 1,
        join: "median",
        members: [
          { name: "a", design: "whole-note-score" },
          { design: "checklist", samples: 2, model: { provider: "openai", model: "m", timeout: "5 s" } }
        ]
      }),
      {
        design: "consensus",
        samples: 1,
        options: {
          join: "median",
          members: [
            { name: "a", design: "whole-note-score", samples: 1 },
            {
              name: "2",
              design: "checklist",
              samples: 2,
              model: { address: "https://api.openai.com/v1", model: "m", provider: "openai" }
            }
          ]
        }
      }
    )
  })
})

describe("the forecast of a design", () => {
  const calls = (judge: string, seeds: ReadonlyArray<string>, more = "") =>
    Effect.map(Effect.flatMap(prepared(judge, seeds, more), forecastOf), ({ rejectedProposal, start }) => ({
      start: start.judge.calls,
      rejected: rejectedProposal.judge.calls
    }))

  it.effect("counts each stage: once a consultation, once a note and sample, once a criterion", () =>
    Effect.gen(function* () {
      const whole = yield* calls("{ design: whole-note-score }", ["completeness"])
      const notes = whole.start / 1.01
      const two = yield* calls("{ design: two-stage }", ["two-stage-check"], "target: { module: check }")
      const three = yield* calls("{ design: three-stage }", ["three-stage-check"], "target: { module: check }")
      const rubric = yield* calls("{ design: rubric }", ["rubric-criterion"])
      const consultations = (two.start - whole.start) / 1.01
      assert.approximately(consultations, 10, 1e-9)
      assert.approximately(three.start / 1.01, 2 * notes + 2 * consultations, 1e-9)
      assert.approximately(rubric.start / 1.01, 10 * notes, 1e-9)
      const evolving = yield* calls("{ design: two-stage }", ["two-stage-extract"], "target: { module: extract }")
      // A new instruction of the extraction lists every consultation's facts anew.
      assert.isAbove(evolving.rejected, two.rejected)
    })
  )
})
