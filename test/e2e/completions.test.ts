import { execFileSync, spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { writeGallery } from "../terminal/galleryStore.ts"
import { assize, root, temporaryFolder } from "./cli.ts"

const has = (shell: string) => spawnSync(shell, ["--version"]).status === 0

describe("shell completions", () => {
  const folder = temporaryFolder()
  const scripts: Record<string, string> = {}
  const env = {
    ...process.env,
    PATH: `${folder.path}/bin:${process.env["PATH"]}`,
    VITEST: undefined,
    NODE_ENV: undefined
  }
  afterAll(() => folder[Symbol.dispose]())
  beforeAll(async () => {
    mkdirSync(join(folder.path, "bin"))
    const command = join(folder.path, "bin/assize")
    writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${join(root, "dist/bundle/bin.js")}' "$@"\n`)
    chmodSync(command, 0o755)
    await writeGallery(join(folder.path, ".assize/store.sqlite"))
    writeFileSync(join(folder.path, "my campaign.yaml"), "")
    for (const shell of ["bash", "zsh", "fish"]) {
      const { code, stdout } = await assize(["--completions", shell], { cwd: folder.path })
      expect(code).toBe(0)
      scripts[shell] = join(folder.path, `completions.${shell}`)
      writeFileSync(scripts[shell], stdout)
    }
  })

  /** What bash offers for the last of the words. */
  const inBash = (...words: ReadonlyArray<string>): ReadonlyArray<string> => {
    const quoted = words.map((word) => `'${word}'`).join(" ")
    const [last, before] = [words.at(-1), words.at(-2) ?? "assize"]
    const script = `source ${scripts["bash"]}
      COMP_WORDS=(assize ${quoted}); COMP_CWORD=${words.length}; COMP_LINE="assize ${words.join(" ")}"; COMP_POINT=\${#COMP_LINE}
      _assize assize '${last}' '${before}'; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout } = spawnSync("bash", ["--norc", "-c", script], { cwd: folder.path, encoding: "utf8", env })
    return stdout.trim().split("\n")
  }

  it.skipIf(!has("bash"))("complete commands, flags, choices, files and runs in bash", () => {
    expect(inBash("ru")).toEqual(["run", "runs"])
    expect(inBash("runs", "w")).toEqual(["watch"])
    expect(inBash("runs", "watch", "--fr")).toEqual(["--from-start"])
    expect(inBash("data", "import", "om")).toEqual(["omissionbench"])
    expect(inBash("run", "my")).toEqual(["my\\ campaign.yaml"])
    expect(inBash("runs", "show", "")).toEqual(["latest", "gallery-1"])
    expect(inBash("confirm", "gal")).toEqual(["gallery-1"])
    expect(inBash("score", "d.jsonl", "--part", "a")).toEqual(["acceptance", "all"])
    expect(inBash("score", "d.jsonl", "--designs", "whole")).toEqual(["whole-note-score", "whole-note-yes-no"])
    expect(inBash("runs", "pin", "latest", "")).toEqual(["winner"])
    expect(inBash("runs", "edit", "latest", "winner", "--file", "my")).toEqual(["my\\ campaign.yaml"])
    expect(inBash("run", "--log-level", "w")).toEqual(["warn"])
    expect(inBash("--completions", "f")).toEqual(["fish"])
  })

  it.skipIf(!has("fish"))("complete commands, flags, choices, files and runs in fish", () => {
    const inFish = (line: string): ReadonlyArray<string> =>
      execFileSync("fish", ["--no-config", "-c", `source ${scripts["fish"]}; complete -C '${line}'`], {
        cwd: folder.path,
        encoding: "utf8",
        env: { ...env, HOME: folder.path }
      })
        .trim()
        .split("\n")
        .map((line) => line.split("\t")[0]!)
    expect(inFish("assize runs watch --fr")).toEqual(["--from-start"])
    expect(inFish("assize runs show ")).toEqual(expect.arrayContaining(["latest", "gallery-1"]))
    expect(inFish("assize run my")).toEqual(["my campaign.yaml"])
  })

  it.skipIf(!has("zsh"))("are a script that zsh can read", () => {
    expect(spawnSync("zsh", ["-f", "-n", scripts["zsh"]!]).status).toBe(0)
  })

  it("know the same closed values in every shell", () => {
    for (const script of Object.values(scripts)) {
      const text = readFileSync(script, "utf8")
      for (const value of [
        "acceptance",
        "whole-note-yes-no",
        "alteration",
        "winner",
        "fatal",
        "powershell",
        "recovery"
      ])
        expect(text).toMatch(new RegExp(`(?<![\\w-])${value}(?![\\w-])`))
    }
  })

  it.skipIf(!has("bash"))("offer files for every flag whose help names one", () => {
    const help = readFileSync(join(root, "docs/commands.md"), "utf8")
    const flags = [...help.matchAll(/^ {2}--([\w-]+)(?:, -\w)? (?:FILE|PATH|FOLDER)\b/gm)].map(([, name]) => name!)
    expect(flags.length).toBeGreaterThan(20)
    const text = readFileSync(scripts["bash"]!, "utf8")
    for (const name of new Set(flags)) expect(text).toMatch(new RegExp(`--${name}[^\\n]*\\)\\n\\s+_assize--paths`))
  })

  it("name no run of the store they were made at", () => {
    for (const script of Object.values(scripts)) {
      const text = readFileSync(script, "utf8")
      expect(text).not.toContain("gallery-1")
      expect(text).not.toContain("ASSIZE-RUNS")
      expect(text).toContain("assize runs list --ids")
    }
  })
})
