import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { assize, root, simulate, temporaryFolder } from "./cli.ts"

const source = join(root, "../shared/data/primock57")
const absent = !existsSync(source)

const campaign = (url: string, dataset: string, split: string) => `name: primock
dataset: ${JSON.stringify(dataset)}
split: ${JSON.stringify(split)}
models:
  judge: &endpoint { provider: openai, model: lexical-1, baseUrl: "${url}", concurrency: 16, price: { input: 0, output: 0 } }
  reflection: *endpoint
judge: { design: whole-note-score }
seeds: [${JSON.stringify(join(root, "seeds/completeness.md"))}, ${JSON.stringify(join(root, "seeds/faithful-and-complete.md"))}]
objective:
  primary: { measure: paired-discrimination }
  secondary: { measure: detection, maxFalseAlarms: 0.1 }
search: { iterations: 10, seed: 11 }
budget: { calls: 20000 }
`

interface Result {
  readonly members: ReadonlyArray<Record<string, unknown>>
  readonly iterations: { readonly done: number }
  readonly acceptance: unknown
}

/** The same data as another tool would write it: CRLF, a byte-order mark, other ids in other scripts, another line order. */
const rewritten = (jsonl: string): string => {
  const lines = jsonl.trim().split("\n")
  const renamed = lines.map((line, index) => {
    const one = JSON.parse(line) as {
      id: string
      transcript: string
      notes: Array<{ id: string; text: string }>
      pairs: Array<Record<string, unknown>>
    }
    const noteIds = new Map(one.notes.map(({ id }, note) => [id, `ملاحظة ${note} 記録`]))
    return JSON.stringify({
      ...one,
      id: `консультация/${index} 診察`,
      transcript: one.transcript.replaceAll("\n", "\r\n"),
      notes: one.notes.map(({ id, text }) => ({ id: noteIds.get(id), text: text.replaceAll("\n", "\r\n") })),
      pairs: one.pairs.map((pair, number) => ({
        ...pair,
        id: `пара ${number}`,
        flawed: noteIds.get(String(pair["flawed"])),
        clean: noteIds.get(String(pair["clean"]))
      }))
    })
  })
  return `\ufeff${renamed.toReversed().join("\r\n")}\r\n`
}

describe("clinicians' own labels over HTTP", () => {
  it.skipIf(absent)(
    `are imported, split and searched to the end, with the same figures from CRLF, BOM and other ids${absent ? " (skipped: ../shared is absent)" : ""}`,
    { timeout: 600_000 },
    async () => {
      using folder = temporaryFolder()
      const server = await simulate()
      const cwd = folder.path
      const whole = async (name: string, make: () => Promise<void> | void) => {
        const dataset = join(cwd, name, "dataset.jsonl")
        mkdirSync(join(cwd, name), { recursive: true })
        await make()
        const checked = await assize(["data", "check", dataset], { cwd })
        assert.strictEqual(checked.code, 0, checked.stderr)
        const split = await assize(
          ["split", "create", dataset, "--out", join(cwd, name, "split.json"), "--seed", "11"],
          { cwd }
        )
        assert.strictEqual(split.code, 0, split.stderr)
        const yaml = join(cwd, name, "campaign.yaml")
        writeFileSync(yaml, campaign(server.url, "dataset.jsonl", "split.json"))
        const ran = await assize(["run", yaml, "--json"], { cwd })
        assert.strictEqual(ran.code, 0, ran.stderr)
        return JSON.parse(ran.stdout) as Result
      }
      try {
        const plain = await whole("plain", async () => {
          const imported = await assize(
            ["data", "import", "primock-pairs", source, "--out", join(cwd, "plain/dataset.jsonl")],
            { cwd }
          )
          assert.strictEqual(imported.code, 0, imported.stderr)
          for (const count of ["186", "163", "345"]) assert.include(imported.stdout, count)
        })
        assert.strictEqual(plain.iterations.done, 10)
        const other = await whole("другие данные", () => {
          writeFileSync(
            join(cwd, "другие данные/dataset.jsonl"),
            rewritten(readFileSync(join(cwd, "plain/dataset.jsonl"), "utf8"))
          )
        })
        assert.deepStrictEqual(other.members, plain.members)
        assert.deepStrictEqual(other.acceptance, plain.acceptance)
      } finally {
        await server.stop()
      }
    }
  )
})
