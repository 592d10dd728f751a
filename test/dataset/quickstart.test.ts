import { readFileSync } from "node:fs"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { compileAll } from "../../scripts/quickstart/build.ts"
import { mentions, problems, readSources } from "../../scripts/quickstart/source.ts"
import { readDataset } from "../../src/dataset/read.ts"
import type { Consultation } from "../../src/domain/Dataset.ts"
import { readManifest } from "../../src/split/manifestFile.ts"
import { verifySplit } from "../../src/split/verify.ts"

const root = new URL("../..", import.meta.url).pathname
const file = `${root}campaigns/quickstart/dataset.jsonl`
const sources = readSources(`${root}campaigns/quickstart/source`)
const consultations = readFileSync(file, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Consultation)
const pairs = consultations.flatMap((consultation) =>
  consultation.pairs.map((pair) => {
    const text = (id: string) => consultation.notes.find((note) => note.id === id)!.text
    const source = sources.find((one) => one.id === consultation.id)!
    return {
      name: `${consultation.id}/${pair.id}`,
      pair,
      clean: text(pair.clean),
      flawed: text(pair.flawed),
      fact: source.facts.find((fact) => fact.id === pair.fact)
    }
  })
)

const share = (of: ReadonlyArray<unknown>) => of.length / pairs.length

/** What lies between the longest common start and the longest common end of two texts. */
const region = (clean: string, flawed: string) => {
  let start = 0
  while (start < Math.min(clean.length, flawed.length) && clean[start] === flawed[start]) start += 1
  let end = 0
  while (end < Math.min(clean.length, flawed.length) - start && clean.at(-1 - end) === flawed.at(-1 - end)) end += 1
  return { removed: clean.slice(start, clean.length - end), added: flawed.slice(start, flawed.length - end) }
}

describe("the quickstart dataset", () => {
  it("is what the sources compile to, and the sources are sound", () => {
    assert.deepStrictEqual(sources.flatMap(problems), [])
    assert.strictEqual(readFileSync(file, "utf8"), compileAll(sources))
  })

  it.effect("reads without an error or a warning, and its split holds", () =>
    Effect.gen(function* () {
      const dataset = yield* readDataset(file)
      assert.deepStrictEqual(dataset.warnings, [])
      assert.deepStrictEqual(verifySplit(yield* readManifest(`${root}splits/quickstart.json`), dataset), [])
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it("has at least 24 consultations and 120 pairs, about 60 % omissions, all traces and severities about evenly", () => {
    assert.isAtLeast(consultations.length, 24)
    assert.isAtLeast(pairs.length, 120)
    const omissions = pairs.filter(({ pair }) => pair.class === "omission")
    assert.isAtLeast(share(omissions), 0.55)
    assert.isAtMost(share(omissions), 0.65)
    for (const kind of ["addition", "alteration"])
      assert.isAtLeast(share(pairs.filter(({ pair }) => pair.class === kind)), 0.1, kind)
    for (const trace of ["complete", "fragment", "restated"]) {
      assert.isAtLeast(omissions.filter(({ pair }) => pair.trace === trace).length, omissions.length / 5, trace)
    }
    for (const severity of ["critical", "supporting", "peripheral"]) {
      assert.isAtLeast(share(pairs.filter(({ pair }) => pair.severity === severity)), 0.2, severity)
    }
  })

  it("mixes countries, modes, patients and kinds of visit", () => {
    const has = (of: (source: (typeof sources)[number]) => string, values: ReadonlyArray<string>, least: number) => {
      for (const value of values)
        assert.isAtLeast(sources.filter((source) => of(source) === value).length, least, value)
    }
    has((source) => source.stratum, ["uk-primary-care", "us-ambulatory"], 10)
    has((source) => source.setting.mode, ["in person", "telephone", "video"], 4)
    has((source) => source.setting.patient, ["adult", "child", "older adult"], 3)
    has((source) => source.setting.kind, ["acute", "chronic review", "mental health"], 2)
  })

  it("has transcripts of 40 to 90 turns, notes of a sensible length, and evidence that was said", () => {
    for (const one of consultations) {
      const turns = one.transcript!.split("\n")
      assert.isAtLeast(turns.length, 40, one.id)
      assert.isAtMost(turns.length, 90, one.id)
      for (const turn of turns) assert.match(turn, /^[A-Z][A-Za-z' ]{1,30}: \S/, one.id)
      const words = one.notes.find((note) => note.id === "clean")!.text.split(/\s+/).length
      assert.isAtLeast(words, 100, one.id)
      assert.isAtMost(words, 350, one.id)
      for (const fact of one.facts!)
        assert.isTrue(
          turns.some((turn) => turn.includes(fact.evidence!)),
          `${one.id}/${fact.id}`
        )
    }
  })

  it("gives away no judge's answer in ids or fields that a judge would see", () => {
    for (const one of consultations)
      assert.notMatch(
        one.transcript! + one.notes.map((note) => note.text).join(""),
        /flawed|clean note|\bomission\b/i,
        one.id
      )
  })

  for (const { clean, fact, flawed, name, pair } of pairs) {
    it(`pair ${name} is one declared edit`, () => {
      const { added, removed } = region(clean, flawed)
      assert.isAtLeast(removed.length + added.length, 1)
      assert.isAtMost(removed.length, 400)
      assert.isAtMost(added.length, 400)
      assert.isAtMost(removed.length, clean.length * 0.4)
      for (const residual of pair.residual ?? []) assert.include(flawed, residual.quote)
      if (pair.class !== "omission") {
        assert.strictEqual(pair.trace, undefined)
        assert.isString(pair.errorType)
        if (pair.class === "addition") assert.isAbove(flawed.length, clean.length)
        return
      }
      if (fact === undefined) return assert.fail("an omission has a fact of its consultation")
      assert.isBelow(flawed.length, clean.length)
      assert.strictEqual(pair.severity, fact.severity)
      const left = fact.terms.filter((term) => mentions(flawed, term))
      for (const term of fact.terms) assert.isTrue(mentions(clean, term), `the clean note has "${term}"`)
      if (pair.trace === "complete") assert.deepStrictEqual(left, [])
      if (pair.trace === "restated") assert.deepStrictEqual(left, [...fact.terms])
      if (pair.trace === "fragment") {
        assert.isAtLeast(left.length, 1)
        assert.isBelow(left.length, fact.terms.length)
      }
      assert.strictEqual((pair.residual ?? []).length > 0, pair.trace !== "complete")
    })
  }
})
