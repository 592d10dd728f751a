import { assert, describe, it } from "vitest"
import { kindNames } from "../../src/model/simulate/kinds.ts"
import { root, simulate } from "./cli.ts"
import { assizeHere } from "./inProcess.ts"

describe("assize simulate", () => {
  it("explains every kind of fault", async () => {
    const { code, stdout } = await assizeHere(["simulate", "--help"], { cwd: root })
    assert.strictEqual(code, 0)
    for (const kind of kindNames) assert.include(stdout, `  ${kind} `)
  })

  it("refuses what it cannot read, with what it found and what it takes", async () => {
    for (const [args, named] of [
      [
        ["--faults", "30%,server-eror=3%"],
        ["--faults", '"server-eror=3%"', "Did you mean server-error?"]
      ],
      [
        ["--rate-limit", "10/day"],
        ["--rate-limit", '"10/day"', "10/s"]
      ],
      [
        ["--refuses", "heat"],
        ["--refuses", '"heat"', "temperature"]
      ],
      [
        ["--latency", "-5"],
        ["--latency", "-5"]
      ]
    ] as const) {
      const { code, stderr, stdout } = await assizeHere(["simulate", "--port", "0", ...args], { cwd: root })
      assert.strictEqual(code, 2, stderr)
      for (const name of named) assert.include(stdout + stderr, name)
    }
  })

  it("takes all that it offers", async () => {
    const server = await simulate(
      [
        ["--latency", "1", "--jitter", "1", "--seed", "3", "--faults", "server-error=100%,outage=1h..2h"],
        ["--faults-at-most", "1", "--drip", "1", "--rate-limit", "1000/s", "--retry-after", "ms"],
        ["--refuses", "seed", "--no-json-schema", "--reasoning", "10", "--batch-seconds", "0.5", "--clock-skew", "-60"]
      ].flat()
    )
    try {
      const ask = (fields: object) =>
        fetch(`${server.url}/v1/chat/completions`, {
          method: "POST",
          body: JSON.stringify({ model: "lexical-1", messages: [{ role: "user", content: "Hello" }], ...fields })
        })
      assert.strictEqual((await ask({ seed: 1 })).status, 400)
      assert.strictEqual((await ask({})).status, 500)
      const { headers, status } = await ask({})
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("x-ratelimit-limit-requests"), "1000")
      assert.isBelow(Date.parse(headers.get("date")!), Date.now() - 30_000)
      assert.deepStrictEqual((await server.stats()).faults, { "server-error": 1 })
    } finally {
      await server.stop()
    }
  })
})
