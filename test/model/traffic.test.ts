import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { OpenAiModel } from "../../src/domain/Campaign.ts"
import { LanguageModel } from "../../src/model/LanguageModel.ts"
import * as live from "../../src/model/live.ts"
import { Total } from "../../src/model/money.ts"
import * as openai from "../../src/model/openai.ts"
import { chargedOf, usageOf } from "../../src/model/openaiUsage.ts"
import { costOfReply, priceOf } from "../../src/model/prices.ts"
import { CallLog } from "../../src/store/CallLog.ts"
import { Runs } from "../../src/store/Runs.ts"
import { usageTotals } from "../../src/store/roleUsage.ts"
import * as store from "../../src/store/store.ts"
import { newRun } from "../store/fixtures.ts"
import { chatServer, json } from "./chatServer.ts"
import { both, request } from "./fixtures.ts"

interface Line {
  readonly server: string
  readonly model: typeof OpenAiModel.Type
  readonly body: { readonly usage?: unknown; readonly choices?: unknown }
}

const read = (name: string) => readFileSync(new URL(`traffic/${name}`, import.meta.url), "utf8")
const lines = read("traffic.jsonl")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Line)
/** By `expected.py`, in decimals. */
const expected = JSON.parse(read("expected.json")) as {
  readonly calls: Readonly<Record<string, string | null>>
  readonly total: string
  readonly hundredThousand: string
}

const costOfLine = ({ body, model }: Line): number | null => {
  const reply = {
    text: "",
    finish: "stop" as const,
    usage: usageOf(body.usage).usage,
    servedModel: null,
    ...chargedOf(body.usage)
  }
  return costOfReply(reply, model, priceOf(model))
}

describe("recorded traffic", () => {
  it.each(lines.map((line) => [line.server, line] as const))("costs what it costs: %s", (server, line) => {
    const amount = expected.calls[server]
    assert.notStrictEqual(amount, undefined)
    const cost = costOfLine(line)
    if (amount === null || amount === undefined) return assert.isNull(cost)
    // The same number, not one near it: what decimals give, as near as a number comes.
    assert.strictEqual(cost, Number(amount))
  })

  const known = lines.flatMap((line) => costOfLine(line) ?? [])

  it("adds up to the cent, and to a billionth of a dollar, over a hundred thousand calls", () => {
    const total = new Total()
    for (let n = 0; n < 100_000; n++) total.add(known[n % known.length]!)
    assert.approximately(total.value, Number(expected.hundredThousand), 1e-9)
    assert.strictEqual(total.value.toFixed(2), Number(expected.hundredThousand).toFixed(2))
  })

  it.effect("adds up so in the call log too", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const calls = yield* CallLog
      const { id } = yield* Runs.use((runs) => runs.create(newRun))
      yield* sql`INSERT INTO calls (run, role, key, outcome, input, cached_input, output, reasoning, cost, charged_tokens, charged_usd, time)
        WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 99999)
        SELECT ${id}, 'judge', 'k', 'ok', 0, 0, 0, 0, cost.value, 0, cost.value, 0
        FROM numbers JOIN json_each(${JSON.stringify(known)}) AS cost ON cost.key = n % ${known.length}`
      const [judge] = yield* calls.usage(id)
      assert.strictEqual(judge?.answered, 100_000)
      assert.approximately(judge?.usd ?? 0, Number(expected.hundredThousand), 1e-9)
      assert.approximately((yield* calls.spent(id)).usd, Number(expected.hundredThousand), 1e-9)
    }).pipe(Effect.provide(store.layer(":memory:")))
  )

  it.live("comes to the same through the client, the store and the call log", () =>
    Effect.gen(function* () {
      // What a server says that it charged counts at OpenRouter's address only, and these go to another one.
      const asked = lines.filter(({ server }) => !server.startsWith("openrouter"))
      const { url } = yield* chatServer((received, response, n) => {
        // Each request's text is the name of the line that it is to be answered with.
        const said = JSON.stringify(received.body)
        json(asked.find(({ server }) => said.includes(JSON.stringify(server)))?.body)(received, response, n)
      })
      const { id } = yield* Runs.use((runs) => runs.create(newRun))
      const costs = yield* Effect.gen(function* () {
        const models = yield* LanguageModel
        return yield* Effect.forEach(asked, ({ body, model, server }) => {
          const price = priceOf(model)
          const api = "choices" in body ? ("chat-completions" as const) : ("responses" as const)
          const served = { ...model, api, baseUrl: url, ...(price === null ? {} : { price }) }
          return Effect.map(models.complete(request(served, server)), ({ cost }) => [server, cost] as const)
        })
      }).pipe(
        Effect.provide(
          live.layer({
            run: id,
            budget: {},
            file: "campaign.yaml",
            models: { judge: asked[0]!.model, reflection: asked[0]!.model },
            providers: both(yield* openai.make)
          })
        )
      )
      const measured = costs.filter(([server]) => server !== "no usage")
      assert.deepStrictEqual(
        measured,
        measured.map(([server]) => {
          const amount = expected.calls[server]
          return [server, amount === null || amount === undefined ? null : Number(amount)] as const
        })
      )
      const usage = yield* CallLog.use((calls) => calls.usage(id))
      const [judge] = usage
      assert.strictEqual(judge?.answered, asked.length)
      assert.strictEqual(judge?.estimated.calls, 1)
      assert.strictEqual(judge?.unpriced, 1)
      const sum = measured.reduce((total, [, cost]) => total + Math.round((cost ?? 0) * 1e12), 0) / 1e12
      assert.approximately(judge?.reported.usd ?? 0, sum, 1e-12)
      assert.strictEqual(usageTotals(usage).answered, asked.length)
    }).pipe(Effect.scoped, Effect.provide(store.layer(":memory:")))
  )
})
