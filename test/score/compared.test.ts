import { assert, describe, it } from "vitest"
import { comparedNames, comparedProblems } from "../../src/cli/scoreCompared.ts"

const known = ["a", "b", "gpt, small", "gpt, large", "a,b"]

describe("--compare", () => {
  it("takes two judges in one value or two, as often as it is given", () => {
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, ReadonlyArray<string>, unknown]> = [
      [[], [], []],
      [["a"], ["b"], [["a", "b"]]],
      [["a, b"], [], [["a", "b"]]],
      [
        ["a", "gpt, small"],
        ["b", "gpt, large"],
        [
          ["a", "b"],
          ["gpt, small", "gpt, large"]
        ]
      ],
      [
        ["b,a", "a"],
        ["gpt, large"],
        [
          ["b", "a"],
          ["a", "gpt, large"]
        ]
      ]
    ]
    for (const [given, trailing, expected] of cases) {
      assert.deepStrictEqual(comparedProblems({ given, trailing }), [])
      assert.deepStrictEqual<unknown>(comparedNames({ given, trailing }, known), expected, given.join(" "))
    }
  })

  it("finds names with commas of their own", () => {
    assert.deepStrictEqual<unknown>(comparedNames({ given: ["gpt, small,gpt, large"], trailing: [] }, known), [
      ["gpt, small", "gpt, large"]
    ])
    assert.deepStrictEqual<unknown>(comparedNames({ given: ["gpt, small"], trailing: ["a,b"] }, known), [
      ["gpt, small", "a,b"]
    ])
    assert.deepStrictEqual<unknown>(comparedNames({ given: ["a,b"], trailing: ["b"] }, known), [["a,b", "b"]])
  })

  it("says which judge there is not, and that one stands alone", () => {
    const problem = (given: ReadonlyArray<string>, trailing: ReadonlyArray<string> = []) => {
      const found = comparedNames({ given, trailing }, known)
      return "what" in found ? found.what : undefined
    }
    assert.strictEqual(problem(["a,c"]), 'there is no judge "c"')
    assert.strictEqual(problem(["gpt, tiny"], ["a"]), 'there is no judge "gpt", "tiny"')
    assert.strictEqual(problem(["gpt, small"]), "names one judge without another")
    assert.strictEqual(comparedProblems({ given: ["a"], trailing: [] })[0]?.what, "names one judge without another")
  })
})
