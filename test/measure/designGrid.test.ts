import { assert, describe, it } from "vitest"
import { itemSet } from "../../src/dataset/itemSet.ts"
import type { Outcomes } from "../../src/domain/Judgement.ts"
import type { Member } from "../../src/domain/Split.ts"
import { ownFlags } from "../../src/measure/designGrid.ts"

/** Consultations of one faithful note and one with an omission. */
const items = itemSet(
  ["a", "b", "c", "d"].map(
    (id) =>
      ({
        id,
        transcript: `the transcript of ${id}`,
        notes: [
          { id: "clean", text: `all of ${id}` },
          { id: "flawed", text: `half of ${id}` }
        ],
        pairs: [{ id: "p", flawed: "flawed", clean: "clean", class: "omission" }]
      }) as unknown as Member<"train">
  )
)

const outcomesOf = (of: (consultation: string, flawed: boolean) => Outcomes[string]): Outcomes =>
  Object.fromEntries(items.items.map((item) => [item.id, of(item.consultation, item.note.startsWith("half"))]))

describe("a design's own flags", () => {
  it("count a note that could not be read as not flagged, and leave out one whose calls failed", () => {
    const outcomes = outcomesOf((consultation, flawed) =>
      consultation === "a"
        ? { _tag: "unparsed", reply: "?" }
        : consultation === "b" && flawed
          ? { _tag: "failed", cause: "no connection" }
          : { _tag: "scored", score: 0, flagged: flawed }
    )
    const found = ownFlags(items, outcomes)
    assert.deepStrictEqual([found?.detection.count, found?.detection.n], [2, 3])
    assert.deepStrictEqual([found?.falseAlarms.count, found?.falseAlarms.n], [0, 4])
  })

  it("are none where the design has no rule, whatever could not be read", () => {
    const outcomes = outcomesOf((consultation) =>
      consultation === "a" ? { _tag: "unparsed", reply: "?" } : { _tag: "scored", score: 5 }
    )
    assert.isNull(ownFlags(items, outcomes))
  })
})
