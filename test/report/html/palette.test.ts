import { assert, describe, it } from "vitest"
import { dark, light, type Palette, rampColour } from "../../../src/report/html/palette.ts"

/** WCAG 2.2, relative luminance of an sRGB colour. */
const luminance = (colour: string): number => {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

const contrast = (one: string, other: string): number => {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

/** What a person sees who has no cones of one kind: Viénot, Brettel and Mollon (1999), in linear light. */
const seenBy = (kind: "protan" | "deutan", colour: string): readonly [number, number, number] => {
  const [r, g, b] = [1, 3, 5].map((at) => (Number.parseInt(colour.slice(at, at + 2), 16) / 255) ** 2.2) as [
    number,
    number,
    number
  ]
  return kind === "protan"
    ? [0.11238 * r + 0.88762 * g, 0.11238 * r + 0.88762 * g, 0.00401 * r - 0.00401 * g + b]
    : [0.29275 * r + 0.70725 * g, 0.29275 * r + 0.70725 * g, -0.02234 * r + 0.02234 * g + b]
}

const distance = (kind: "protan" | "deutan", one: string, other: string): number => {
  const [a, b] = [seenBy(kind, one), seenBy(kind, other)]
  return Math.hypot(...a.map((value, at) => value ** (1 / 2.2) - Math.max(0, b[at]!) ** (1 / 2.2)))
}

describe.each([
  ["light", light],
  ["dark", dark]
] as const)("the %s palette", (_, palette: Palette) => {
  const grounds = ["page", "card", "sunk"] as const

  it("has text of at least 4.5 : 1 on every ground that it stands on, and 7 : 1 where people read", () => {
    for (const ground of grounds) {
      assert.isAtLeast(contrast(palette.ink, palette[ground]), 7, `ink on ${ground}`)
      for (const text of ["soft", "link", "flawed", "clean", "good", "bad", "open"] as const)
        assert.isAtLeast(contrast(palette[text], palette[ground]), 4.5, `${text} on ${ground}`)
    }
    assert.isAtLeast(contrast(palette.page, palette.ink), 7, "pressed buttons")
    assert.isAtLeast(contrast(palette.ink, palette.flawedGround), 7, "struck out")
    assert.isAtLeast(contrast(palette.ink, palette.cleanGround), 7, "underlined")
    assert.isAtLeast(contrast(palette.soft, palette.cleanGround), 4.5, "names in the feasible region")
  })

  it("has marks, lines, controls and the focus of at least 3 : 1", () => {
    for (const ground of ["page", "card", "cleanGround"] as const)
      for (const mark of ["edge", "flawed", "clean", "winner", "soft"] as const)
        if (mark !== "edge" || ground !== "cleanGround")
          assert.isAtLeast(contrast(palette[mark], palette[ground]), 3, `${mark} on ${ground}`)
    for (const ground of grounds) assert.isAtLeast(contrast(palette.focus, palette[ground]), 3, `focus on ${ground}`)
  })

  it("tells clean from flawed for eyes without red or green cones, and words from marks by more than colour", () => {
    for (const kind of ["protan", "deutan"] as const) {
      assert.isAbove(distance(kind, palette.clean, palette.flawed), 0.25, kind)
      assert.isAbove(distance(kind, palette.cleanGround, palette.flawedGround), 0.1, kind)
    }
  })

  it("has a ramp that grows lighter from step to step", () => {
    const steps = Array.from({ length: 41 }, (_, at) => luminance(rampColour(palette.ramp, at / 40)))
    for (const [at, step] of steps.entries()) if (at > 0) assert.isAbove(step, steps[at - 1]!)
    assert.strictEqual(rampColour(palette.ramp, -1), palette.ramp[0])
    assert.strictEqual(rampColour(palette.ramp, 2), palette.ramp.at(-1))
  })
})
