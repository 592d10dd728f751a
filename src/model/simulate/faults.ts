import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { DurationText, durationMs } from "../../domain/Campaign.ts"
import { type Problem, showValue } from "../../domain/InputError.ts"
import { nearest } from "../../domain/nearest.ts"
import { uniform } from "../../domain/Random.ts"
import { type FaultKind, kindNames, natureOf } from "./kinds.ts"

/** A part of all requests that gets one kind of fault. */
export interface Share {
  readonly kind: FaultKind
  /** From 0 to 1. */
  readonly share: number
  /** Drawn once for each request in place of once for each attempt. */
  readonly lasting: boolean
}

/** A time, counted from the server's start, in which every request gets the fault. */
export interface Window {
  readonly kind: FaultKind | "outage"
  readonly fromMs: number
  /** Infinity without an end. */
  readonly untilMs: number
}

export interface Faults {
  readonly shares: ReadonlyArray<Share>
  readonly windows: ReadonlyArray<Window>
}

export const noFaults: Faults = { shares: [], windows: [] }

const groups = {
  all: kindNames.filter((kind) => ["passing", "lasting"].includes(natureOf(kind))),
  passing: kindNames.filter((kind) => natureOf(kind) === "passing"),
  lasting: kindNames.filter((kind) => natureOf(kind) === "lasting")
} as const
type Group = keyof typeof groups
const names: ReadonlyArray<string> = [...Object.keys(groups), "outage", ...kindNames]

const isKind = (name: string): name is FaultKind => (kindNames as ReadonlyArray<string>).includes(name)
const isGroup = (name: string): name is Group => Object.hasOwn(groups, name)

type Part =
  | { readonly _tag: "group"; readonly group: Group; readonly share: number }
  | { readonly _tag: "kind"; readonly share: Share }
  | { readonly _tag: "window"; readonly window: Window }

const field = "--faults"
const problem = (found: string, expected: string, hint?: string): Problem => ({
  field,
  what: "is not usable",
  found: showValue(found),
  expected,
  ...(hint === undefined ? {} : { hint })
})

const partPattern = /^(?:([a-z-]+)(?::([a-z]+))?=)?(.+)$/
const percentPattern = /^(\d+(?:\.\d+)?)%$/
const windowPattern = /^([^.]+(?:\.\d+[^.]*)?)\.\.(.*)$/
const isDuration = Schema.is(DurationText)

const readWindow = (kind: Window["kind"], text: string, part: string): Result.Result<Part, Problem> => {
  const [, from = "", until = ""] = windowPattern.exec(text) ?? []
  if (!isDuration(from) || !(until === "" || isDuration(until))) {
    return Result.fail(problem(part, "two times from the start, such as 10s..20s or 10s.."))
  }
  const window = {
    kind,
    fromMs: durationMs(from),
    untilMs: until === "" ? Number.POSITIVE_INFINITY : durationMs(until)
  }
  return window.fromMs < window.untilMs
    ? Result.succeed({ _tag: "window", window })
    : Result.fail(problem(part, "a time that ends after it begins"))
}

const readPart = (part: string): Result.Result<Part, Problem> => {
  const [, name = "all", suffix, value = ""] = partPattern.exec(part) ?? []
  if (!names.includes(name)) {
    const close = nearest(name, names)
    return Result.fail(
      problem(part, `one of ${names.join(", ")}`, close === undefined ? undefined : `Did you mean ${close}?`)
    )
  }
  if (value.includes("..")) {
    if (suffix === undefined && (isKind(name) || name === "outage")) return readWindow(name, value, part)
    return Result.fail(problem(part, "a time for one kind or for outage, such as server-error=10s..20s"))
  }
  const percent = Number(percentPattern.exec(value)?.[1] ?? Number.NaN)
  if (!(percent <= 100)) {
    const times = isKind(name) || name === "outage" ? ", or a time such as 10s..20s" : ""
    return Result.fail(problem(part, `a percentage from 0% to 100%${times}`))
  }
  const share = percent / 100
  if (isGroup(name)) {
    return suffix === undefined
      ? Result.succeed({ _tag: "group", group: name, share })
      : Result.fail(problem(part, "always or passing behind a single kind only"))
  }
  if (!isKind(name)) return Result.fail(problem(part, "a time such as outage=10s..20s"))
  if (suffix !== undefined && (!["always", "passing"].includes(suffix) || natureOf(name) === "batch")) {
    return Result.fail(problem(part, `${name}=5%, ${name}:always=5% or ${name}:passing=5%`))
  }
  const lasting = suffix === undefined ? natureOf(name) === "lasting" : suffix === "always"
  return Result.succeed({ _tag: "kind", share: { kind: name, share, lasting } })
}

/** The faults that a `--faults` text asks for (`faultsHelp` has the grammar), or what is wrong with it. */
export const parseFaults = (spec: string): Result.Result<Faults, Problem> =>
  Result.gen(function* () {
    const parts: Array<Part> = []
    for (const text of spec.split(",")) parts.push(yield* readPart(text.trim()))
    const own = parts.flatMap((part) => (part._tag === "kind" ? [part.share] : []))
    const twice = own.find(({ kind, lasting }, index) =>
      own.some((other, at) => at < index && other.kind === kind && other.lasting === lasting)
    )
    if (twice !== undefined) return yield* Result.fail(problem(twice.kind, "each kind once"))
    const named = new Set(own.map(({ kind }) => kind))
    const shares = [...own]
    for (const part of parts) {
      if (part._tag !== "group") continue
      const free = groups[part.group].filter((kind) => !named.has(kind))
      if (free.length === 0) return yield* Result.fail(problem(part.group, "a group with kinds that are not named"))
      for (const kind of free)
        shares.push({ kind, share: part.share / free.length, lasting: natureOf(kind) === "lasting" })
    }
    for (const batch of [false, true]) {
      const total = shares.reduce(
        (sum, { kind, share }) => ((natureOf(kind) === "batch") === batch ? sum + share : sum),
        0
      )
      if (total > 1 + 1e-9) {
        return yield* Result.fail(
          problem(`${+(total * 100).toFixed(2)}% in all`, "shares that come to 100% or less together")
        )
      }
    }
    return { shares, windows: parts.flatMap((part) => (part._tag === "window" ? [part.window] : [])) }
  })

export interface Drawing {
  readonly seed: number
  /** What is asked, as a hash. */
  readonly identity: string
  /** How many times it was let in before. */
  readonly attempt: number
  /** Passing faults in a row for one request, after which it is answered. */
  readonly atMost: number
}

const pick = (shares: ReadonlyArray<Share>, draw: number): FaultKind | undefined => {
  let left = draw
  for (const { kind, share } of shares) {
    left -= share
    if (left < 0) return kind
  }
  return undefined
}

const total = (shares: ReadonlyArray<Share>) => shares.reduce((sum, { share }) => sum + share, 0)

const draw = (shares: ReadonlyArray<Share>, { seed, identity, attempt, atMost }: Drawing): FaultKind | undefined => {
  if (shares.length === 0) return undefined
  const lasting = shares.filter((share) => share.lasting)
  const always = pick(lasting, uniform(seed, "lasting fault", identity))
  if (always !== undefined) return always
  // Whatever was drawn before: at most that many in a row, as a function of this attempt alone.
  if (attempt % (atMost + 1) === atMost) return undefined
  // Drawn only where no lasting fault is, so the shares of the rest are of that rest.
  const rest = 1 - total(lasting)
  return pick(
    shares.filter((share) => !share.lasting),
    uniform(seed, "passing fault", identity, attempt) * rest
  )
}

/** The fault of one attempt at one request, undefined for none: a pure function of what is drawn for. */
export const faultOf = ({ shares }: Faults, drawing: Drawing): FaultKind | undefined =>
  draw(
    shares.filter(({ kind }) => natureOf(kind) !== "batch"),
    drawing
  )

/** The same for a batch as a whole. */
export const batchFaultOf = ({ shares }: Faults, drawing: Drawing): FaultKind | undefined =>
  draw(
    shares.filter(({ kind }) => natureOf(kind) === "batch"),
    drawing
  )

/** The fault of this time, of kinds for single requests or of those for whole batches. */
export const windowAt = ({ windows }: Faults, elapsedMs: number, batch: boolean = false): FaultKind | undefined =>
  windows
    .filter(({ fromMs, untilMs }) => fromMs <= elapsedMs && elapsedMs < untilMs)
    .flatMap(({ kind }) => (kind !== "outage" && (natureOf(kind) === "batch") === batch ? [kind] : []))[0]

/** When the port is closed, in order of time. */
export const outagesOf = ({ windows }: Faults): ReadonlyArray<Window> =>
  windows.filter(({ kind }) => kind === "outage").toSorted((a, b) => a.fromMs - b.fromMs)
