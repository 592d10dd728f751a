import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import { distinctModels, modelSections, saysNo } from "../../src/doctor/doctor.ts"
import type { Budget, ModelConfig } from "../../src/domain/Campaign.ts"
import { type Answer, chatServer, completion, error, json } from "../model/chatServer.ts"
import { openaiModel } from "../model/fixtures.ts"

const canary = "canary-key-0123456789"

const examine = (model: ModelConfig, budget: Budget = {}, env: Record<string, string> = {}) =>
  modelSections([{ names: ["models.judge"], model }], budget).pipe(
    Effect.map((sections) => ({ section: sections[0]!, no: saysNo(sections) })),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(env))
  )

const priced = { maxOutputTokens: 512, price: { input: 1, output: 2 } }

/** What is said of a model behind a server that answers so. */
const behind = (answer: Answer, config: Parameters<typeof openaiModel>[0] = {}, budget: Budget = {}) =>
  Effect.gen(function* () {
    const server = yield* chatServer(answer)
    const found = yield* examine(openaiModel({ ...priced, baseUrl: server.url, apiKeyEnv: "KEY", ...config }), budget, {
      KEY: canary
    })
    return { ...found, received: server.received, lines: found.section.checks.map((c) => `${c.level} ${c.what}`) }
  })

const full = completion("OK", {
  usage: {
    prompt_tokens: 20,
    completion_tokens: 5,
    total_tokens: 25,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 }
  }
})

describe("a model's section", () => {
  it.live("tells of a good endpoint how long it took, what is served, the clocks, the tokens and what it takes", () =>
    Effect.gen(function* () {
      const { lines, no, received, section } = yield* behind(json({ ...full, model: "tiny-1" }), { temperature: 0.5 })
      assert.isFalse(no)
      assert.strictEqual(received.length, 1)
      const [key, price, answers, ...rest] = lines
      assert.strictEqual(key, "ok KEY is set")
      assert.strictEqual(price, "ok $1 in and $2 out per million tokens")
      assert.match(answers!, /^ok answers, [\d.]+ m?s to connect, [\d.]+ m?s to answer; \$0\.000030$/)
      assert.deepStrictEqual(rest, [
        "ok served as tiny-1",
        "ok this machine's clock is within 1 s of the server's",
        "ok it reports tokens: 20 in, 5 out, with cached input and reasoning",
        "ok chat completions: takes max_tokens, temperature, seed, answers by JSON schema",
        "note not sent as configured, so not tried: reasoning effort"
      ])
      assert.containSubset(section.facts, { reached: true, requests: 1, served: "tiny-1", finish: "stop" })
    })
  )

  it.live("tells what the server refuses, from its own errors", () =>
    Effect.gen(function* () {
      const picky: Answer = (received, response, n) => {
        const refused = ["temperature", "seed"].find((name) => name in received.body)
        const answer =
          refused === undefined
            ? json(full)
            : json(
                error(`Unsupported parameter: '${refused}' is not supported with this model.`, { param: refused }),
                400
              )
        answer(received, response, n)
      }
      const { lines, no, section } = yield* behind(picky, { temperature: 0 })
      assert.isFalse(no)
      assert.include(lines.join("\n"), "after 3 requests")
      assert.includeMembers(lines, [
        "ok chat completions: takes max_tokens, answers by JSON schema",
        "note refuses temperature, seed: left out from then on"
      ])
      assert.containSubset(section.facts, { learned: { leftOut: ["temperature", "seed"] } })
    })
  )

  it.live("warns of clocks that are apart, of tokens that are not reported, and of another model than was asked", () =>
    Effect.gen(function* () {
      const late = new Date(Date.now() - 3_600_000).toUTCString()
      const { lines } = yield* behind(json(completion("OK", { usage: undefined }), 200, { date: late }))
      const said = lines.join("\n")
      assert.match(said, /warning this machine's clock is 3(599|600|601) s ahead of the server's/)
      assert.include(said, "warning it does not report the tokens that it used")
      assert.include(said, "note asked for tiny-1, served as tiny-1-served")
      const { lines: plainLines } = yield* behind(json(completion("OK")))
      assert.include(plainLines, "note it does not say how many of them were cached input or reasoning")
    })
  )

  it.live("says no to an endpoint that refuses the key, and shows neither it nor the server's quotation of it", () =>
    Effect.gen(function* () {
      const { lines, no, section } = yield* behind(json(error(`Incorrect API key provided: ${canary}`), 401))
      assert.isTrue(no)
      assert.include(lines.at(-1), "refuses the key in KEY")
      assert.notInclude(JSON.stringify(section), canary)
      assert.containSubset(section.facts, { reached: false, failure: "unauthorised" })
    })
  )

  it.live("says no to a missing key without asking, and to a server that is not there", () =>
    Effect.gen(function* () {
      const missing = yield* examine(openaiModel({ ...priced, apiKeyEnv: "NOT_SET" }))
      assert.isTrue(missing.no)
      assert.include(missing.section.checks[0]!.what, "NOT_SET, which is to hold the key, is not set")
      assert.strictEqual(missing.section.checks.at(-1)!.what, "not asked")
      const gone = yield* examine(openaiModel(priced))
      assert.isTrue(gone.no)
      assert.include(gone.section.checks.at(-1)!.what, "cannot reach tiny-1")
    })
  )

  it.live(
    "warns of http to another machine, of no limit to the output, and of unknown prices, which a budget in usd forbids",
    () =>
      Effect.gen(function* () {
        const model = openaiModel({ baseUrl: "http://nowhere.invalid/v1", connectTimeout: "1 s" })
        const open = yield* examine(model)
        assert.deepStrictEqual(
          open.section.checks.filter(({ level }) => level === "warning").map(({ what }) => what.slice(0, 30)),
          ["http:// to another machine: no", "maxOutputTokens is not set: on", "its price is not known, so cos"]
        )
        const strict = yield* examine(model, { usd: 5 })
        assert.isTrue(
          strict.section.checks.some(
            ({ level, what }) => level === "no" && what.includes("the budget in usd cannot be kept")
          )
        )
      })
  )

  it.live("has nothing to check of the embedded model", () =>
    Effect.gen(function* () {
      const { no, section } = yield* examine({ provider: "embedded", model: "lexical-1" })
      assert.isFalse(no)
      assert.deepStrictEqual(
        section.checks.map(({ level }) => level),
        ["ok"]
      )
    })
  )
})

describe("distinctModels", () => {
  it("asks models that are configured alike once, under all their names", () => {
    const one = openaiModel()
    const models = [
      { name: "models.judge", model: one },
      { name: "models.reflection", model: { ...one } },
      { name: "--model b", model: openaiModel({ model: "other" }) }
    ]
    assert.deepStrictEqual(
      distinctModels(models).map(({ names }) => names),
      [["models.judge", "models.reflection"], ["--model b"]]
    )
  })
})
