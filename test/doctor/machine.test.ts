import { assert, describe, it } from "@effect/vitest"
import { type MachineFacts, machineSection, showsUnicode } from "../../src/doctor/machine.ts"

const facts: MachineFacts = {
  node: "24.21.0",
  platform: "linux",
  stdinIsTty: true,
  stdoutIsTty: true,
  columns: 120,
  rows: 40,
  colourDepth: 8,
  env: { TERM: "xterm-256color", LANG: "en_GB.UTF-8" }
}
const lines = (change: Partial<MachineFacts>) =>
  machineSection({ ...facts, ...change }).checks.map(({ level, what }) => `${level} ${what}`)

describe("machineSection", () => {
  it("finds nothing to say about a good terminal", () => {
    assert.deepStrictEqual(lines({}), [
      "ok Node 24.21.0",
      "ok a terminal (xterm-256color) of 120 × 40",
      "ok 256 colours",
      "ok characters beyond ASCII are shown",
      "ok no proxy is set"
    ])
  })

  it("tells of pipes, small windows, colours that are not wanted or not there, and locales without UTF-8", () => {
    assert.include(lines({ stdoutIsTty: false })[1], "no terminal")
    assert.include(lines({ columns: 60 })[1], "note a terminal (xterm-256color) of 60 × 40")
    assert.include(lines({ env: { ...facts.env, NO_COLOR: "1" } })[2], "NO_COLOR")
    assert.include(lines({ colourDepth: 1 })[2], "note the terminal shows no colours")
    assert.include(lines({ env: { ...facts.env, LC_ALL: "C" } })[3], "warning the locale is not UTF-8")
  })

  it("shows which proxies are used, and nothing of their users and passwords", () => {
    const env = {
      ...facts.env,
      HTTPS_PROXY: "http://me:canary-password@proxy.example:3128",
      http_proxy: "me:canary-password@other.example:80",
      NO_PROXY: "localhost,.internal",
      NODE_TLS_REJECT_UNAUTHORIZED: "0"
    }
    const said = lines({ env })
    assert.includeMembers(said, [
      "note HTTPS_PROXY sends requests through proxy.example:3128",
      "note NO_PROXY: localhost,.internal is asked directly"
    ])
    assert.isTrue(said.some((line) => line.startsWith("note http_proxy sends requests through other.example")))
    assert.isTrue(said.some((line) => line.startsWith("warning NODE_TLS_REJECT_UNAUTHORIZED=0")))
    assert.notInclude(said.join("\n"), "canary")
  })
})

describe("showsUnicode", () => {
  it("goes by LC_ALL, then LC_CTYPE, then LANG, and knows nothing without them", () => {
    const of = (env: MachineFacts["env"]) => showsUnicode({ env, platform: "linux" })
    assert.deepStrictEqual(
      [of({ LC_ALL: "C", LANG: "de_DE.UTF-8" }), of({ LC_CTYPE: "C.utf8" }), of({ LANG: "de_DE.UTF-8" }), of({})],
      [false, true, true, undefined]
    )
  })
})
