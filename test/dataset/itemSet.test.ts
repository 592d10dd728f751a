import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { itemSet } from "../../src/dataset/itemSet.ts"
import type { Consultation } from "../../src/domain/Dataset.ts"
import type { Member } from "../../src/domain/Split.ts"
import { asMember } from "../../src/split/member.ts"
import { consultation } from "./support.ts"

const members = (...consultations: ReadonlyArray<Consultation>): ReadonlyArray<Member<"train">> =>
  consultations.map((one) => asMember(one, "train"))

/** An item set by contents alone. */
const shape = (set: ReturnType<typeof itemSet>) => ({
  items: set.items.map(({ key, note, transcript }) => ({ key, note, transcript })),
  pairs: set.pairs.map(({ clean, flawed, class: kind }) => ({ clean, flawed, kind })),
  instances: set.instances.map(({ item, kind }) => ({ item, kind }))
})

describe("itemSet", () => {
  it("takes a consultation's clean notes first, each distinct note once, and knows pairs by consultation", () => {
    const set = itemSet(members(consultation("a")))
    assert.strictEqual(set.items[0]!.id, "a/clean")
    assert.deepStrictEqual(set.items.map((item) => item.id).sort(), ["a/clean", "a/flawed-o1", "a/flawed-x1"])
    assert.deepStrictEqual(set.pairs.map((pair) => pair.id).sort(), ["a/o1", "a/x1"])
    const omission = set.pairs.find((pair) => pair.id === "a/o1")!
    assert.deepStrictEqual(
      { ...omission, flawed: set.items[omission.flawed]!.id, clean: set.items[omission.clean]!.id },
      {
        id: "a/o1",
        consultation: "a",
        flawed: "a/flawed-o1",
        clean: "a/clean",
        class: "omission",
        trace: "complete",
        severity: "critical",
        stratum: "gp",
        fact: "Cough for 3 days",
        residual: []
      }
    )
    assert.deepStrictEqual(
      set.instances.map((one) => one.kind),
      ["clean", "flawed", "flawed"]
    )
  })

  it("keeps the notes of the chosen classes only", () => {
    const set = itemSet(members(consultation("a"), consultation("b", { pairs: [consultation("b").pairs[1]!] })), [
      "omission"
    ])
    assert.deepStrictEqual(
      set.items.map((item) => item.id),
      ["a/clean", "a/flawed-o1"]
    )
    assert.deepStrictEqual(
      set.instances.map((one) => one.id),
      ["clean:a/clean", "flawed:a/o1"]
    )
  })

  it("has one item for two notes of one text, and one clean instance", () => {
    const base = consultation("a")
    const doubled = {
      ...base,
      notes: [...base.notes, { id: "clean-2", text: base.notes[0]!.text }],
      pairs: [base.pairs[0]!, { ...base.pairs[1]!, clean: "clean-2" }]
    }
    const set = itemSet(members(doubled))
    assert.strictEqual(set.items.length, 3)
    assert.strictEqual(set.instances.filter((one) => one.kind === "clean").length, 1)
  })

  it("escapes ids so that no two notes have one item id", () => {
    const set = itemSet(
      members(
        consultation("a/clean"),
        consultation("a", {
          notes: consultation("a").notes.map((note) => ({ ...note, id: `clean/${note.id}` })),
          pairs: consultation("a").pairs.map((pair) => ({
            ...pair,
            clean: `clean/${pair.clean}`,
            flawed: `clean/${pair.flawed}`
          }))
        })
      )
    )
    assert.strictEqual(new Set(set.items.map((item) => item.id)).size, set.items.length)
  })

  it("law: order and contents do not depend on ids or on the file's order", () => {
    const some = ["a", "b", "c", "d"].map((id) => consultation(id))
    fc.assert(
      fc.property(fc.shuffledSubarray(some, { minLength: 4 }), fc.boolean(), (order, reverse) => {
        const renamed = order.map((one, index) => ({
          ...one,
          id: `Ωid-${index}`,
          notes: (reverse ? [...one.notes].reverse() : one.notes).map((note) => ({ ...note, id: `нота-${note.id}` })),
          pairs: (reverse ? [...one.pairs].reverse() : one.pairs).map((pair, at) => ({
            ...pair,
            id: `p${at}`,
            clean: `нота-${pair.clean}`,
            flawed: `нота-${pair.flawed}`
          }))
        }))
        assert.deepStrictEqual(shape(itemSet(members(...renamed))), shape(itemSet(members(...some))))
      })
    )
  })
})
