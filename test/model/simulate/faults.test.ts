import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import {
  batchFaultOf,
  type Faults,
  faultOf,
  outagesOf,
  parseFaults,
  windowAt
} from "../../../src/model/simulate/faults.ts"
import { type FaultKind, kindNames, natureOf } from "../../../src/model/simulate/kinds.ts"

const spec = (text: string): Faults => Result.getOrThrow(parseFaults(text))
const refused = (text: string) => {
  const result = parseFaults(text)
  assert.isTrue(Result.isFailure(result), text)
  return Result.isFailure(result) ? result.failure : undefined
}

/** The kinds of the first attempts at many requests, or of so many attempts at each. */
const drawn = (faults: Faults, requests: number, { attempts = 1, atMost = 3, seed = 7 } = {}) =>
  Array.from({ length: requests }, (_, request) =>
    Array.from({ length: attempts }, (_, attempt) =>
      faultOf(faults, { seed, identity: `request ${request}`, attempt, atMost })
    )
  )

const shareOf = (kinds: ReadonlyArray<FaultKind | undefined>, wanted: FaultKind | undefined) =>
  kinds.filter((kind) => kind === wanted).length / kinds.length

/** Four standard deviations of a share among so many draws. */
const near = (observed: number, share: number, draws: number) =>
  assert.closeTo(observed, share, 4 * Math.sqrt((share * (1 - share)) / draws) + 1e-9)

describe("a fault specification", () => {
  it("shares a plain percentage evenly among passing and lasting kinds", () => {
    const { shares } = spec("30%")
    const kinds = kindNames.filter((kind) => natureOf(kind) === "passing" || natureOf(kind) === "lasting")
    assert.deepStrictEqual(
      shares.map(({ kind }) => kind),
      kinds
    )
    for (const { kind, lasting, share } of shares) {
      assert.closeTo(share, 0.3 / kinds.length, 1e-12)
      assert.strictEqual(lasting, natureOf(kind) === "lasting")
    }
  })

  it("leaves a named kind its own share", () => {
    const { shares } = spec("passing=21%, hang=0% ,refusal=5%,server-error:always=2.5%")
    const of = (kind: FaultKind) => shares.filter((share) => share.kind === kind)
    assert.deepStrictEqual(of("hang"), [{ kind: "hang", share: 0, lasting: false }])
    assert.deepStrictEqual(of("refusal"), [{ kind: "refusal", share: 0.05, lasting: true }])
    assert.deepStrictEqual(of("server-error"), [{ kind: "server-error", share: 0.025, lasting: true }])
    const passing = kindNames.filter((kind) => natureOf(kind) === "passing")
    assert.closeTo(of("reset")[0]!.share, 0.21 / (passing.length - 2), 1e-12)
  })

  it("knows times, counted from the start", () => {
    const faults = spec("outage=10s..20s,server-error=500ms..1.5s,unauthorised=1 minute..,outage=2s..3s")
    assert.deepStrictEqual(
      outagesOf(faults).map(({ fromMs, untilMs }) => [fromMs, untilMs]),
      [
        [2000, 3000],
        [10_000, 20_000]
      ]
    )
    assert.strictEqual(windowAt(faults, 499), undefined)
    assert.strictEqual(windowAt(faults, 500), "server-error")
    assert.strictEqual(windowAt(faults, 1499), "server-error")
    assert.strictEqual(windowAt(faults, 1500), undefined)
    assert.strictEqual(windowAt(faults, 1e12), "unauthorised")
    assert.strictEqual(windowAt(spec("batch-failed=0s.."), 1), undefined)
    assert.strictEqual(windowAt(spec("batch-failed=0s.."), 1, true), "batch-failed")
  })

  it("is refused with what was found and what is expected", () => {
    for (const [text, found] of [
      ["", '""'],
      ["30", '"30"'],
      ["130%", '"130%"'],
      ["-3%", '"-3%"'],
      ["hang", '"hang"'],
      ["hang=5", '"hang=5"'],
      ["hang=NaN%", '"hang=NaN%"'],
      ["hang=10s..5s", '"hang=10s..5s"'],
      ["hang=..5s", '"hang=..5s"'],
      ["hang=a..b", '"hang=a..b"'],
      ["all=10s..20s", '"all=10s..20s"'],
      ["refusal:twice=3%", '"refusal:twice=3%"'],
      ["passing:always=3%", '"passing:always=3%"'],
      ["batch-failed:always=3%", '"batch-failed:always=3%"'],
      ["outage=5%", '"outage=5%"'],
      ["hang=1%,hang=2%", '"hang"'],
      ["50%,no-credit=60%", '"110% in all"'],
      ["5%,,", '""'],
      ["constructor=5%", '"constructor=5%"']
    ] as const) {
      const problem = refused(text)
      assert.strictEqual(problem?.field, "--faults")
      assert.strictEqual(problem?.found, found, text)
      assert.isNotEmpty(problem?.expected)
    }
    assert.include(refused("server-eror=3%")?.hint, "server-error")
  })
})

describe("the fault of an attempt", () => {
  const Drawn = { seed: Schema.Int, identity: Schema.String, attempt: Schema.Natural, atMost: Schema.Natural }

  it.prop("follows from seed, request and attempt alone", [Schema.Struct(Drawn)], ([drawing]) => {
    const faults = spec("60%,unauthorised=10%")
    const first = faultOf(faults, drawing)
    for (let other = 0; other < 5; other++) faultOf(faults, { ...drawing, identity: `other ${other}` })
    return faultOf(spec("60%,unauthorised=10%"), { ...drawing }) === first
  })

  it("differs by seed, request and attempt", () => {
    const faults = spec("passing=50%")
    const [one, two] = [drawn(faults, 50, { seed: 1 }), drawn(faults, 50, { seed: 2 })]
    assert.notDeepEqual(one, two)
    const attempts = drawn(faults, 50, { attempts: 3 })
    assert.isTrue(attempts.some(([first, second]) => first !== second))
  })

  it("comes as often as asked for", () => {
    const draws = 20_000
    const text = "passing=12%,hang=1%,rate-limited=5%,refusal=3%,no-credit=2%,server-error:always=4%,refusal:passing=2%"
    const faults = spec(text)
    const first = drawn(faults, draws).flat()
    const expected = new Map<FaultKind, number>()
    for (const { kind, share } of faults.shares) expected.set(kind, (expected.get(kind) ?? 0) + share)
    for (const [kind, share] of expected) near(shareOf(first, kind), share, draws)
    near(shareOf(first, undefined), 1 - 0.29, draws)
  })

  it("comes in the asked share at later attempts too, but for those that are let through", () => {
    const faults = spec("server-error=40%")
    const attempts = drawn(faults, 4000, { attempts: 8 })
    for (const attempt of [1, 2, 4, 5, 6])
      near(
        shareOf(
          attempts.map((kinds) => kinds[attempt]),
          "server-error"
        ),
        0.4,
        4000
      )
    for (const attempt of [3, 7])
      assert.strictEqual(
        shareOf(
          attempts.map((kinds) => kinds[attempt]),
          undefined
        ),
        1
      )
  })

  it.prop(
    "never passes more than so many times in a row",
    [Schema.Struct({ ...Drawn, atMost: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 6 })) })],
    ([{ atMost, identity, seed }]) => {
      const faults = spec("passing=100%")
      const answered = Array.from({ length: 40 }, (_, attempt) => faultOf(faults, { seed, identity, attempt, atMost }))
      let row = 0
      for (const kind of answered) {
        row = kind === undefined ? 0 : row + 1
        if (row > atMost) return false
      }
      return true
    }
  )

  it("stays when it is in the nature of the request", () => {
    const faults = spec("lasting=20%,passing=30%,bad-gateway:always=10%")
    const requests = drawn(faults, 500, { attempts: 12 })
    const lasting = (kind: FaultKind | undefined) =>
      kind !== undefined && (natureOf(kind) === "lasting" || kind === "bad-gateway")
    const hit = requests.filter(([first]) => lasting(first))
    near(hit.length / 500, 0.3, 500)
    for (const kinds of hit) assert.strictEqual(new Set(kinds).size, 1)
    for (const kinds of requests.filter(([first]) => !lasting(first))) assert.isFalse(kinds.some(lasting))
  })

  it("is never one for a whole batch, whose own are drawn apart", () => {
    const faults = spec("batch-failed=50%,batch-expired=50%,hang=100%")
    assert.deepStrictEqual(new Set(drawn(faults, 50).flat()), new Set<FaultKind>(["hang"]))
    const batches = Array.from({ length: 50 }, (_, batch) =>
      batchFaultOf(faults, { seed: 1, identity: `batch ${batch}`, attempt: 0, atMost: 3 })
    )
    assert.deepStrictEqual(new Set(batches), new Set<FaultKind | undefined>(["batch-failed", "batch-expired"]))
  })
})
