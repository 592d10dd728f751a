/**
 * What racing saves and loses: searches on a synthetic task, where a judge notices a kind of flaw if its instruction names
 * it, with and without `search.racing`, over seeds. Prints notes judged on the acceptance part, and what was found.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { candidateId } from "../../src/domain/Candidate.ts"
import type { Instance, Item, ItemPair, ItemSet } from "../../src/domain/Item.ts"
import type { Outcome } from "../../src/domain/Judgement.ts"
import { uniform } from "../../src/domain/Random.ts"
import type { PartName } from "../../src/domain/Split.ts"
import { Judge } from "../../src/judge/Judge.ts"
import { runSearch, type Task } from "../../src/optimise/engine.ts"
import { Reflector } from "../../src/optimise/Reflector.ts"
import { closingMarker, openingMarker } from "../../src/optimise/reflectionPrompt.ts"

const kinds = 24
const seeds = 20
const iterations = 40

/** Consultations with a clean note and three omissions, each of a kind. */
const itemSet = <P extends PartName>(part: string, consultations: number): ItemSet<P> => {
  const items: Array<Item<P>> = []
  const pairs: Array<ItemPair> = []
  const instances: Array<Instance> = []
  for (let c = 0; c < consultations; c++) {
    const consultation = `${part}${c}`
    const add = (id: string, note: string) =>
      items.push({ id, key: id, consultation, transcript: null, note } as unknown as Item<P>) - 1
    const clean = add(`${consultation}/clean`, "clean")
    instances.push({ kind: "clean", id: `${consultation}/clean`, item: clean })
    for (let flaw = 0; flaw < 3; flaw++) {
      const kind = Math.floor(uniform(1, part, c, flaw) ** 1.5 * kinds)
      const flawed = add(`${consultation}/f${flaw}`, `lacks kind ${kind};`)
      const id = `${consultation}/p${flaw}`
      pairs.push({ id, consultation, flawed, clean, class: "omission", fact: `kind ${kind};`, residual: [] })
      instances.push({ kind: "flawed", id, item: flawed, twin: clean, pair: pairs.length - 1 })
    }
  }
  return { items, pairs, instances }
}

const train = itemSet<"train">("t", 20)
const acceptance = itemSet<"acceptance">("a", 20)
const namedIn = (text: string) => new Set([...text.matchAll(/kind \d+;/g)].map(([kind]) => kind))

/** Naming a kind makes its flaw noticed, most of the time; every kind that is named makes the judge a little noisier. */
const scoreOf = (instruction: string, { note, id }: Item): number => {
  const named = namedIn(instruction)
  const kind = /kind \d+;/.exec(note)?.[0]
  const noticed = kind !== undefined && named.has(kind) && uniform(7, instruction, id) < 0.9
  const noise = (uniform(8, instruction, id) - 0.5) * (1 + named.size * 0.15)
  return Math.round((noticed ? 4 : 8) * 2 + noise * 2) / 2
}

const workers = (seed: number, judged: { acceptance: number; train: number }) =>
  Layer.merge(
    Layer.succeed(
      Judge,
      Judge.of({
        evaluate: (instructions, items) =>
          Effect.sync(() => {
            for (const { id } of items) judged[id.startsWith("a") ? "acceptance" : "train"]++
            return Object.fromEntries(
              items.map((item): [string, Outcome] => [
                item.id,
                { _tag: "scored", score: scoreOf(instructions["judge"]!, item) }
              ])
            )
          })
      })
    ),
    Layer.succeed(
      Reflector,
      Reflector.of({
        reflect: ([message], { iteration }) =>
          Effect.sync(() => {
            const text = message!.content
            const both = ["current", "first", "second"].map(
              (name) => new RegExp(`<${name}_instruction>\n([\\s\\S]*?)\n</${name}_instruction>`).exec(text)?.[1] ?? ""
            )
            const named = namedIn(both.join(" "))
            const missed = [...text.matchAll(/verdict="wrong">[\s\S]*?Missing fact: (kind \d+;)/g)].map(
              ([, kind]) => kind!
            )
            if (missed.length > 0) named.add(missed[Math.floor(uniform(seed, "pick", iteration) * missed.length)]!)
            if (uniform(seed, "slip", iteration) < 0.3) named.delete([...named][0] ?? "")
            const answer = `Look for ${[...named].sort().join(" ")}`
            return {
              kind: "answered" as const,
              finish: "stop" as const,
              text: `${openingMarker}\n${answer}\n${closingMarker}`
            }
          })
      })
    )
  )

const once = async (seed: number, racing: boolean) => {
  const judged = { acceptance: 0, train: 0 }
  const instructions = { judge: "Look for flaws" }
  const start = {
    id: candidateId(instructions),
    name: "seed",
    origin: "seed",
    parents: [],
    iteration: 0,
    instructions
  } as const
  const task: Task = {
    settings: {
      campaign: "racing",
      models: { judge: "in-process", reflection: "in-process" },
      judge: { design: "whole-note-score", samples: 1 },
      objective: { primary: { measure: "paired-discrimination" } },
      search: {
        minibatch: { notes: 12, consultations: 4 },
        maxInstructionLength: 6000,
        seed,
        merge: { after: 6, atMost: 4 },
        ...(racing ? { racing } : {})
      },
      split: "",
      prompt: "",
      seeds: [start.id]
    },
    train,
    acceptance,
    seeds: [start],
    contracts: { judge: "" },
    modules: ["judge"],
    limits: { iterations, stall: Number.MAX_SAFE_INTEGER, brokenAfter: 5 }
  }
  const state = await Effect.runPromise(
    runSearch(task, { sink: { logged: [], append: () => Effect.void } }).pipe(Effect.provide(workers(seed, judged)))
  )
  return { judged, primary: state.winner!.figures.primary!, raced: state.raced.length, pool: state.members.length }
}

const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
const runs = { off: [] as Array<Awaited<ReturnType<typeof once>>>, on: [] as Array<Awaited<ReturnType<typeof once>>> }
for (let seed = 1; seed <= seeds; seed++) {
  runs.off.push(await once(seed, false))
  runs.on.push(await once(seed, true))
}
console.log(`racing, ${seeds} seeds of ${iterations} iterations, 80 acceptance notes in 60 pairs; medians`)
console.log("racing  acceptance notes judged  train notes judged  pool  cut short  winner's paired discrimination")
for (const [name, all] of Object.entries(runs)) {
  const of = (value: (run: (typeof all)[number]) => number) => median(all.map(value))
  console.log(
    `${name.padEnd(6)}  ${String(of(({ judged }) => judged.acceptance)).padStart(23)}  ${String(of(({ judged }) => judged.train)).padStart(18)}  ${String(of(({ pool }) => pool)).padStart(4)}  ${String(of(({ raced }) => raced)).padStart(9)}  ${of(({ primary }) => primary).toFixed(4)}`
  )
}
const saved = runs.on.map(({ judged }, at) => 1 - judged.acceptance / runs.off[at]!.judged.acceptance)
const gained = runs.on.map(({ primary }, at) => primary - runs.off[at]!.primary)
const count = (holds: (value: number) => boolean) => gained.filter(holds).length
console.log(
  `saved on acceptance: median ${(median(saved) * 100).toFixed(0)} %; winner better ${count((gain) => gain > 1e-9)}, same ${count((gain) => Math.abs(gain) <= 1e-9)}, worse ${count((gain) => gain < -1e-9)} of ${seeds} (median difference ${median(gained).toFixed(4)})`
)
