import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { type Consultation, isPartialOmission } from "../../src/domain/Dataset.ts"
import { type Fractions, partNames, type SplitManifest } from "../../src/domain/Split.ts"
import { createSplit, manifestHash } from "../../src/split/create.ts"
import { outlineOf } from "../../src/split/outline.ts"
import { unitsOf } from "../../src/split/units.ts"
import { verifySplit } from "../../src/split/verify.ts"
import { consultation } from "../dataset/support.ts"

const sha256 = "0".repeat(64)
const shares: Fractions = { train: 0.4, acceptance: 0.3, holdout: 0.3 }

const splitOf = (
  consultations: ReadonlyArray<Consultation>,
  options: { seed?: number; fractions?: Fractions; exclusions?: SplitManifest["exclusions"] } = {}
) =>
  createSplit({
    name: "s",
    dataset: { path: "d.jsonl", sha256, consultations },
    seed: 11,
    fractions: shares,
    ...options
  })

const made = (...request: Parameters<typeof splitOf>): SplitManifest => {
  const result = splitOf(...request)
  if (Result.isFailure(result)) throw new Error(JSON.stringify(result.failure))
  return result.success
}

const refused = (...request: Parameters<typeof splitOf>): ReadonlyArray<string> => {
  const result = splitOf(...request)
  assert.isTrue(Result.isFailure(result))
  return Result.isFailure(result)
    ? result.failure.map(({ expected, found, what }) => [what, found, expected].filter(Boolean).join("; "))
    : []
}

/** Consultations over three strata, of which some have partial omissions, some share a transcript, some have none. */
const anyDataset = fc
  .array(
    fc.record({
      stratum: fc.constantFrom("gp", "ward", undefined),
      partial: fc.boolean(),
      twinOf: fc.option(fc.nat(20), { freq: 6 }),
      silent: fc.boolean()
    }),
    { minLength: 12, maxLength: 40 }
  )
  .map((specs) =>
    specs.map((spec, index): Consultation => {
      const { stratum: _, ...base } = consultation(`c${index}`)
      const transcript =
        spec.twinOf !== null && spec.twinOf < index
          ? `Doctor: What brings you,  C${spec.twinOf}?\n\nPatient: A cough.`
          : base.transcript
      return {
        ...base,
        ...(spec.stratum === undefined ? {} : { stratum: spec.stratum }),
        transcript: spec.silent && spec.twinOf === null ? null : transcript,
        pairs: base.pairs.map((pair) =>
          pair.class === "omission" && spec.partial ? { ...pair, trace: "fragment" as const } : pair
        )
      }
    })
  )

describe("createSplit", () => {
  it("law: parts are disjoint, cover the dataset, and verify", () => {
    fc.assert(
      fc.property(anyDataset, fc.integer(), (data, seed) => {
        const split = made(data, { seed })
        const all = partNames.flatMap((part) => split[part])
        assert.deepStrictEqual([...all].sort(), data.map((one) => one.id).sort())
        assert.deepStrictEqual(verifySplit(split, { sha256, consultations: data }), [])
      })
    )
  })

  it("law: who is with whom does not change with ids, order, white space and letter case of transcripts", () => {
    fc.assert(
      fc.property(anyDataset, fc.integer(), (data, seed) => {
        const names = new Map(data.map((one, index) => [one.id, `Пациент ${(index * 7919) % 1000}/${index}`]))
        const renamed = [...data].reverse().map((one) => ({
          ...one,
          id: names.get(one.id)!,
          transcript: one.transcript?.toUpperCase().replaceAll("\n", "\r\n") ?? null,
          notes: one.notes.map((note) => ({ ...note, id: `n-${note.id}` })),
          pairs: one.pairs.map((pair, at) => ({
            ...pair,
            id: `q${at}`,
            clean: `n-${pair.clean}`,
            flawed: `n-${pair.flawed}`
          }))
        }))
        const [split, again] = [made(data, { seed }), made(renamed, { seed })]
        for (const part of partNames)
          assert.deepStrictEqual(split[part].map((id) => names.get(id)!).sort(), [...again[part]].sort())
      })
    )
  })

  it("law: each part is within one unit of its fair share overall and in every cell", () => {
    fc.assert(
      fc.property(
        anyDataset,
        fc.integer(),
        fc.constantFrom(
          shares,
          { train: 0.5, acceptance: 0.25, holdout: 0.25 },
          { train: 0.37, acceptance: 0.34, holdout: 0.29 }
        ),
        (data, seed, fractions) => {
          const split = made(data, { seed, fractions })
          const units = unitsOf(data.map(outlineOf))
          const groups = [units, ...Map.groupBy(units, (unit) => unit.cell).values()]
          for (const group of groups) {
            for (const part of partNames) {
              const there = group.filter((unit) => split[part].includes(unit.consultations[0]!.id)).length
              assert.isBelow(Math.abs(there - group.length * fractions[part]), 1 + 1e-9)
            }
          }
        }
      )
    )
  })

  it("law: counts add up to the dataset's", () => {
    fc.assert(
      fc.property(anyDataset, (data) => {
        const { counts } = made(data)
        const total = (of: (part: (typeof partNames)[number]) => number) =>
          partNames.reduce((sum, part) => sum + of(part), 0)
        const pairs = data.flatMap((one) => one.pairs)
        assert.strictEqual(
          total((part) => counts[part].consultations),
          data.length
        )
        assert.strictEqual(
          total((part) => counts[part].pairs),
          pairs.length
        )
        assert.strictEqual(
          total((part) => counts[part].partial),
          pairs.filter(isPartialOmission).length
        )
        for (const part of partNames) {
          assert.strictEqual(
            Object.values(counts[part].class).reduce((sum, number) => sum + number, 0),
            counts[part].pairs
          )
        }
      })
    )
  })

  it("seals itself with a hash of all that it says", () => {
    const split = made(["a", "b", "c", "d"].map((id) => consultation(id)))
    assert.strictEqual(split.hash, manifestHash(split))
    assert.notStrictEqual(manifestHash({ ...split, seed: 12 }), split.hash)
  })

  it("chooses by the seed", () => {
    const data = Array.from({ length: 20 }, (_, index) => consultation(`c${index}`))
    assert.deepStrictEqual(made(data), made(data))
    assert.notDeepEqual(made(data).train, made(data, { seed: 12 }).train)
  })

  it("keeps consultations with one transcript together, under whatever ids", () => {
    const data = Array.from({ length: 9 }, (_, index) => consultation(`c${index}`))
    const twin = { ...consultation("twin"), transcript: `  ${data[0]!.transcript!.toUpperCase()}\n` }
    for (let seed = 0; seed < 10; seed++) {
      const split = made([...data, twin], { seed })
      const home = partNames.find((part) => split[part].includes("c0"))!
      assert.include(split[home], "twin")
    }
  })

  it("leaves excluded consultations out of every part, with their twins, and drops excluded pairs", () => {
    const data = Array.from({ length: 9 }, (_, index) => consultation(`c${index}`))
    const twin = { ...consultation("twin"), transcript: data[0]!.transcript }
    const split = made([...data, twin], { exclusions: { consultations: ["c0"], pairs: ["c1/o1"] } })
    assert.deepStrictEqual(split.exclusions, { consultations: ["c0", "twin"], pairs: ["c1/o1"] })
    assert.deepStrictEqual(
      partNames.flatMap((part) => split[part]).sort(),
      data.slice(1).map((one) => one.id)
    )
    assert.strictEqual(
      partNames.reduce((sum, part) => sum + split.counts[part].pairs, 0),
      15
    )
    assert.deepStrictEqual(verifySplit(split, { sha256, consultations: [...data, twin] }), [])
  })

  it("refuses exclusions that the dataset does not have, or that are ambiguous", () => {
    const data = Array.from({ length: 6 }, (_, index) => consultation(`c${index}`))
    assert.deepStrictEqual(refused(data, { exclusions: { consultations: ["c9"], pairs: ["o1", "c1/zz"] } }), [
      'the exclusions name a consultation that the dataset does not have; "c9"',
      'the exclusions name a pair that 6 consultations have; "o1"; its full name, such as "c0/o1"',
      'the exclusions name a pair that the dataset does not have; "c1/zz"'
    ])
  })

  it("refuses fractions that are none or do not sum to 1", () => {
    const data = Array.from({ length: 6 }, (_, index) => consultation(`c${index}`))
    assert.deepStrictEqual(refused(data, { fractions: { train: 0.4, acceptance: 0.4, holdout: 0.4 } }), [
      "the fractions sum to 1.2; 0.4, 0.4, 0.4; a sum of 1"
    ])
    assert.match(
      refused(data, { fractions: { train: 1, acceptance: 0, holdout: 0 } })[0]!,
      /^each fraction must be between 0 and 1; 1, 0, 0/
    )
  })

  it("refuses a part without pairs, with the numbers", () => {
    assert.deepStrictEqual(refused([consultation("a"), consultation("b")]).length, 1)
    assert.match(
      refused([consultation("a"), consultation("b")])[0]!,
      /^the \w+ part would have no pairs; 2 usable consultations \(2 units\) and a fraction of 0\.\d: 0 consultations/
    )
    const silent = ["c", "d", "e"].map((id) => consultation(id, { pairs: [] }))
    assert.isAbove(refused([consultation("a"), ...silent]).length, 0)
  })

  it("prefers, among fair splits, one in which no part is empty", () => {
    const data = ["a", "b", "c", "d"].map((id) => consultation(id))
    for (let seed = 0; seed < 10; seed++) {
      const split = made(data, { seed, fractions: { train: 0.7, acceptance: 0.15, holdout: 0.15 } })
      assert.deepStrictEqual(
        partNames.map((part) => split[part].length),
        [2, 1, 1]
      )
    }
  })
})
