import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as fc from "fast-check"
import * as openai from "../../src/model/openai.ts"
import { Secrets } from "../../src/model/Secrets.ts"
import { chatServer, completion, error, json } from "./chatServer.ts"
import { openaiModel, request } from "./fixtures.ts"

const canary = 'sk-canary/with+odd"signs&<0123456789>'

const holding = (...secrets: ReadonlyArray<string>) => {
  const holder = new Secrets()
  for (const secret of secrets) holder.add(secret)
  return holder
}

const base64 = (text: string) => Buffer.from(text).toString("base64")

/** Every way of writing a secret that is to be found, with what goes around it. */
const writings: ReadonlyArray<readonly [string, (secret: string) => string]> = [
  ["as it is", (secret) => `key ${secret}!`],
  ["in JSON", (secret) => JSON.stringify({ key: secret })],
  ["in JSON in JSON", (secret) => JSON.stringify({ raw: JSON.stringify({ key: secret }) })],
  [
    "in JSON at any depth",
    (secret) => {
      let text = secret
      for (let depth = 0; depth < 5; depth++) text = JSON.stringify({ raw: text })
      return text
    }
  ],
  [
    "in JSON for web pages",
    (secret) => JSON.stringify(secret).replace(/[<>&+]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`)
  ],
  ["in an address in an address", (secret) => encodeURIComponent(encodeURIComponent(secret))],
  ["in base64 in an address", (secret) => encodeURIComponent(base64(secret))],
  ["in base64 in JSON", (secret) => JSON.stringify(base64(secret)).replaceAll("/", "\\/")],
  ["in JSON with escaped slashes", (secret) => JSON.stringify(secret).replaceAll("/", "\\/")],
  ["in an address", (secret) => `https://host/?key=${encodeURIComponent(secret)}`],
  [
    "in an address with small letters",
    (secret) => encodeURIComponent(secret).replace(/%../g, (hex) => hex.toLowerCase())
  ],
  [
    "in a web page",
    (secret) =>
      secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")
  ],
  ["in base64", base64],
  ["in base64 of an address", (secret) => Buffer.from(secret).toString("base64url")],
  ["in base64 with something before it", (secret) => base64(`Bearer ${secret}`)],
  ["in base64 with a user before it", (secret) => base64(`me:${secret}\n`)]
]

describe("Secrets", () => {
  it.each(writings)("strikes out a key %s", (_, written) => {
    fc.assert(
      fc.property(fc.stringMatching(/^[!-~]{12,60}$/), (secret) => {
        const form = written(secret)
        const struck = holding(secret).strike(`before ${form} after`)
        assert.include(struck, "[key]")
        assert.match(struck, /^before .* after$/s)
        assert.notInclude(struck, secret)
        // What base64 keeps of a secret is less than a character on either side.
        const inner = base64(secret).slice(4, -8)
        if (inner.length >= 8) assert.notInclude(struck, inner)
      }),
      // A quote behind a backslash: at a depth of five, as many backslashes as two characters make.
      { numRuns: 100, examples: [['!\\"!!!!!!!!!!!!'], ['\\\\"\\"\\/!!!!!!!!!!']] }
    )
  })

  it("takes no time to speak of over texts made to hold it up", () => {
    const secret = `a${"\\".repeat(20)}"/+b${"\\/".repeat(20)}c`
    const holder = holding(secret, "sk-canary-0123456789")
    const hostile = ["\\", `a${"\\".repeat(700)}`, "%25", "&amp;", "sk-", JSON.stringify(secret).slice(0, -4)]
    for (const part of hostile) {
      const text = part.repeat(400_000 / part.length)
      const from = process.cpuUsage()
      assert.strictEqual(holder.strike(text).length, text.length)
      // A way of matching that grows with the square of the text would take minutes.
      assert.isBelow(process.cpuUsage(from).user / 1e6, 10, part.slice(0, 10))
    }
    assert.strictEqual(holder.strike(JSON.stringify(JSON.stringify(secret))), '"\\"[key]\\""')
  })

  it("leaves text alone that holds none", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        assert.strictEqual(holding(canary).strike(text), text)
      })
    )
  })

  it("strikes out the longer of two secrets of which one begins the other", () => {
    const both = holding("abcdefgh", "abcdefgh-ijklmnop")
    assert.strictEqual(both.strike("abcdefgh-ijklmnop abcdefgh"), "[key] [key]")
  })

  it("does not take placeholders out of answers, and takes them out of errors as whole words", () => {
    const short = holding("EMPTY", "a.b")
    assert.strictEqual(short.strike("The note is EMPTY, a.b"), "The note is EMPTY, a.b")
    assert.strictEqual(
      short.strikeError("key EMPTY, not EMPTYING, a.b not axb"),
      "key [key], not EMPTYING, [key] not axb"
    )
  })

  it("knows no empty secret", () => {
    assert.strictEqual(holding("").strikeError("a b"), "a b")
  })
})

describe("a provider whose servers quote its keys", () => {
  const keys = ConfigProvider.layer(
    ConfigProvider.fromUnknown({ THE_KEY: canary, OTHER: "other-canary-0123456789", TENANT: "tenant-canary-98765" })
  )
  const leaks = (value: unknown) => {
    const text = JSON.stringify(value)
    return writings
      .map(([, written]) => written(canary))
      .filter((form) => text.includes(form))
      .concat(text.match(/canary/g) ?? [])
  }

  it.live("hands none of them on: in the answer, the served name, a refusal, an error, a warning", () =>
    Effect.gen(function* () {
      const all = `${writings.map(([, written]) => written(canary)).join(" ")} other-canary-0123456789 tenant-canary-98765`
      const said: Array<unknown> = []
      const listening = Logger.make(({ message }) => said.push(message))
      const answers = [
        completion(all, { usage: { prompt_tokens: 1e300, completion_tokens: 1 } }),
        completion(null, { message: { refusal: all } }),
        { ...completion("7"), model: all },
        { choices: [{ error: { message: all, code: 502 } }] }
      ]
      let next = 0
      const server = yield* chatServer((received, response, n) => {
        const status = [500, 429, 400, 404, 402, 401, 413][next - answers.length]
        const answer = answers[next++]
        json(answer ?? error(all, { code: all, param: all }), answer === undefined ? status! : 200)(
          received,
          response,
          n
        )
      })
      const provider = yield* openai.make
      // The other model's key is known from its first call on.
      const other = openaiModel({ baseUrl: server.url, apiKeyEnv: "OTHER", headers: { "x-tenant": "$TENANT" } })
      const model = openaiModel({ baseUrl: server.url, apiKeyEnv: "THE_KEY" })
      yield* Effect.gen(function* () {
        yield* Effect.exit(provider(request(other)))
        next = 0
        for (let call = 0; call < 11; call++) {
          const exit = yield* Effect.exit(provider(request(model, `call ${call}`)))
          assert.deepStrictEqual(leaks(exit), [], `call ${call}`)
        }
      }).pipe(Effect.provide(Logger.layer([listening])))
      assert.strictEqual(next, 11)
      assert.isAbove(said.length, 0)
      assert.deepStrictEqual(leaks(said), [])
    }).pipe(Effect.provide(keys))
  )
})
