import { describe, expect, it } from "vitest"
import { foldRun } from "../../src/optimise/RunState.ts"
import { type CallGroup, roleUsage, usageTotals } from "../../src/store/roleUsage.ts"
import { spent } from "../../src/terminal/format.ts"
import { budgetLines } from "../../src/terminal/RunView.ts"
import { summary, summaryJson } from "../../src/terminal/summary.ts"
import { usageRemarks, usageRows } from "../../src/terminal/usageTable.ts"
import { widthOf } from "../../src/terminal/width.ts"
import { smallRun } from "./hostile.ts"

const group = (fields: Partial<CallGroup>): CallGroup => ({
  role: "judge",
  outcome: "ok",
  estimated: null,
  calls: 1,
  input: 0,
  cachedInput: 0,
  cacheWrite: 0,
  output: 0,
  reasoning: 0,
  cost: 0,
  costUnknown: 0,
  ...fields
})

const roles = roleUsage([
  group({ calls: 1000, input: 2_000_000, cachedInput: 500_000, output: 80_000, reasoning: 20_000, cost: 1.5 }),
  group({ outcome: "empty", calls: 3, input: 6000, output: 0, cost: 0.003 }),
  group({ outcome: "timeout", calls: 2, costUnknown: 2 }),
  group({ outcome: "unreachable", calls: 4, costUnknown: 4 }),
  group({ role: "reflection", estimated: 1, calls: 10, input: 50_000, output: 9000, cost: 0.25 }),
  group({ role: "preflight", calls: 1, input: 12, output: 2, costUnknown: 1 })
])
const usage = { ...usageTotals(roles), seconds: 90, roles }

describe("usage by role", () => {
  it("stands role below role in the summary where the table is wider than the terminal", () => {
    const narrow = summary(foldRun(smallRun().events), { runId: "r1", usage }, 60)
    for (const line of narrow.split("\n")) expect(widthOf(line), line).toBeLessThanOrEqual(60)
    expect(narrow.replace(/\s+/g, " ")).toContain(
      "judge answered 1,003; sent 1,005; failed 2; tokens in 2,006,000; cached 25 %; tokens out 80,000; reasoning 25 %; cost $1.50"
    )
  })

  it("shows what was answered of what was sent, shares, estimates, and unknown prices as unknown", () => {
    expect(usageRows(roles)).toEqual([
      ["role", "answered", "sent", "failed", "tokens in", "cached", "tokens out", "reasoning", "cost"],
      ["judge", "1,003", "1,005", "2", "2,006,000", "25 %", "80,000", "25 %", "$1.50"],
      ["preflight", "1", "1", "0", "12", "0 %", "2", "0 %", "unknown"],
      ["reflection", "10", "10", "0", "≈ 50,000", "–", "≈ 9,000", "–", "≈ $0.2500"]
    ])
    expect(usageRemarks(roles)).toEqual([
      "Calls without an answer to read: judge 3 empty, 2 timed out, 4 found no server.",
      "≈ is an estimate: the server reported no usage for 10 calls, whose tokens were counted instead."
    ])
  })

  it("says nothing of outcomes where every call was answered", () => {
    expect(usageRemarks(roleUsage([group({})]))).toEqual([])
  })

  it("stands in a summary, rounded, and in its JSON, unrounded", () => {
    const state = foldRun(smallRun().events)
    const text = summary(state, { runId: "r1", usage })
    expect(text).toContain(
      "Bought: 1,014 calls answered of 1,016 sent, ≈ 2,145,014 tokens, cost at least ≈ $1.75, 1 call of unknown price, in 1 min 30 s; 4 attempts found no server."
    )
    expect(text).toMatch(/ {2}judge +1,003 +1,005 +2 +2,006,000 +25 % +80,000 +25 % {2}\$1\.50\n/)
    const { usage: written } = summaryJson(state, { runId: "r1", usage })
    expect(written?.roles?.map(({ role, usd }) => [role, usd])).toEqual([
      ["judge", 1.503],
      ["preflight", null],
      ["reflection", 0.25]
    ])
    expect(written?.roles?.[0]?.outcomes).toEqual({ ok: 1000, empty: 3, timeout: 2, unreachable: 4 })
  })
})

describe("totals", () => {
  it("are unknown where no answered call's price is known, and 0 without a call", () => {
    expect(usageTotals(roleUsage([group({ calls: 2, costUnknown: 2 })])).usd).toBeNull()
    expect(usageTotals(roleUsage([group({ outcome: "timeout", costUnknown: 1 })])).usd).toBe(0)
    expect(usageTotals([]).usd).toBe(0)
  })

  it("mark what is estimated wherever they are shown", () => {
    const estimated = { calls: 1, tokens: 5, usd: 0.5 }
    expect(spent({ usd: 2, unpriced: 0, estimated })).toBe("≈ $2.00")
    expect(spent({ usd: 2, unpriced: 0, estimated: { usd: null } })).toBe("$2.00")
    expect(spent({ usd: null, unpriced: 1, estimated })).toBe("unknown")
    const [, , tokens] = budgetLines({ ...usage, estimated }, {})
    expect(tokens?.used).toBe("≈ 2,145,014")
  })
})
