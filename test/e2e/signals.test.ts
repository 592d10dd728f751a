import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { assert, describe, it } from "vitest"
import { start, temporaryFolder } from "./cli.ts"

const draws = (from: number) => {
  let state = from
  return (below: number): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

/** Every text has to be held against all others: minutes of search. */
const badForTheSearch = (): string => {
  const draw = draws(12345)
  const text = () => Array.from({ length: 120 }, () => `w${draw(5)}`).join(" ")
  return Array.from(
    { length: 12_000 },
    (_, at) => `{"id":"c${at}","transcript":null,"notes":[{"id":"n","text":"${text()}"}],"pairs":[]}\n`
  ).join("")
}

const scores = (): string => {
  const draw = draws(54321)
  const rows = Array.from({ length: 60_000 }, (_, at) =>
    ["a", "b"].map((judge) => `${at},n,,${judge},${draw(11)}\n${at},f,n,${judge},${draw(11)}\n`).join("")
  )
  return `consultation,note,clean,judge,score\n${rows.join("")}`
}

describe("Ctrl-C of a command that calculates", { timeout: 60_000 }, () => {
  const cases = [
    { name: "data check", signal: "SIGINT", text: badForTheSearch, args: (file: string) => ["data", "check", file] },
    {
      name: "score --scores",
      signal: "SIGTERM",
      text: scores,
      args: (file: string) => ["score", "--resamples", "1000000", "--json", "--scores", file]
    }
  ] as const
  for (const { args, name, signal, text } of cases) {
    it(`ends ${name} before it is done, and says nothing`, async () => {
      using folder = temporaryFolder()
      const file = join(folder.path, name.startsWith("data") ? "data.jsonl" : "scores.csv")
      writeFileSync(file, text())
      const running = start(args(file), { cwd: folder.path })
      await setTimeout(1000)
      running.child.kill(signal)
      const { code, stderr, stdout } = await running.finished
      // By the signal itself, which a shell tells as 130 or 143, where there was no turn for anything else.
      if (code === null) assert.strictEqual(running.child.signalCode, signal)
      else assert.strictEqual(code, 130)
      assert.strictEqual(stdout, "")
      assert.notInclude(stderr, "ERROR")
    })
  }
})
