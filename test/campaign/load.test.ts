import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { campaignJsonSchema } from "../../src/campaign/jsonSchema.ts"
import { loadCampaign } from "../../src/campaign/load.ts"
import { inFolder, write } from "../dataset/support.ts"

const sound = `name: quickstart
dataset: dataset.jsonl
split: ../splits/quickstart.json
models:
  judge:      { provider: openai, model: gpt-5.4, apiKeyEnv: OPENAI_API_KEY, timeout: 2 minutes }
  reflection: { provider: embedded, model: lexical-1 }
judge: { design: whole-note-score }
seeds: [ ../seeds/a.md ]
objective:
  primary: { measure: paired-discrimination, classes: [omission] }
search: { iterations: 12 }
`

/** The campaign in a folder that has all the files it names. */
const load = (yaml: string) =>
  inFolder((folder) => {
    for (const name of ["campaign", "splits", "seeds"]) mkdirSync(join(folder, name))
    write(folder, "campaign/dataset.jsonl", "")
    write(folder, "splits/quickstart.json", "")
    write(folder, "seeds/a.md", "")
    const file = write(folder, "campaign/campaign.yaml", yaml)
    return Effect.map(Effect.result(loadCampaign(file)), (result) => ({ folder, file, result }))
  })

const errorsOf = (yaml: string) =>
  Effect.map(load(yaml), ({ file, folder, result }) => {
    if (result._tag === "Success") return assert.fail("the campaign was not refused")
    return result.failure.message.replaceAll(file, "campaign.yaml").replaceAll(folder, "").split("\n")
  })

describe("loadCampaign", () => {
  it.effect("fills in defaults and makes paths absolute, relative to the file", () =>
    Effect.map(load(sound), ({ folder, file, result }) => {
      if (result._tag === "Failure") return assert.fail(result.failure.message)
      const { campaign, warnings } = result.success
      assert.deepStrictEqual(warnings, [])
      assert.deepStrictEqual(campaign, {
        name: "quickstart",
        file,
        dataset: join(folder, "campaign/dataset.jsonl"),
        split: join(folder, "splits/quickstart.json"),
        seeds: [join(folder, "seeds/a.md")],
        models: {
          judge: { provider: "openai", model: "gpt-5.4", apiKeyEnv: "OPENAI_API_KEY", timeout: "2 minutes" },
          reflection: { provider: "embedded", model: "lexical-1" }
        },
        judge: { design: "whole-note-score", samples: 1 },
        objective: { primary: { measure: "paired-discrimination", classes: ["omission"] } },
        search: {
          iterations: 12,
          minibatch: { notes: 12, consultations: 4 },
          merge: { after: 6, atMost: 4 },
          proposals: 1,
          accept: "strict",
          racing: false,
          maxInstructionLength: 6000,
          stall: 10,
          brokenAfter: 5,
          seed: 11,
          frontier: "instance",
          selector: "pareto"
        },
        budget: {}
      })
    })
  )

  it.effect("reads the same with CRLF and a byte order mark", () =>
    Effect.map(load(`\ufeff${sound.replaceAll("\n", "\r\n")}`), ({ result }) =>
      assert.strictEqual(result._tag, "Success")
    )
  )

  it.effect("fills in what search.merge leaves out", () =>
    Effect.map(load(sound.replace("iterations: 12", "iterations: 12, merge: { atMost: 0 }")), ({ result }) => {
      if (result._tag === "Failure") return assert.fail(result.failure.message)
      assert.deepStrictEqual(result.success.campaign.search.merge, { after: 6, atMost: 0 })
      assert.deepStrictEqual(result.success.warnings, [])
    })
  )

  it.effect("takes every acceptance rule", () =>
    Effect.gen(function* () {
      for (const [written, accept] of [
        ["strict", "strict"],
        ["{ margin: 0.02 }", { margin: 0.02 }],
        ["{ paired: { repeats: 3, alpha: 0.05 } }", { paired: { repeats: 3, alpha: 0.05 } }]
      ] as const) {
        const { result } = yield* load(
          sound.replace("iterations: 12", `iterations: 12, proposals: 3, racing: true, accept: ${written}`)
        )
        if (result._tag === "Failure") return assert.fail(result.failure.message)
        const { search } = result.success.campaign
        assert.deepStrictEqual([search.accept, search.proposals, search.racing], [accept, 3, true])
      }
    })
  )

  it.effect("warns of a race whose every step waits for a batch", () =>
    Effect.map(
      load(
        sound
          .replace("iterations: 12", "iterations: 12, racing: true")
          .replace("timeout: 2 minutes", "timeout: 2 minutes, batch: true")
      ),
      ({ result }) => {
        if (result._tag === "Failure") return assert.fail(result.failure.message)
        const [warning] = result.success.warnings
        assert.include(warning?.what, "waits for a batch")
        assert.deepStrictEqual([warning?.line, warning?.column], [11, 27])
      }
    )
  )

  it.effect("warns of options that have no effect where they stand", () =>
    Effect.gen(function* () {
      const told = (yaml: string) =>
        Effect.map(load(yaml), ({ result }) => {
          if (result._tag === "Failure") return assert.fail(result.failure.message)
          return result.success.warnings.map(({ field, line, what }) => [field, line, what.slice(0, 13)])
        })
      const batch = sound.replace("timeout: 2 minutes", "batch: true")
      assert.deepStrictEqual(yield* told(batch), [])
      assert.deepStrictEqual(yield* told(batch.replace("whole-note-score", "three-stage")), [
        ["models.judge.batch", 5, "has no effect"]
      ])
      assert.deepStrictEqual(yield* told(batch.replace("whole-note-score", "consensus")), [])
      assert.deepStrictEqual(
        yield* told(
          sound.replace(
            "{ provider: embedded, model: lexical-1 }",
            "{ provider: embedded, model: lexical-1, temperature: 1 }"
          )
        ),
        [["models.reflection.temperature", 6, "has no effect"]]
      )
      assert.deepStrictEqual(
        yield* told(
          sound.replace("{ provider: embedded, model: lexical-1 }", "{ provider: openai, model: m, batch: true }")
        ),
        [["models.reflection.batch", 6, "has no effect"]]
      )
    })
  )
})

describe("loadCampaign refuses, with line and column:", () => {
  const cases: ReadonlyArray<readonly [string, string, ReadonlyArray<string>]> = [
    [
      "a paired test that nothing can pass",
      sound.replace("iterations: 12", "iterations: 12, accept: { paired: { repeats: 1, alpha: 0.05 } }"),
      [
        "campaign.yaml:11:45: search.accept.paired: no child could ever be accepted: even when it is better in every repeat of every consultation, p is not small enough (found alpha 0.05 with 1 repeat of 4 consultations; expected alpha of at least 0.0625, or repeats of at least 2)"
      ]
    ],
    [
      "an unknown field",
      sound.replace("iterations: 12", "iteration: 12"),
      ['campaign.yaml:11:11: search.iteration: unknown field. Did you mean "iterations"?']
    ],
    [
      "a header that belongs to the connection, without its value",
      sound.replace("timeout: 2 minutes", "headers: { X-Tenant: tenant-canary, Content-Length: '7' }"),
      [
        "campaign.yaml:5:87: models.judge.headers: is not usable (found a value that is not shown; expected values on one line, under names other than accept-encoding, connection, content-encoding, content-length, content-type, expect, host, keep-alive, proxy-authorization, te, trailer, transfer-encoding, upgrade)"
      ]
    ],
    [
      "a header of the wrong type, without its value",
      sound.replace("timeout: 2 minutes", "headers: { X-Pin: 4711 }"),
      ["campaign.yaml:5:96: models.judge.headers.X-Pin: is not usable (found a value that is not shown; expected text)"]
    ],
    [
      "a field of the body that is the request",
      sound.replace("timeout: 2 minutes", "body: { top_p: 1, stream: true }"),
      [
        "campaign.yaml:5:84: models.judge.body: is not usable (found an object; expected fields other than messages, model, input, stream)"
      ]
    ],
    [
      "a wrong type",
      sound.replace("iterations: 12", "iterations: many"),
      ['campaign.yaml:11:23: search.iterations: is not usable (found "many"; expected a whole number above 0)']
    ],
    [
      "a missing field, at its parent",
      sound.replace(", model: lexical-1", ""),
      ['campaign.yaml:6:3: models.reflection.model: is missing (expected "lexical-1")']
    ],
    [
      "a missing field of the whole, at the top",
      sound.replace("name: quickstart\n", "# no name\n"),
      ["campaign.yaml:2:1: name: is missing (expected text that is not empty)"]
    ],
    [
      "an unknown provider",
      sound.replace("provider: embedded", "provider: embeded"),
      [
        'campaign.yaml:6:27: models.reflection.provider: is not usable (found "embeded"; expected "embedded" or "openai"). Did you mean "embedded"?'
      ]
    ],
    [
      "an unknown class",
      sound.replace("[omission]", "[omission, additions]"),
      [
        'campaign.yaml:10:66: objective.primary.classes[1]: is not usable (found "additions"; expected "omission" or "addition" or "alteration"). Did you mean "addition"?'
      ]
    ],
    [
      "a detection without its cap",
      sound.replace("paired-discrimination", "detection"),
      ["campaign.yaml:10:3: objective.primary.maxFalseAlarms: is missing (expected a number from 0 to 1)"]
    ],
    [
      "an empty list of seeds",
      sound.replace("[ ../seeds/a.md ]", "[]"),
      ["campaign.yaml:8:8: seeds: is not usable (found an empty list; expected at least one entry)"]
    ],
    [
      "a duration that is none",
      sound.replace("2 minutes", "2 parsecs"),
      [
        'campaign.yaml:5:87: models.judge.timeout: is not usable (found "2 parsecs"; expected a duration such as "90 seconds" or "2 hours")'
      ]
    ],
    ["a field given twice", `${sound}name: other\n`, ["campaign.yaml:12:1: the field name is given twice"]],
    [
      "bad YAML",
      sound.replace("name: quickstart", 'name: "quickstart'),
      ['campaign.yaml:12:1: not YAML: Missing closing "quote']
    ],
    [
      "two documents",
      `${sound}---\nname: b\n`,
      ["campaign.yaml:12:1: not YAML: Source contains multiple documents; please use YAML.parseAllDocuments()"]
    ],
    ...(
      [
        [".inf", "Infinity"],
        ["-.inf", "-Infinity"],
        ["1e400", "Infinity"],
        [".nan", "NaN"],
        ["99999999999999999999", "100000000000000000000"],
        ["2020-01-01", '"2020-01-01"']
      ] as const
    ).map(
      ([written, found]) =>
        [
          `a number that is none: ${written}`,
          sound.replace("iterations: 12", `iterations: ${written}`),
          [`campaign.yaml:11:23: search.iterations: is not usable (found ${found}; expected a whole number above 0)`]
        ] as const
    ),
    ["an empty file", "\n", ["campaign.yaml:1:1: is not usable (found null; expected an object)"]],
    [
      "a minibatch of fewer notes than consultations",
      sound.replace("iterations: 12", "minibatch: { notes: 3, consultations: 4 }"),
      [
        "campaign.yaml:11:22: search.minibatch: a minibatch needs a clean and a flawed note of each of its consultations (found 3 notes over 4 consultations; expected at least twice as many notes as consultations; three times as many for a clean note and two flawed ones each)"
      ]
    ],
    [
      "a missing dataset",
      sound.replace("dataset.jsonl", "none.jsonl"),
      [
        'campaign.yaml:2:10: dataset: the dataset is not there (found "none.jsonl"; expected a file at /campaign/none.jsonl). Paths are relative to the campaign file'
      ]
    ],
    [
      "a missing split",
      sound.replace("../splits/quickstart.json", "none.json"),
      [
        'campaign.yaml:3:8: split: the split is not there (found "none.json"; expected a file at /campaign/none.json). Paths are relative to the campaign file. Make a split with: assize split create'
      ]
    ],
    [
      "missing seeds",
      sound.replace("../seeds/a.md", "../seeds/a.md, b.md, .."),
      [
        'campaign.yaml:8:25: seeds[1]: the seed is not there (found "b.md"; expected a file at /campaign/b.md). Paths are relative to the campaign file',
        'campaign.yaml:8:31: seeds[2]: the seed is a folder (found ".."; expected a file)'
      ]
    ]
  ]
  for (const [name, yaml, expected] of cases) {
    it.effect(name, () => Effect.map(errorsOf(yaml), (found) => assert.deepStrictEqual(found, expected)))
  }

  it.effect("everything that is wrong at once, in the order of the file", () =>
    Effect.map(
      errorsOf(
        sound
          .replace("dataset:", "datset:")
          .replace("iterations: 12", "iterations: 0, seed: x")
          .replace("whole-note-score", "ranking")
      ),
      (found) =>
        assert.deepStrictEqual(
          found.map((line) => line.split(": ").slice(0, 2).join(" ")),
          [
            "campaign.yaml:1:1 dataset",
            "campaign.yaml:2:1 datset",
            "campaign.yaml:7:18 judge.design",
            "campaign.yaml:11:23 search.iterations",
            "campaign.yaml:11:32 search.seed"
          ]
        )
    )
  )

  const key = ["sk", "abcdefghijklmnopqrstuvwxyz0123456789"].join("-")
  for (const [place, yaml] of [
    ["in apiKeyEnv", sound.replace("apiKeyEnv: OPENAI_API_KEY", `apiKeyEnv: ${key}`)],
    ["in an unknown field", sound.replace("apiKeyEnv: OPENAI_API_KEY", `apiKey: ${key}`)],
    ["in a comment", `${sound}# ${key}\n`],
    ["beside a syntax error", `${sound}key: ${key}\nkey: [\n`],
    ["as the model", sound.replace("gpt-5.4", key).replace("whole-note-score", key)]
  ] as const) {
    it.effect(`an API key ${place}, without repeating it`, () =>
      Effect.map(errorsOf(yaml), (found) => {
        assert.match(
          found.join("\n"),
          /^campaign\.yaml:\d+:\d+: this looks like an API key or a password, which must not stand in a file\. Put it in an environment variable/m
        )
        assert.notInclude(found.join("\n"), key.slice(3, 15))
      })
    )
  }

  it.effect("a password in an address, without repeating it", () =>
    Effect.map(
      errorsOf(sound.replace("apiKeyEnv: OPENAI_API_KEY", "baseUrl: https://user:hunter22@host/v1")),
      (found) => {
        assert.match(found[0]!, /^campaign\.yaml:5:\d+: this looks like an API key or a password/)
        assert.notInclude(found.join("\n"), "hunter22")
      }
    )
  )

  it.effect("aliases beyond reason; a few are fine", () =>
    Effect.gen(function* () {
      const few = sound
        .replace("{ provider: embedded, model: lexical-1 }", "&m { provider: embedded, model: lexical-1 }")
        .replace(/judge: {6}\{.*\}/, "judge: { provider: embedded, model: lexical-1 }")
      assert.strictEqual((yield* load(few)).result._tag, "Success")
      const bomb = `a: &a [x, x]\n${"bcdefghij"
        .split("")
        .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${"abcdefghij"[index]}`).join(", ")}]`)
        .join("\n")}\n`
      assert.match((yield* errorsOf(bomb)).join("\n"), /too many YAML aliases \(found 81; expected at most 20\)/)
    })
  )

  it.effect("a file that is not there, or a folder", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        assert.include(
          (yield* Effect.flip(loadCampaign(join(folder, "x.yaml")))).message,
          "x.yaml: the campaign file is not there"
        )
        assert.include((yield* Effect.flip(loadCampaign(folder))).message, "the campaign file is a folder")
      })
    )
  )
})

describe("campaignJsonSchema", () => {
  it("is a JSON Schema that allows the fields of the file and no others", () => {
    const schema = campaignJsonSchema() as {
      readonly properties: Record<string, unknown>
      readonly required: ReadonlyArray<string>
      readonly additionalProperties: unknown
    }
    assert.deepStrictEqual(Object.keys(schema.properties), [
      "name",
      "dataset",
      "split",
      "models",
      "judge",
      "target",
      "seeds",
      "objective",
      "search",
      "budget",
      "branch"
    ])
    assert.notInclude(schema.required, "budget")
    assert.strictEqual(schema.additionalProperties, false)
    assert.deepStrictEqual(JSON.parse(JSON.stringify(schema)), schema)
  })
})
