import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { loadSeeds, type SeedDesign } from "../../src/campaign/seeds.ts"
import { contract, preamble } from "../../src/judge/wholeNoteScore.ts"
import { inFolder, write } from "../dataset/support.ts"

const design: SeedDesign = { name: "whole-note-score", modules: [{ name: "judge", preamble, contract }] }

const load = (texts: Readonly<Record<string, string>>) =>
  inFolder((folder) =>
    Effect.map(
      Effect.result(
        loadSeeds(
          Object.entries(texts).map(([name, text]) => write(folder, name, text)),
          design
        )
      ),
      (result) =>
        result._tag === "Success"
          ? { seeds: result.success.map(({ file: _, ...seed }) => seed), errors: [] }
          : { seeds: [], errors: result.failure.message.replaceAll(`${folder}/`, "").split("\n") }
    )
  )

const head =
  "---\nname: omissions\ndesign: whole-note-score\nmodule: judge\nprovenance: written for this project\n---\n"

describe("loadSeeds reads", () => {
  it.effect("an instruction with front matter, and one without", () =>
    Effect.map(
      load({ "a.md": `${head}\nList the facts.\n\nThen check each.\n`, "plain.md": "Look for what is missing.\n" }),
      ({ errors, seeds }) => {
        assert.deepStrictEqual(errors, [])
        assert.deepStrictEqual(seeds, [
          {
            name: "omissions",
            module: "judge",
            design: "whole-note-score",
            instruction: "List the facts.\n\nThen check each.",
            provenance: "written for this project"
          },
          { name: "plain", module: "judge", design: "whole-note-score", instruction: "Look for what is missing." }
        ])
      }
    )
  )
  it.effect("a whole prompt with the design's own fixed parts, and CRLF with a byte order mark", () =>
    Effect.map(
      load({ "a.md": `\ufeff${head}\n${preamble}Check doses.${contract}`.replaceAll("\n", "\r\n") }),
      ({ errors, seeds }) => {
        assert.deepStrictEqual(errors, [])
        assert.strictEqual(seeds[0]!.instruction, "Check doses.")
      }
    )
  )
  it.effect("a rule line --- within the instruction as text", () =>
    Effect.map(load({ "a.md": "First.\n\n---\n\nSecond." }), ({ seeds }) =>
      assert.strictEqual(seeds[0]!.instruction, "First.\n\n---\n\nSecond.")
    )
  )
})

describe("loadSeeds refuses", () => {
  const cases: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, ReadonlyArray<string | RegExp>]> = [
    [
      "an empty file",
      { "a.md": "" },
      [
        "a.md:1: the seed has no instruction (expected the text that tells the judge what to look for, after the front matter)"
      ]
    ],
    ["front matter without an instruction", { "a.md": `${head}\n\n` }, [/^a\.md:7: the seed has no instruction/]],
    ["an empty instruction block", { "a.md": `${preamble}${contract}` }, [/^a\.md:\d+: the seed has no instruction/]],
    [
      "two seeds with one instruction",
      { "a.md": "Check doses.", "b.md": "---\nname: b\n---\n\nCheck doses.\n" },
      ["b.md:5: the instruction is the same as that of a.md. Leave one of the two out"]
    ],
    [
      "two seeds with one name",
      { "a.md": "---\nname: x\n---\nOne.", "b.md": "---\nname: x\n---\nTwo." },
      ['b.md: name: two seeds are named "x": a.md is the other']
    ],
    [
      "a placeholder",
      { "a.md": `${head}Read {{note}} first.` },
      [/^a\.md:7: the instruction holds a placeholder or a tag of the fixed prompt\. Take out/]
    ],
    [
      "another preamble and another contract",
      { "a.md": `Judge.\n\n<instruction>\nLook.\n</instruction>\n\nAnswer in prose.` },
      [
        /^a\.md:1: the preamble is not that of the design "whole-note-score"\. Only the instruction may be written/,
        /^a\.md:5: the contract is not that of the design "whole-note-score"/
      ]
    ],
    [
      "several instruction blocks",
      { "a.md": `${preamble}One.${contract}${preamble}Two.${contract}` },
      [/^a\.md:1: a prompt file must have exactly one instruction block/]
    ],
    [
      "an unknown field",
      { "a.md": "---\nnaem: x\n---\nLook." },
      ['a.md:2:1: naem: unknown field. Did you mean "name"?']
    ],
    [
      "a wrong type",
      { "a.md": "---\nname: x\nmodule: 3\n---\nLook." },
      ["a.md:3:9: module: is not usable (found 3; expected text that is not empty)"]
    ],
    ["bad YAML", { "a.md": "---\nname: [x\n---\nLook." }, [/^a\.md:\d+:\d+: not YAML: /]],
    [
      "front matter without an end",
      { "a.md": "---\nname: x\nLook." },
      ["a.md:1: the front matter has no closing line ---"]
    ],
    [
      "another design",
      { "a.md": "---\ndesign: checklist\n---\nLook." },
      ['a.md: design: the seed is for another design of judge (found "checklist"; expected "whole-note-score")']
    ]
  ]
  for (const [name, texts, expected] of cases) {
    it.effect(name, () =>
      Effect.map(load(texts), ({ errors }) => {
        assert.strictEqual(errors.length, expected.length, errors.join("\n"))
        for (const [index, wanted] of expected.entries()) {
          if (typeof wanted === "string") assert.strictEqual(errors[index], wanted)
          else assert.match(errors[index]!, wanted)
        }
      })
    )
  }
  it.effect("files that are not there, all of them at once", () =>
    inFolder((folder) =>
      Effect.map(Effect.flip(loadSeeds([`${folder}/x.md`, `${folder}/y.md`], design)), (error) =>
        assert.deepStrictEqual(
          error.problems.map((problem) => problem.what),
          ["the seed is not there", "the seed is not there"]
        )
      )
    )
  )
})
