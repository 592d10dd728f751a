import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import type { Consultation } from "../../src/domain/Dataset.ts"
import { type Problem, problemLine } from "../../src/domain/InputError.ts"
import type { SplitManifest } from "../../src/domain/Split.ts"
import { createSplit, manifestHash } from "../../src/split/create.ts"
import { verifySplit } from "../../src/split/verify.ts"
import { consultation } from "../dataset/support.ts"

const sha256 = "a".repeat(64)
const data = Array.from({ length: 9 }, (_, index) => consultation(`c${index}`))

const split = ((): SplitManifest => {
  const made = createSplit({
    name: "s",
    dataset: { path: "d.jsonl", sha256, consultations: data },
    seed: 11,
    fractions: { train: 0.4, acceptance: 0.3, holdout: 0.3 },
    exclusions: { consultations: ["c8"], pairs: ["c7/o1"] }
  })
  if (Result.isFailure(made)) throw new Error("no split")
  return made.success
})()

const say = (problems: ReadonlyArray<Problem>) => problems.map(problemLine)
const sealed = (changes: Partial<SplitManifest>): SplitManifest => {
  const manifest = { ...split, ...changes }
  return { ...manifest, hash: manifestHash(manifest) }
}
const verify = (manifest: SplitManifest, consultations: ReadonlyArray<Consultation> = data, hash = sha256) =>
  say(verifySplit(manifest, { sha256: hash, consultations }))

describe("verifySplit", () => {
  it("finds nothing in a split that holds, whatever the dataset's order", () => {
    assert.deepStrictEqual(verify(split), [])
    assert.deepStrictEqual(verify(split, [...data].reverse()), [])
  })

  it("says that only the bytes changed", () => {
    assert.deepStrictEqual(verify(split, data, "b".repeat(64)), [
      "dataset: the dataset changed since the split was sealed: its bytes differ; the contents of the split's consultations are the same (found sha256 bbbbbbbbbbbb; expected sha256 aaaaaaaaaaaa). Restore the file, or create the split again: the same seed gives the same parts"
    ])
  })

  it("names the consultations whose contents changed", () => {
    const changed = data.map((one) => (one.id === "c1" || one.id === "c2" ? { ...one, language: "en" } : one))
    const found = verify(split, changed, "b".repeat(64))
    assert.strictEqual(found.length, 1)
    assert.match(
      found[0]!,
      /^dataset: the dataset changed since the split was sealed: bytes differ; contents of consultations "c\d", "c\d" differ\. Restore the dataset/
    )
  })

  it("finds a manifest that was changed after it was sealed", () => {
    for (const tampered of [
      { ...split, seed: 12 },
      { ...split, train: [...split.train, ...split.holdout], holdout: [] },
      { ...split, exclusions: { consultations: [], pairs: [] } }
    ]) {
      assert.match(
        verify(tampered)[0]!,
        /^hash: the split manifest was changed after it was sealed: its own hash does not match/
      )
    }
  })

  it("finds an id in two parts, or in a part and the exclusions, even where the hash was made anew", () => {
    const id = split.holdout[0]!
    assert.include(
      verify(sealed({ train: [...split.train, id] }))[0]!,
      `the split overlaps: consultation "${id}" is in train and holdout`
    )
    assert.include(
      verify(sealed({ train: [...split.train, "c8"] }))[0]!,
      'the split overlaps: consultation "c8" is in train and exclusions'
    )
  })

  it("finds two ids in different parts that have one transcript", () => {
    const [train, holdout] = [split.train[0]!, split.holdout[0]!]
    const transcript = data.find((one) => one.id === train)!.transcript!.toUpperCase()
    const changed = data.map((one) => (one.id === holdout ? { ...one, transcript } : one))
    assert.include(
      verify(split, changed).join("\n"),
      `the split overlaps: "${train}" in train and "${holdout}" in holdout have the same transcript`
    )
  })

  it("finds a pair of notes that is in two parts under different transcripts", () => {
    const [train, holdout] = [split.train[0]!, split.holdout[0]!]
    const notes = data.find((one) => one.id === train)!.notes
    const changed = data.map((one) => (one.id === holdout ? { ...one, notes } : one))
    assert.include(
      verify(split, changed).join("\n"),
      `the split overlaps: "${train}" in train and "${holdout}" in holdout have the same notes`
    )
  })

  it("finds an excluded consultation that is in a part under another id", () => {
    const transcript = data.find((one) => one.id === "c8")!.transcript
    const changed = data.map((one) => (one.id === split.train[0] ? { ...one, transcript } : one))
    assert.include(
      verify(split, changed).join("\n"),
      `"${split.train[0]}" in train and "c8" in exclusions have the same transcript`
    )
  })

  it("names ids that the dataset does not have, and consultations that no part has", () => {
    const id = split.acceptance[0]!
    const renamed = data.map((one) => (one.id === id ? { ...one, id: "new" } : one))
    const found = verify(split, renamed)
    assert.include(found.join("\n"), `acceptance: names consultations that the dataset does not have: "${id}"`)
    assert.include(found.join("\n"), 'the dataset has consultations that are in no part and not excluded: "new"')
    assert.include(
      verify(sealed({ exclusions: { consultations: ["c8"], pairs: ["c7/zz"] } })).join("\n"),
      'exclusions.pairs: names pairs that the dataset does not have: "c7/zz"'
    )
  })

  it("finds missing content hashes and wrong counts", () => {
    const id = split.train[0]!
    const { [id]: _, ...content } = split.content
    assert.include(verify(sealed({ content })).join("\n"), `content: no content hash for "${id}"`)
    const counts = { ...split.counts, train: { ...split.counts.train, pairs: 99 } }
    assert.match(
      verify(sealed({ counts }))[0]!,
      /^counts\.train: the counts of the manifest are not those of the dataset \(found \d consultations and 99 pairs/
    )
  })
})
