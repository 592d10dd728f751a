import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { assize, atEndpoint, quickstartCopy, type Server, simulate, temporaryFolder } from "./cli.ts"
import { assizeHere } from "./inProcess.ts"

interface Place {
  readonly folder: string
  readonly yaml: string
  readonly dataset: string
  readonly split: string
}

const edit = (file: string, change: (text: string) => string) => {
  const text = readFileSync(file, "utf8")
  const changed = change(text)
  assert.notStrictEqual(changed, text, "the test changes nothing")
  writeFileSync(file, changed)
}

/** What is broken, and what the message must name. */
const cases: ReadonlyArray<
  readonly [what: string, breakIt: (place: Place) => void, named: ReadonlyArray<string | RegExp>]
> = [
  [
    "an unknown field",
    ({ yaml }) => edit(yaml, (text) => text.replace("  iterations: 30", "  iteratons: 30")),
    [/campaign\.yaml:\d+:\d+/, "search.iteratons", "iterations"]
  ],
  [
    "a wrong type",
    ({ yaml }) => edit(yaml, (text) => text.replace("iterations: 30", "iterations: many")),
    [/campaign\.yaml:\d+:\d+/, "search.iterations", '"many"']
  ],
  ["broken YAML", ({ yaml }) => edit(yaml, (text) => text.replace("seeds:", "seeds: [")), [/campaign\.yaml:\d+:\d+/]],
  [
    "a missing dataset",
    ({ yaml }) => edit(yaml, (text) => text.replace("dataset: dataset.jsonl", "dataset: nowhere.jsonl")),
    [/campaign\.yaml:\d+:\d+/, "dataset", "nowhere.jsonl"]
  ],
  [
    "a duplicate consultation id",
    ({ dataset }) => appendFileSync(dataset, `${readFileSync(dataset, "utf8").split("\n")[0]!}\n`),
    [/dataset\.jsonl:31/, "uk-anticoagulant-telephone"]
  ],
  [
    "a duplicate note id",
    ({ dataset }) => edit(dataset, (text) => text.replace('{"id":"flawed-o1"', '{"id":"clean"')),
    [/dataset\.jsonl:1/, "clean"]
  ],
  [
    "a pair that names a missing note",
    ({ dataset }) => edit(dataset, (text) => text.replace('"flawed":"flawed-o1"', '"flawed":"gone"')),
    [/dataset\.jsonl:1/, "pairs[0].flawed", "gone"]
  ],
  [
    "an empty note",
    ({ dataset }) =>
      edit(dataset, (text) => text.replace(/("notes":\[\{"id":"clean","text":)"(?:[^"\\]|\\.)*"/, '$1"  "')),
    [/dataset\.jsonl:1/, "notes[0].text", "a note with text"]
  ],
  [
    "a split that overlaps",
    ({ split }) =>
      edit(split, (text) => {
        const manifest = JSON.parse(text) as { train: Array<string>; holdout: Array<string> }
        manifest.train.push(manifest.holdout[0]!)
        return JSON.stringify(manifest)
      }),
    ["quickstart.json", "holdout", "train"]
  ],
  [
    "a dataset that changed since it was split",
    ({ dataset }) => edit(dataset, (text) => text.replace("mg", "mcg")),
    ["quickstart.json", "changed"]
  ],
  [
    "a seed without an instruction",
    ({ folder }) => writeFileSync(join(folder, "seeds/completeness.md"), "---\nname: empty\n---\n\n"),
    ["completeness.md", "no instruction"]
  ],
  [
    "an unset key",
    ({ yaml }) => edit(yaml, atEndpoint("http://127.0.0.1:9", "apiKeyEnv: ASSIZE_TEST_KEY_THAT_IS_NOT_SET")),
    ["models.judge", "ASSIZE_TEST_KEY_THAT_IS_NOT_SET"]
  ],
  [
    "an endpoint that is not there",
    ({ yaml }) => edit(yaml, atEndpoint("http://127.0.0.1:9")),
    ["models.judge", "http://127.0.0.1:9"]
  ],
  [
    "a budget that buys no proposal",
    ({ yaml }) => edit(yaml, (text) => text.replace("calls: 5000", "calls: 50")),
    ["budget", "buys no proposal"]
  ],
  [
    "a budget in money without prices",
    ({ yaml }) =>
      edit(yaml, (text) =>
        text.replaceAll(
          "{ provider: embedded, model: lexical-1 }",
          '{ provider: openai, model: some-model, baseUrl: "http://127.0.0.1:9" }'
        )
      ),
    ["models.judge", "price"]
  ],
  [
    "a key in the file",
    ({ yaml }) =>
      edit(yaml, (text) => text.replace("name: quickstart", "name: quickstart # sk-proj-abcdefghijklmnopqrstuvwx")),
    ["campaign.yaml", "environment"]
  ]
]

describe("bad input is refused before anything is spent:", () => {
  it.each(cases)("%s", async (_, breakIt, named) => {
    using folder = temporaryFolder()
    const yaml = quickstartCopy(folder.path)
    breakIt({
      folder: folder.path,
      yaml,
      dataset: join(folder.path, "campaigns/quickstart/dataset.jsonl"),
      split: join(folder.path, "splits/quickstart.json")
    })
    const { code, stderr, stdout } = await assizeHere(["run", yaml], { cwd: folder.path })
    assert.strictEqual(code, 2, stderr + stdout)
    assert.strictEqual(stdout, "")
    for (const part of named) typeof part === "string" ? assert.include(stderr, part) : assert.match(stderr, part)
    assert.notInclude(stderr, "    at ", "a stack trace is no message")
    assert.notInclude(stderr, "sk-proj-")
  })

  describe("at the endpoint", () => {
    let server: Server
    beforeAll(async () => {
      server = await simulate(["--require-key", "the-right-key"])
    })
    afterAll(() => server.stop())

    it("a model that it does not have", async () => {
      using folder = temporaryFolder()
      const yaml = quickstartCopy(folder.path, (text) =>
        atEndpoint(server.url, "apiKeyEnv: ASSIZE_TEST_KEY")(text).replaceAll("model: lexical-1", "model: lexical-9")
      )
      const { code, stderr } = await assize(["run", yaml], {
        cwd: folder.path,
        env: { ASSIZE_TEST_KEY: "the-right-key" }
      })
      assert.strictEqual(code, 2, stderr)
      assert.include(stderr, "lexical-9")
      assert.strictEqual((await server.stats()).requests, 0)
    })

    it("a wrong key, which is never shown", async () => {
      using folder = temporaryFolder()
      const yaml = quickstartCopy(folder.path, atEndpoint(server.url, "apiKeyEnv: ASSIZE_TEST_KEY"))
      const { code, stderr, stdout } = await assize(["run", yaml], {
        cwd: folder.path,
        env: { ASSIZE_TEST_KEY: "canary-wrong-key-1234" }
      })
      assert.strictEqual(code, 2, stderr)
      assert.include(stderr, "ASSIZE_TEST_KEY")
      assert.notInclude(stderr + stdout, "canary")
      const store = join(folder.path, ".assize/store.sqlite")
      if (existsSync(store)) assert.notInclude(readFileSync(store).toString("latin1"), "canary")
    })
  })
})
