import { assert, describe, it } from "vitest"
import type { ItemSet } from "../../src/domain/Item.ts"
import { minibatches } from "../../src/optimise/minibatch.ts"
import { itemSet } from "./support.ts"

const flaws = [
  { class: "omission", trace: "complete" },
  { class: "omission", trace: "complete" },
  { class: "omission", trace: "fragment" },
  { class: "omission", trace: "restated" },
  { class: "addition" }
] as const

const size = { notes: 12, consultations: 4 }
const consultationsOf = (batch: ItemSet) => [...new Set(batch.items.map(({ consultation }) => consultation))]

describe("a minibatch", () => {
  const train = itemSet<"train">("t", 6, flaws)
  const batchOf = minibatches(train, size, 11)

  it("holds a clean note and two flawed ones of each of four consultations", () => {
    const batch = batchOf(0)
    assert.strictEqual(batch.items.length, 12)
    assert.strictEqual(consultationsOf(batch).length, 4)
    assert.strictEqual(batch.instances.filter(({ kind }) => kind === "clean").length, 4)
  })

  it("has every flawed note's own twin", () => {
    for (let n = 0; n < 30; n++) {
      const batch = batchOf(n)
      for (const pair of batch.pairs) {
        assert.strictEqual(batch.items[pair.flawed]!.consultation, batch.items[pair.clean]!.consultation)
        assert.isTrue(batch.items[pair.clean]!.id.endsWith("/clean"))
      }
    }
  })

  it("prefers partial omissions", () => {
    assert.isTrue(batchOf(0).pairs.every(({ trace }) => trace === "fragment" || trace === "restated"))
  })

  it("gives every pair its turn over the epochs", () => {
    const seen = new Set<string>()
    for (let n = 0; n < 6; n++) for (const pair of batchOf(n).pairs) seen.add(pair.id)
    assert.strictEqual(seen.size, 30)
  })

  it("visits every consultation equally often, and none twice in one batch", () => {
    const visits = new Map<string, number>()
    for (let n = 0; n < 30; n++) {
      const consultations = consultationsOf(batchOf(n))
      assert.strictEqual(consultations.length, 4)
      for (const id of consultations) visits.set(id, (visits.get(id) ?? 0) + 1)
    }
    for (const count of visits.values()) assert.approximately(count, 20, 2)
  })

  it("is the same for the same number and seed, whatever was drawn before", () => {
    const other = minibatches(train, size, 11)
    assert.deepStrictEqual(other(7), batchOf(7))
    assert.notDeepEqual(minibatches(train, size, 12)(0), batchOf(0))
  })

  it("takes what there is when the train part is small", () => {
    const small = minibatches(itemSet<"train">("t", 2, [{ class: "omission", trace: "complete" }]), size, 1)(3)
    assert.strictEqual(small.items.length, 4)
    assert.strictEqual(consultationsOf(small).length, 2)
  })
})
