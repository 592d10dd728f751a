import { copyFileSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { errorExitCode } from "effect/Runtime"
import { sealedSplits } from "../../src/campaign/sealedSplits.ts"
import { readDataset } from "../../src/dataset/read.ts"
import { consultation, inFolder, lines, write } from "../dataset/support.ts"
import { runScore, scored } from "./support.ts"

const root = join(import.meta.dirname, "../..")
const seed = (name: string) => join(root, `seeds/${name}.md`)

const holdout = ["--split", join(root, "splits/quickstart.json"), "--part", "holdout"]

describe("score DATASET", () => {
  it.effect("refuses the holdout and points to confirm", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const { result } = yield* runScore(
          join(root, "campaigns/quickstart/dataset.jsonl"),
          ...holdout,
          "--judge",
          seed("completeness"),
          "--store",
          join(folder, "s.sqlite")
        )
        assert.strictEqual(result._tag, "Failure")
        if (result._tag === "Failure") assert.include(String((result.failure as Error).message), "assize confirm RUN")
        const all = yield* runScore(
          join(root, "campaigns/quickstart/dataset.jsonl"),
          ...holdout.slice(0, 2),
          "--part",
          "all",
          "--judge",
          seed("completeness"),
          "--store",
          join(folder, "s.sqlite")
        )
        assert.strictEqual(all.result._tag, "Failure")
      })
    )
  )

  it.effect("buys every judgement once, says so before, and labels the stand-in", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const data = write(folder, "d.jsonl", lines([consultation("a"), consultation("b"), consultation("c")]))
        const args = [
          data,
          "--judge",
          seed("completeness"),
          "--judge",
          seed("faithfulness"),
          "--replicates",
          "2",
          "--store",
          join(folder, "s.sqlite")
        ]
        const first = yield* runScore(...args)
        assert.strictEqual(first.result._tag, "Success")
        assert.include(
          first.errors,
          "plan: 2 judges × 2 replicates × 9 notes × 1 sample: 36 judgements, 0 of them in the store; 36 calls to send"
        )
        assert.include(first.out, "say nothing about real models")
        const second = yield* runScore(...args)
        assert.include(second.errors, "36 of them in the store; 0 calls to send")
        assert.include(second.errors, "0 calls sent")
        assert.strictEqual(second.out, first.out)
      })
    )
  )

  it.effect("sends nothing when the budget cannot buy the judgements", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const data = write(folder, "d.jsonl", lines([consultation("a")]))
        const store = join(folder, "s.sqlite")
        const { errors, result } = yield* runScore(
          data,
          "--judge",
          seed("completeness"),
          "--budget-calls",
          "2",
          "--store",
          store
        )
        assert.include(errors, "nothing was sent")
        if (result._tag === "Failure")
          assert.strictEqual((result.failure as { [errorExitCode]?: number })[errorExitCode], 4)
        const after = yield* runScore(data, "--judge", seed("completeness"), "--store", store)
        assert.include(after.errors, "0 of them in the store")
      })
    )
  )

  it.effect("refuses a model whose key is not set, and a key on the command line", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const data = write(folder, "d.jsonl", lines([consultation("a")]))
        const unset = yield* runScore(
          data,
          "--judge",
          seed("completeness"),
          "--model",
          "m={ provider: openai, model: x, apiKeyEnv: ASSIZE_TEST_UNSET }"
        )
        const secret = yield* runScore(data, "--judge", seed("completeness"), "--model", "m=sk-abcdefghijklmnopqrstuv")
        for (const [ran, expected] of [
          [unset, "ASSIZE_TEST_UNSET"],
          [secret, "looks like an API key"]
        ] as const) {
          assert.strictEqual(ran.result._tag, "Failure")
          if (ran.result._tag !== "Failure") continue
          const text = String((ran.result.failure as Error).message)
          assert.include(text, expected)
          assert.notInclude(text, "sk-abc")
        }
      })
    )
  )

  it.effect("refuses a whole dataset of which a known split seals a part, whatever its name and order", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const text = readFileSync(join(root, "campaigns/quickstart/dataset.jsonl"), "utf8")
        const copy = write(folder, "other.jsonl", `${text.trim().split("\n").toReversed().join("\n")}\n`)
        const args = [copy, "--judge", seed("completeness"), "--store", join(folder, "s.sqlite")]
        const unknown = yield* sealedSplits(copy, [], [])
        assert.deepStrictEqual(unknown, [])
        mkdirSync(join(folder, "splits"))
        const manifest = join(folder, "splits/mine.json")
        copyFileSync(join(root, "splits/quickstart.json"), manifest)
        const { errors, result } = yield* runScore(...args)
        assert.strictEqual(result._tag, "Failure")
        if (result._tag === "Failure") {
          assert.strictEqual((result.failure as { [errorExitCode]?: number })[errorExitCode], 2)
          assert.match(String((result.failure as Error).message), /splits\/mine\.json seals 10 of these consultations/)
        }
        assert.notInclude(errors, "plan:")
        const ignored = yield* runScore(...args, "--ignore-splits", "--budget-calls", "1")
        assert.include(ignored.errors, "cannot be confirmed on it any more")
      })
    )
  )

  it.effect("knows the split of a campaign beside the dataset, or of a run's", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const dataset = join(root, "campaigns/quickstart/dataset.jsonl")
        const { consultations } = yield* readDataset(dataset)
        const manifest = join(root, "splits/quickstart.json")
        const inner = join(folder, "inner")
        mkdirSync(inner)
        const own = write(inner, "d.jsonl", readFileSync(dataset))
        const names = (known: ReadonlyArray<{ readonly name: string; readonly holdout: number }>) =>
          known.map(({ holdout, name }) => [name, holdout])
        // The repository's own splits folder is above the working folder.
        const elsewhere = consultations.map((one) => ({ ...one, stratum: "elsewhere" }))
        assert.deepStrictEqual(yield* sealedSplits(own, elsewhere, []), [])
        const copied = write(folder, "kept.json", readFileSync(manifest))
        const campaign = write(inner, "campaign.yaml", `name: x\nsplit: ../kept.json\n`)
        const beside = yield* sealedSplits(own, consultations, [])
        assert.deepStrictEqual(names(beside), [
          ["quickstart", 10],
          ["quickstart", 10]
        ])
        const far = write(folder, "far.jsonl", readFileSync(dataset))
        const files = (yield* sealedSplits(far, consultations, [campaign])).map(({ file }) => join(process.cwd(), file))
        assert.include(files, copied)
        const { acceptance } = JSON.parse(readFileSync(manifest, "utf8")) as { acceptance: ReadonlyArray<string> }
        const open = consultations.filter(({ id }) => acceptance.includes(id))
        assert.deepStrictEqual(yield* sealedSplits(own, open, []), [])
      })
    )
  )

  it.effect("writes the notes' scores as a table that gives the same figures", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const odd = consultation("a/b%2F", {
          notes: consultation("x").notes.map((note) => ({ ...note, id: `${note.id}, "1"/%` })),
          pairs: consultation("x").pairs.map((pair) => ({
            ...pair,
            flawed: `${pair.flawed}, "1"/%`,
            clean: `${pair.clean}, "1"/%`
          }))
        })
        const data = write(folder, "d.jsonl", lines([odd, consultation("b"), consultation("c")]))
        const args = [data, "--judge", seed("completeness"), "--judge", seed("faithfulness"), "--replicates", "2"]
        for (const name of ["w.csv", "w.jsonl"]) {
          const file = join(folder, name)
          const one = yield* scored(...args, "--store", join(folder, "s.sqlite"), "--write-scores", file)
          const other = yield* scored("--scores", file)
          const figures = ({ comparisons, judges }: typeof one) => [
            judges.map(({ breakdown, replicates, spread }) => [breakdown, replicates, spread]),
            comparisons
          ]
          assert.deepStrictEqual(figures(other), figures(one), name)
        }
        assert.include(readFileSync(join(folder, "w.csv"), "utf8"), '"clean, ""1""/%"')
      })
    )
  )

  it.effect("says before it buys anything that a table in CSV would hold formulas", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const data = write(folder, "d.jsonl", lines([consultation("=a"), consultation("b")]))
        const args = [data, "--judge", seed("completeness"), "--store", join(folder, "s.sqlite"), "--write-scores"]
        const { errors, result } = yield* runScore(...args, join(folder, "w.csv"))
        assert.include(String(result._tag === "Failure" && result.failure), '"=a" would be read as a formula')
        assert.notInclude(errors, "plan:")
        const other = yield* runScore(...args, join(folder, "w.jsonl"))
        assert.strictEqual(other.result._tag, "Success")
      })
    )
  )

  it.effect("says that the acceptance part flatters the candidate that it chose", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const instruction = "Score the note from 0 to 10: everything the patient said must be in it."
        const file = write(
          folder,
          "winner.md",
          `---\nname: winner\nprovenance: candidate abc of run mine-7, reflection of iteration 3\n---\n${instruction}\n`
        )
        const args = [
          join(root, "campaigns/quickstart/dataset.jsonl"),
          "--split",
          join(root, "splits/quickstart.json"),
          "--judge",
          file,
          "--judge",
          seed("completeness"),
          "--store",
          join(folder, "s.sqlite")
        ]
        const chosen = yield* runScore(...args)
        assert.include(chosen.out, "the acceptance part chose winner (run mine-7) for doing well on these very notes")
        const train = yield* runScore(...args, "--part", "train")
        assert.strictEqual(train.result._tag, "Success")
        assert.notInclude(train.out, "mine-7")
      })
    )
  )
})
