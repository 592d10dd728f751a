import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { assize, quickstartCopy, root, temporaryFolder } from "./cli.ts"
import { assizeHere } from "./inProcess.ts"

interface Line {
  readonly server: string
  readonly model: { readonly model: string; readonly price?: unknown }
  readonly body: { readonly choices: ReadonlyArray<{ readonly message: object }> }
}

interface Totals {
  readonly usd: number
  readonly unpriced: number
  readonly answered: number
  readonly reported: { readonly cachedInput: number; readonly reasoning: number }
}

const traffic = join(root, "test/model/traffic")
const lines = readFileSync(join(traffic, "traffic.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Line)
const expected = (JSON.parse(readFileSync(join(traffic, "expected.json"), "utf8")) as { calls: Record<string, string> })
  .calls
/** Cached input and reasoning, at one price each. */
const judgeLines = ["deepseek", "deepseek, hit and miss only"]
const reflectionLine = "xai, reasoning beside the output"
const lineOf = (server: string) => lines.find((line) => line.server === server)!

/** A decimal in billionths of a thousandth, so that sums are exact. */
const exact = (decimal: string): bigint => {
  const [whole = "0", fraction = ""] = decimal.split(".")
  return BigInt(whole + fraction.padEnd(12, "0"))
}

/** Answers with the recorded bodies by the model asked for, in turns, and notes which. */
const replaying = async () => {
  const served: Array<{ readonly line: string; readonly reflection: boolean }> = []
  const server = createServer((incoming, response) => {
    const chunks: Array<Buffer> = []
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
    incoming.on("end", () => {
      const asked = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { readonly model: string }
      const reflection = asked.model === lineOf(reflectionLine).model.model
      const line = reflection ? reflectionLine : judgeLines[served.length % judgeLines.length]!
      served.push({ line, reflection })
      const { body } = lineOf(line)
      const [choice] = body.choices
      const content = `<<<INSTRUCTION\nSay whether the note leaves something out, number ${served.length}.\nINSTRUCTION>>>`
      const said = reflection ? { ...choice, message: { ...choice!.message, content } } : choice
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ ...body, choices: [said] }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    served,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
}

describe("the cost of a run whose server answers with recorded traffic", () => {
  it("is that of the traffic to the cent, and to a billionth of a dollar, in runs show and on the screen", async () => {
    using folder = temporaryFolder()
    const cwd = folder.path
    const server = await replaying()
    try {
      const model = (server: string, url: string) => {
        const { model, price } = lineOf(server).model
        return JSON.stringify({ provider: "openai", model, price, baseUrl: url, concurrency: 8 })
      }
      const yaml = quickstartCopy(cwd, (text) =>
        text
          .replace(/judge: \{ provider: embedded.*\}/, `judge: ${model("deepseek", server.url)}`)
          .replace(/reflection: \{ provider: embedded.*\}/, `reflection: ${model(reflectionLine, server.url)}`)
          .replace("iterations: 30", "iterations: 3")
          .replace("samples: 1", "samples: 4")
      )
      const ran = await assize(["run", yaml, "--json"], { cwd })
      assert.strictEqual(ran.code, 0, ran.stderr)
      const shown = await assizeHere(["runs", "show", "latest", "--json"], { cwd })
      const { usage } = JSON.parse(shown.stdout) as {
        usage: Totals & { roles: ReadonlyArray<Totals & { role: string }> }
      }

      const costOf = (some: typeof server.served) => some.reduce((sum, { line }) => sum + exact(expected[line]!), 0n)
      const near = (found: number, some: typeof server.served) =>
        assert.approximately(found, Number(costOf(some)) / 1e12, 1e-9)
      assert.isAbove(server.served.length, 500)
      assert.strictEqual(usage.answered, server.served.length)
      assert.strictEqual(usage.unpriced, 0)
      near(usage.usd, server.served)
      assert.strictEqual(usage.usd.toFixed(2), (Number(costOf(server.served)) / 1e12).toFixed(2))
      const reflected = usage.roles.find(({ role }) => role === "reflection")!
      // The first of each model is the tiny call.
      const reflections = server.served.filter(({ reflection }) => reflection).slice(1)
      assert.isAbove(reflections.length, 1)
      near(reflected.usd, reflections)
      assert.isAbove(reflected.reported.reasoning, 0)
      const judged = usage.roles.find(({ role }) => role === "judge")!
      near(judged.usd, server.served.filter(({ reflection }) => !reflection).slice(1))
      assert.strictEqual(judged.reported.cachedInput, 1216 * judged.answered)
      const screen = await assizeHere(["runs", "show", "latest"], { cwd })
      assert.include(screen.stdout, `$${usage.usd.toFixed(usage.usd < 1 ? 4 : 2)}`)
    } finally {
      await server.close()
    }
  })
})
