import { spawnSync } from "node:child_process"
import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { assert, describe, it } from "vitest"
import { root, temporaryFolder } from "./cli.ts"

const docs = join(root, "docs")
const pages = readdirSync(docs).filter((name) => name.endsWith(".md"))
const read = (name: string) => readFileSync(join(docs, name), "utf8")

const primock = join(root, "../shared/data/primock57")
const absent = !existsSync(primock)

describe("the documentation", () => {
  it("links to what is there", () => {
    const broken = pages.flatMap((name) =>
      [...read(name).matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)]
        .map(([, target]) => target!)
        .filter((target) => !/^https?:/.test(target) && !existsSync(resolve(dirname(join(docs, name)), target)))
        .map((target) => `${name}: ${target}`)
    )
    assert.deepStrictEqual(broken, [])
  })

  it("has every page in its index", () => {
    const index = read("README.md")
    for (const name of pages) if (name !== "README.md") assert.include(index, `(${name})`)
  })

  it("has the commands as they print their help", { timeout: 120_000 }, () => {
    const { status, stderr } = spawnSync(process.execPath, [join(root, "scripts/docs/commands.ts"), "--check"], {
      encoding: "utf8"
    })
    assert.strictEqual(status, 0, stderr)
  })

  it.skipIf(absent)(
    `walks through real data with commands that run, and quotes what they print${absent ? " (skipped: ../shared is absent)" : ""}`,
    { timeout: 180_000 },
    () => {
      using folder = temporaryFolder()
      const text = read("walkthrough.md")
      const campaign = /```yaml\n([\s\S]*?)```/.exec(text)![1]!
      writeFileSync(join(folder.path, "campaign.yaml"), campaign)
      symlinkSync(primock, join(folder.path, "primock57"))
      const assize = join(folder.path, "assize")
      writeFileSync(assize, `#!/bin/sh\nexec "${process.execPath}" "${join(root, "dist/bundle/bin.js")}" "$@"\n`)
      chmodSync(assize, 0o755)
      const commands = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!.trim())
      assert.isAtLeast(commands.length, 7)
      // The page's campaign is in place of the one that init makes, from the moment that there is a folder for it.
      const script = commands.join("\n").replace(/^(assize plan)/m, "cp ../campaign.yaml campaign.yaml\n$1")
      const { status, stderr, stdout } = spawnSync("sh", ["-e", "-c", script], {
        cwd: folder.path,
        env: {
          ...process.env,
          PATH: `${folder.path}:${process.env["PATH"]}`,
          NO_COLOR: "1",
          NODE_ENV: undefined,
          ASSIZE_STORE: undefined
        },
        encoding: "utf8",
        maxBuffer: 1e8
      })
      assert.strictEqual(status, 0, stderr)
      const quotes = [...text.matchAll(/^> (.*)$/gm)].map(([, quote]) => quote!)
      assert.isAtLeast(quotes.length, 3)
      const printed = stdout.replace(/\s+/g, " ")
      for (const quote of quotes) assert.include(printed, quote.replace(/\s+/g, " "))
      assert.isTrue(existsSync(join(folder.path, "primock/report.html")))
    }
  )
})
