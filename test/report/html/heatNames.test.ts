import { describe, expect, it } from "vitest"
import { namesFor } from "../../../src/report/html/heatNames.ts"

describe("names over the heat map", () => {
  it("are those of all groups where each is wide, as wide as the group", () =>
    expect(namesFor([100, 200, 300], 380)).toEqual([
      { at: 0, room: 94 },
      { at: 1, room: 94 },
      { at: 2, room: 80 }
    ]))
  it("of a hundred narrow groups are those that have room, and none runs into the next", () => {
    const starts = Array.from({ length: 100 }, (_, at) => 118 + at * 11)
    const shown = namesFor(starts, 118 + 100 * 11)
    expect(shown.length).toBe(20)
    for (const [place, { at, room }] of shown.entries()) {
      expect(room).toBeGreaterThanOrEqual(44)
      expect(starts[at]! + room).toBeLessThan(starts[shown[place + 1]?.at ?? 99]! + (shown[place + 1] ? 0 : 100))
    }
  })
  it("are none where there is no group", () => expect(namesFor([], 100)).toEqual([]))
})
