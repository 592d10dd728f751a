/**
 * The rule-cover workload as a task of the engine proper: an additive landscape of 64 rules, with an in-process judge
 * and reflector. Its description, and published optimisers' figures on it, are kept with the project's references.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { candidateId } from "../../src/domain/Candidate.ts"
import type { Item, ItemSet } from "../../src/domain/Item.ts"
import type { Outcome } from "../../src/domain/Judgement.ts"
import { mulberry32 } from "../../src/domain/Random.ts"
import type { PartName } from "../../src/domain/Split.ts"
import { Judge } from "../../src/judge/Judge.ts"
import type { Task } from "../../src/optimise/engine.ts"
import { Reflector } from "../../src/optimise/Reflector.ts"
import { closingMarker, openingMarker } from "../../src/optimise/reflectionPrompt.ts"

const rules = 64

interface Rules {
  readonly required: ReadonlyArray<number>
  readonly forbidden: ReadonlyArray<number>
}

export const instances = (count: number, seed: number): ReadonlyArray<Rules> => {
  const next = mulberry32(seed)
  const draw = (size: number, not: ReadonlyArray<number>) => {
    const drawn: Array<number> = []
    while (drawn.length < size) {
      const rule = Math.floor(next() * rules)
      if (!drawn.includes(rule) && !not.includes(rule)) drawn.push(rule)
    }
    return drawn.sort((a, b) => a - b)
  }
  return Array.from({ length: count }, () => {
    const required = draw(6, [])
    return { required, forbidden: draw(2, required) }
  })
}

const rulesOf = (text: string): ReadonlySet<number> =>
  new Set([...text.matchAll(/RULE (\d+)/g)].map(([, rule]) => Number(rule)))
const render = (chosen: Iterable<number>) =>
  `You are a judge.\n${[...chosen]
    .sort((a, b) => a - b)
    .map((rule) => `RULE ${rule}`)
    .join("\n")}`

const itemSet = <P extends PartName>(prefix: string, all: ReadonlyArray<Rules>): ItemSet<P> => {
  const items = all.map((_, index) => {
    const id = `${prefix}${index}`
    return { id, key: id, consultation: id, transcript: null, note: id } as unknown as Item<P>
  })
  return { items, pairs: [], instances: items.map(({ id }, item) => ({ kind: "clean", id, item })) }
}

/** Counts the milliseconds spent inside the judge and the reflector, which are not the engine's. */
export const ruleCover = (options: { acceptance: number; iterations: number; seed: number }) => {
  const train = instances(60, 1)
  const acceptance = instances(options.acceptance, 2)
  const byId = new Map<string, Rules>([
    ...train.map((rule, index) => [`t${index}`, rule] as const),
    ...acceptance.map((rule, index) => [`a${index}`, rule] as const)
  ])
  const clock = { outside: 0, judged: 0 }
  const timed = <A>(work: () => A): A => {
    const start = performance.now()
    const result = work()
    clock.outside += performance.now() - start
    return result
  }
  const judge = Layer.succeed(
    Judge,
    Judge.of({
      evaluate: (instructions, items) =>
        Effect.sync(() =>
          timed(() => {
            const chosen = rulesOf(instructions["judge"]!)
            clock.judged += items.length
            return Object.fromEntries(
              items.map(({ id }): [string, Outcome] => {
                const { forbidden, required } = byId.get(id)!
                const missing = required.filter((rule) => !chosen.has(rule))
                const bad = forbidden.filter((rule) => chosen.has(rule))
                const score = Math.max(0, (6 - missing.length - 0.5 * bad.length) / 6)
                return [id, { _tag: "scored", score, reason: `MISSING: ${missing.join(",")}; BAD: ${bad.join(",")}` }]
              })
            )
          })
        )
    })
  )
  let calls = 0
  const numbers = (text: string, label: string) =>
    [
      ...new Set(
        [...text.matchAll(new RegExp(`${label}: ([\\d,]*)`, "g"))].flatMap(([, list]) =>
          list!.split(",").filter(Boolean).map(Number)
        )
      )
    ].sort((a, b) => a - b)
  const reflector = Layer.succeed(
    Reflector,
    Reflector.of({
      reflect: ([message]) =>
        Effect.sync(() =>
          timed(() => {
            const n = calls++
            const text = message!.content
            const chosen = new Set(
              rulesOf(/<current_instruction>\n([\s\S]*?)\n<\/current_instruction>/.exec(text)![1]!)
            )
            const missing = numbers(text, "MISSING")
            const bad = numbers(text, "BAD")
            if (n % 3 === 2 || missing.length === 0) {
              if (chosen.size > 0) chosen.delete(Math.min(...chosen))
              chosen.add((n * 7) % rules)
            } else {
              chosen.add(missing[n % missing.length]!)
              if (bad.length > 0) chosen.delete(bad[0]!)
            }
            return {
              kind: "answered" as const,
              finish: "stop" as const,
              text: `Here it is.\n${openingMarker}\n${render(chosen)}\n${closingMarker}\n`
            }
          })
        )
    })
  )
  const instructions = { judge: render([]) }
  const seed = {
    id: candidateId(instructions),
    name: "seed",
    origin: "seed",
    parents: [],
    iteration: 0,
    instructions
  } as const
  const task: Task = {
    settings: {
      campaign: "rule-cover",
      models: { judge: "in-process", reflection: "in-process" },
      judge: { design: "whole-note-score", samples: 1 },
      objective: { primary: { measure: "paired-discrimination" } },
      search: { minibatch: { notes: 3, consultations: 3 }, maxInstructionLength: 6000, seed: options.seed },
      split: "",
      prompt: "",
      seeds: [seed.id]
    },
    train: itemSet("t", train),
    acceptance: itemSet("a", acceptance),
    seeds: [seed],
    contracts: { judge: "" },
    modules: ["judge"],
    scale: { max: 1, margin: 1 },
    limits: { iterations: options.iterations, stall: Number.MAX_SAFE_INTEGER, brokenAfter: 5 }
  }
  return { task, layer: Layer.merge(judge, reflector), clock }
}
