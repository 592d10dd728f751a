import { mkdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as TestConsole from "effect/testing/TestConsole"
import { split } from "../../src/cli/split.ts"
import type { SplitManifest } from "../../src/domain/Split.ts"
import { consultation, inFolder, lines, write } from "../dataset/support.ts"

const run = (...args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const before = (yield* TestConsole.logLines).length
    const result = yield* Effect.result(Command.runWith(split, { version: "test" })(args))
    const out = (yield* TestConsole.logLines).slice(before).join("\n")
    return { out, errors: (yield* TestConsole.errorLines).join("\n"), result }
  })

const data = Array.from({ length: 10 }, (_, index) => consultation(`c${index}`))

describe("split create, verify and show", () => {
  it.effect("write a manifest that holds, with the dataset's path relative to it", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        mkdirSync(`${folder}/data`)
        const dataset = write(folder, "data/d.jsonl", lines(data))
        const manifest = `${folder}/splits/mine.json`
        const { out } = yield* run("create", dataset, "--out", manifest)
        assert.include(out, "split mine of ../data/d.jsonl, seed 11, fractions 0.3333, 0.3333, 0.3333")
        assert.match(out, /^consultations +3 +4 +3$/m)
        const text = readFileSync(manifest, "utf8")
        const verified = yield* run("verify", manifest)
        assert.include(verified.out, "mine.json holds: train 3, acceptance 4, holdout 3; hash ")
        const shown = yield* run("show", manifest, "--json")
        assert.deepStrictEqual(JSON.parse(shown.out), JSON.parse(text))

        const again = yield* run("create", dataset, "--out", manifest, "--seed", "12")
        assert.include(again.errors, "the split manifest exists already and is not overwritten")
        assert.strictEqual(readFileSync(manifest, "utf8"), text)
        yield* run("create", dataset, "--out", manifest, "--seed", "12", "--name", "other", "--force")
        assert.strictEqual((JSON.parse(readFileSync(manifest, "utf8")) as SplitManifest).name, "other")
      })
    )
  )

  it.effect("take exclusions from lists, JSON and earlier manifests", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const dataset = write(
          folder,
          "d.jsonl",
          lines(Array.from({ length: 24 }, (_, index) => consultation(`c${index}`)))
        )
        const create = Effect.fnUntraced(function* (name: string, ...excluded: ReadonlyArray<string>) {
          const { errors, out } = yield* run(
            "create",
            dataset,
            "--out",
            `${folder}/${name}.json`,
            "--json",
            ...excluded.flatMap((file) => ["--exclude", file])
          )
          return out === "" ? assert.fail(errors) : (JSON.parse(out) as SplitManifest)
        })
        const list = write(folder, "seen.txt", "# seen before\nc1\n\n c2 \r\n")
        const object = write(folder, "seen.json", '{"consultations": ["c3"], "pairs": ["c4/o1"]}')
        const first = yield* create("first", list, object)
        assert.deepStrictEqual(first.exclusions, { consultations: ["c1", "c2", "c3"], pairs: ["c4/o1"] })
        const second = yield* create("second", `${folder}/first.json`)
        assert.deepStrictEqual(
          [...second.train, ...second.acceptance, ...second.holdout].sort(),
          [...first.holdout].sort()
        )
        const wrong = yield* run(
          "create",
          dataset,
          "--out",
          `${folder}/x.json`,
          "--exclude",
          write(folder, "bad.json", '{"consultation": ["c3"]}')
        )
        assert.include(wrong.errors, 'bad.json: consultation: unknown field. Did you mean "consultations"?')
      })
    )
  )

  it.effect("say what is wrong, with the problems as JSON where asked for", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const dataset = write(folder, "d.jsonl", lines(data))
        assert.include(
          (yield* run("create", dataset, "--out", `${folder}/x.json`, "--fractions", "half")).errors,
          "--fractions: not three numbers (found half; expected three numbers with commas, such as 0.4,0.3,0.3 or 1/3,1/3,1/3)"
        )
        assert.include(
          (yield* run("create", dataset, "--out", `${folder}/x.json`, "--fractions", "0.5,0.5,0.5")).errors,
          "the fractions sum to 1.5"
        )
        yield* run("create", dataset, "--out", `${folder}/s.json`)
        write(folder, "d.jsonl", lines(data).replaceAll("\n", "\r\n"))
        const { out, result } = yield* run("verify", `${folder}/s.json`, "--json")
        const printed = JSON.parse(out) as { ok: boolean; problems: ReadonlyArray<{ what: string }> }
        assert.isFalse(printed.ok)
        assert.include(
          printed.problems[0]!.what,
          "its bytes differ; the contents of the split's consultations are the same"
        )
        assert.strictEqual(result._tag, "Failure")
        write(folder, "s.json", readFileSync(`${folder}/s.json`, "utf8").replace('"seed": 11', '"seed": 12'))
        const shown = yield* run("show", `${folder}/s.json`)
        assert.include(shown.errors, "warning: ")
        assert.include(shown.errors, "the split manifest was changed after it was sealed")
      })
    )
  )
})
