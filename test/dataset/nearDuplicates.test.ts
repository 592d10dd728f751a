import { assert, describe, it } from "@effect/vitest"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { data } from "../../src/cli/data.ts"
import { nearDuplicates, nearDuplicatesInPieces } from "../../src/dataset/nearDuplicates.ts"
import { words } from "../../src/dataset/words.ts"
import type { Consultation } from "../../src/domain/Dataset.ts"
import { inFolder, write } from "./support.ts"

const talk = (id: string, transcript: string | null, ...notes: ReadonlyArray<string>): Consultation => ({
  id,
  transcript,
  notes: notes.map((text, at) => ({ id: `n${at}`, text })),
  pairs: []
})

/** Deterministic words: mulberry32. */
const wordsFrom = (seed: number, length: number): ReadonlyArray<string> => {
  let state = Math.imul(seed + 1, 0x9e3779b1)
  return Array.from({ length }, () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return `w${((mixed ^ (mixed >>> 14)) >>> 0) % 3000}`
  })
}

const runs = (text: string): ReadonlySet<string> => {
  const all = words(text)
  return new Set(all.slice(2).map((_, at) => all.slice(at, at + 3).join(" ")))
}

describe("nearDuplicates", () => {
  it("splits words of any script, marks and letter case aside", () => {
    assert.deepStrictEqual(words("No Fever, 38.5°C; naïve"), ["no", "fever", "38", "5", "c", "naïve"])
    assert.deepStrictEqual(words("30岁 男の子"), ["30", "岁", "男", "の", "子"])
  })

  it("compares transcripts where both have one, else the notes most alike", () => {
    const text = wordsFrom(1, 100).join(" ")
    const found = nearDuplicates([
      talk("a", text, "same note of this text"),
      talk("b", `${text.toUpperCase()}.`, "another one altogether here"),
      talk("c", "quite another talk here", "same note of this text"),
      talk("d", null, "nothing like it at all", "Same note of this text.")
    ])
    assert.deepStrictEqual(found, [
      { a: 0, b: 1, similarity: 1, by: "transcript" },
      { a: 0, b: 3, similarity: 1, by: "note" },
      { a: 2, b: 3, similarity: 1, by: "note" }
    ])
    assert.deepStrictEqual(
      nearDuplicates(
        [found, found].flatMap(() => [talk("x", null, "one two three four"), talk("y", null, "one two three four")]),
        0.8,
        2
      ).map(({ a, b }) => [a, b]),
      [
        [0, 2],
        [0, 3],
        [1, 2],
        [1, 3]
      ]
    )
  })

  it("finds exactly the pairs that comparing all with all finds, at any threshold", () => {
    const base = wordsFrom(7, 60)
    const texts = Array.from({ length: 40 }, (_, at) => {
      const other = wordsFrom(at + 100, 60)
      return base.map((word, place) => (place < at ? other[place]! : word)).join(" ")
    })
    const sets = texts.map(runs)
    for (const threshold of [0.05, 0.5, 0.8, 1]) {
      const expected = sets.flatMap((one, a) =>
        sets.flatMap((other, b) => {
          const similarity = one.intersection(other).size / one.union(other).size
          return a < b && similarity >= threshold ? [`${a} ${b} ${similarity}`] : []
        })
      )
      assert.deepStrictEqual(
        nearDuplicates(
          texts.map((text, at) => talk(`${at}`, text)),
          threshold
        ).map(({ a, b, similarity }) => `${a} ${b} ${similarity}`),
        expected
      )
    }
  })

  /** Of so few words that every text shares its rarest runs with all others, and some of which are near-duplicates. */
  const ofFewWords = (texts: number, length: number): ReadonlyArray<string> =>
    Array.from({ length: texts }, (_, at) => {
      const from = at % 5 === 4 ? at - 3 : at
      const own = wordsFrom(from, length).map((word) => `w${Number(word.slice(1)) % 6}`)
      return (from === at ? own : own.with(at % length, "other")).join(" ")
    })

  it("finds exactly those of texts of few words too, within a dataset and across two", () => {
    const texts = ofFewWords(90, 150)
    const sets = texts.map(runs)
    const talks = texts.map((text, at) => talk(`${at}`, at % 2 === 0 ? text : null, text))
    for (const across of [undefined, 28]) {
      const expected = sets.flatMap((one, a) =>
        sets.flatMap((other, b) => {
          const similarity = one.intersection(other).size / one.union(other).size
          const asked = across === undefined || a < across !== b < across
          return a < b && asked && similarity >= 0.7 ? [`${a} ${b} ${similarity}`] : []
        })
      )
      assert.isAbove(expected.length, across === undefined ? 10 : 0)
      assert.deepStrictEqual(
        nearDuplicates(talks, 0.7, across).map(({ a, b, similarity }) => `${a} ${b} ${similarity}`),
        expected
      )
    }
  })

  it("can be left again and again, also where every text must be held against all others", () => {
    const texts = ofFewWords(800, 200)
    let pieces = 0
    const work = nearDuplicatesInPieces(texts.map((text, at) => talk(`${at}`, text)))
    while (work.next().done !== true) pieces++
    assert.isAbove(pieces, 3)
  })

  it("takes seconds for a thousand consultations", () => {
    const all = Array.from({ length: 1000 }, (_, at) =>
      talk(`${at}`, wordsFrom(at % 997, 1500).join(" "), wordsFrom(at, 200).join(" "))
    )
    const started = performance.now()
    const found = nearDuplicates(all)
    assert.deepStrictEqual(
      found.map(({ a, b }) => [a, b]),
      [
        [0, 997],
        [1, 998],
        [2, 999]
      ]
    )
    assert.isBelow(performance.now() - started, 10_000)
  })
})

describe("data check of one text over and over", () => {
  it.effect("is refused with a sentence, and not for want of memory", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const line = (at: number) =>
          `${JSON.stringify({ id: `c${at}`, transcript: null, notes: [{ id: "n", text: "no fever, no cough" }], pairs: [] })}\n`
        const file = write(folder, "same.jsonl", Array.from({ length: 1500 }, (_, at) => line(at)).join(""))
        const failure = yield* Effect.flip(Command.runWith(data, { version: "test" })(["check", file]))
        assert.match(String(failure), /same\.jsonl: more than 1,000,000 pairs of its consultations are near-duplicates/)
      })
    )
  )
})
