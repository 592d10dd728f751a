/**
 * A landscape with a planted best instruction, for the engine proper, with an in-process judge and reflector. Its rules:
 *
 * - There are 12 kinds of error, in families of 3 or 4. A consultation has a clean note and three flawed ones, of kinds drawn
 *   evenly. A flawed note that is caught scores 4 points below its twin, else the same. One answer in 20 is the wrong way
 *   round, fixed by instruction and note, as a judge at temperature 0 errs.
 * - An instruction is a list of rules. The *precise* rule of a kind catches all notes of that kind. The *crude* rule of a
 *   family catches a share of the notes of each of its kinds, the same ones every time. Where both rules apply to a note they
 *   contradict each other, and it is caught one time in four; in the open terrain they do not, and the precise one holds.
 *   *Idle* rules catch nothing; every rule beyond 14 costs a 20th of what is caught.
 * - The planted best instruction has the 12 precise rules and nothing else: it catches everything. The seed has the crude
 *   rules and nothing else, as campaigns start from general instructions (in the blank terrain it has no rule). From there,
 *   one precise rule in the place of its family's crude one gains 1 and loses all that the crude one caught: in the shallow
 *   terrain (families of 3, of which it catches a half) two at once are a gain, in the deep one (families of 4, of which it
 *   catches three fifths) only three are.
 * - The reflector sees the traces alone, as a model does: it reads which kinds were missed. It writes the precise rule of one
 *   of them or two, taking the crude rule of the family out half of the time when that is there; or, where two missed kinds
 *   share a family and nothing is written for it yet, half of the time the crude rule. It forgets another rule three times in
 *   ten, and adds an idle rule two times in ten. Asked to merge, it takes all rules of both, goes by the shown pairs where
 *   they contradict each other in a family, and forgets and adds as before.
 *
 * What is counted: distinct pairs of instruction and note that the judge was asked about, as the judgement store buys them,
 * on the minibatches and on the acceptance part. What is asked: how many until the best candidate of the run (as the
 * engine names it, by noisy answers on the acceptance part) truly catches, without noise, 95 % of what the planted one does.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { searchDefaults } from "../../src/domain/Campaign.ts"
import { type Candidate, candidateId } from "../../src/domain/Candidate.ts"
import type { Instance, Item, ItemPair, ItemSet } from "../../src/domain/Item.ts"
import type { Outcome } from "../../src/domain/Judgement.ts"
import { type Name, uniform } from "../../src/domain/Random.ts"
import type { PartName } from "../../src/domain/Split.ts"
import { Judge } from "../../src/judge/Judge.ts"
import type { Task } from "../../src/optimise/engine.ts"
import { Reflector } from "../../src/optimise/Reflector.ts"
import { closingMarker, openingMarker } from "../../src/optimise/reflectionPrompt.ts"

const kinds = 12
const roomFor = 14
const idleRules = 40
const noise = 0.05

/** How the kinds are grouped, and how good the crude rules are. */
export interface Terrain {
  readonly name: string
  readonly perFamily: number
  /** Share of a kind's notes that its family's crude rule catches. */
  readonly crude: number
  /** Share of them that is caught where the precise and the crude rule apply both. */
  readonly both: number
  /** Whether the seed has the crude rules. */
  readonly general: boolean
}

export const terrains = {
  open: { name: "open: rules do not contradict each other", perFamily: 3, crude: 0.5, both: 1, general: true },
  shallow: { name: "shallow: two right steps at once lead out", perFamily: 3, crude: 0.5, both: 0.25, general: true },
  deep: { name: "deep: three right steps at once lead out", perFamily: 4, crude: 0.6, both: 0.25, general: true },
  blank: { name: "blank: as shallow, from a seed without a rule", perFamily: 3, crude: 0.5, both: 0.25, general: false }
} as const satisfies Readonly<Record<string, Terrain>>

const familyOf = (kind: number, { perFamily }: Terrain): number => Math.floor(kind / perFamily)
const familiesOf = ({ perFamily }: Terrain): ReadonlyArray<number> =>
  Array.from({ length: kinds / perFamily }, (_, family) => family)
export const precise = (kind: number): string => `precise ${kind}`
export const crude = (family: number): string => `crude ${family}`

export type Rules = ReadonlySet<string>

export const rulesText = (rules: Rules): string =>
  `Judge the note.\n${[...rules]
    .sort()
    .map((rule) => `RULE ${rule}`)
    .join("\n")}`
const readRules = (text: string): Rules => new Set([...text.matchAll(/^RULE (.+)$/gm)].map(([, rule]) => rule!))

export const planted: Rules = new Set(Array.from({ length: kinds }, (_, kind) => precise(kind)))

/** The chance, fixed by note, that the rules catch a note of the kind; `draw` is the note's own. */
const catches = (rules: Rules, kind: number, note: string, terrain: Terrain): boolean => {
  const [one, all] = [rules.has(precise(kind)), rules.has(crude(familyOf(kind, terrain)))]
  const draw = uniform(0, "catch", note)
  const caught = one ? draw < (all ? terrain.both : 1) : all && draw < terrain.crude
  const diluted = uniform(0, "dilution", note) < Math.max(0, rules.size - roomFor) / 20
  return caught && !diluted
}

interface Note {
  readonly kind: number | null
}

const consultations = <P extends PartName>(part: string, count: number, seed: number, notes: Map<string, Note>) => {
  const items: Array<Item<P>> = []
  const pairs: Array<ItemPair> = []
  const instances: Array<Instance> = []
  const item = (consultation: string, name: string, kind: number | null): number => {
    const id = `${consultation}/${name}`
    notes.set(id, { kind })
    return items.push({ id, key: id, consultation, transcript: null, note: id } as unknown as Item<P>) - 1
  }
  for (let c = 0; c < count; c++) {
    const consultation = `${part}${seed}.${c}`
    const clean = item(consultation, "clean", null)
    instances.push({ kind: "clean", id: items[clean]!.id, item: clean })
    for (let f = 0; f < 3; f++) {
      const kind = Math.floor(uniform(seed, part, c, f) * kinds)
      const flawed = item(consultation, `flawed${f}`, kind)
      const id = `${consultation}/p${f}`
      pairs.push({ id, consultation, flawed, clean, class: "omission", fact: `kind ${kind}.`, residual: [] })
      instances.push({ kind: "flawed", id, item: flawed, twin: clean, pair: pairs.length - 1 })
    }
  }
  return { items, pairs, instances } satisfies ItemSet<P>
}

/** Where the reflector's thoughts come from: a draw by the run's seed, the iteration and the name of the thought. */
type Thought = (...names: ReadonlyArray<Name>) => number

const careless = (rules: Set<string>, kept: ReadonlyArray<string>, think: Thought): Rules => {
  const others = [...rules].filter((rule) => !kept.includes(rule)).sort()
  if (others.length > 0 && think("forgets") < 0.3) rules.delete(others[Math.floor(think("which") * others.length)]!)
  if (think("idles") < 0.2) rules.add(`idle ${Math.floor(think("idle") * idleRules)}`)
  return rules
}

const reflect = (prompt: string, think: Thought, terrain: Terrain): Rules => {
  const rules = new Set(readRules(/<current_instruction>\n([\s\S]*?)\n<\/current_instruction>/.exec(prompt)![1]!))
  const missed = [...prompt.matchAll(/<trace [^>]*verdict="wrong">[\s\S]*?<\/trace>/g)].flatMap(([trace]) =>
    [...(/Missing fact: kind (\d+)\./.exec(trace)?.slice(1) ?? [])].map(Number)
  )
  const open = [...new Set(missed)].sort((a, b) => think("order", a) - think("order", b))
  const [first, second] = open
  if (first === undefined) return careless(rules, [], think)
  const family = familyOf(first, terrain)
  const shared = open.filter((kind) => familyOf(kind, terrain) === family).length > 1
  const written =
    rules.has(crude(family)) || open.some((kind) => familyOf(kind, terrain) === family && rules.has(precise(kind)))
  if (shared && !written && think("crude") < 0.5) return careless(rules.add(crude(family)), [crude(family)], think)
  const chosen = second !== undefined && think("two") < 0.5 ? [first, second] : [first]
  for (const kind of chosen) {
    if (think("replaces", kind) < 0.5) rules.delete(crude(familyOf(kind, terrain)))
    rules.add(precise(kind))
  }
  return careless(rules, chosen.map(precise), think)
}

const merge = (prompt: string, think: Thought, terrain: Terrain): Rules => {
  const read = (name: string) =>
    readRules(new RegExp(`<${name}_instruction>\n([\\s\\S]*?)\n</${name}_instruction>`).exec(prompt)![1]!)
  const [first, second] = [read("first"), read("second")]
  const right = (family: number, side: string): number =>
    [...prompt.matchAll(/<pair [^>]*right="(first|second)">\n[\s\S]*?Missing fact: kind (\d+)\./g)].filter(
      ([, of, kind]) => of === side && familyOf(Number(kind), terrain) === family
    ).length
  const rules = new Set([...first, ...second])
  for (const family of familiesOf(terrain)) {
    const mine = (rule: string) =>
      rule === crude(family) || (/^precise/.test(rule) && familyOf(Number(rule.slice(8)), terrain) === family)
    const contradict = rules.has(crude(family)) && [...rules].some((rule) => rule !== crude(family) && mine(rule))
    if (!contradict) continue
    const [a, b] = [right(family, "first"), right(family, "second")]
    const from = a === b ? (think("side", family) < 0.5 ? first : second) : a > b ? first : second
    for (const rule of [...rules]) if (mine(rule) && !from.has(rule)) rules.delete(rule)
  }
  return careless(rules, [], think)
}

export interface OptimumOptions {
  readonly seed: number
  readonly terrain: Terrain
  readonly search?: Partial<Pick<Task["settings"]["search"], "merge" | "selector" | "frontier">>
  /** Writes rules at random in the place of what the traces call for. */
  readonly blind?: boolean
  readonly iterations?: number
}

const asked = (texts: ReadonlyArray<string>): string => texts.join("\n\n")

/** The landscape as a task, with the judge that it counts, and the truth about an instruction. */
export const optimumTask = (options: OptimumOptions) => {
  const { seed, terrain } = options
  const notes = new Map<string, Note>()
  const train = consultations<"train">("t", 30, seed, notes)
  const acceptance = consultations<"acceptance">("a", 20, seed, notes)
  const bought = new Set<string>()
  const quality = (rules: Rules): number =>
    acceptance.pairs.filter(({ flawed }) => {
      const { id } = acceptance.items[flawed]!
      return catches(rules, notes.get(id)!.kind!, id, terrain)
    }).length / acceptance.pairs.length
  const judge = Judge.of({
    evaluate: (instructions, items) =>
      Effect.sync(() => {
        const text = instructions["judge"]!
        const rules = readRules(text)
        return Object.fromEntries(
          items.map(({ id }): [string, Outcome] => {
            bought.add(`${id}\n${text}`)
            const { kind } = notes.get(id)!
            const caught = kind !== null && catches(rules, kind, id, terrain)
            const wrong = kind !== null && uniform(seed, "noise", text, id) < noise
            return [id, { _tag: "scored", score: caught === wrong ? 8 : 4 }]
          })
        )
      })
  })
  const think =
    (iteration: number): Thought =>
    (...names) =>
      uniform(seed, "thought", iteration, ...names)
  const blindly = (prompt: string, thought: Thought): Rules => {
    const current = /<(?:current|first)_instruction>\n([\s\S]*?)\n<\//.exec(prompt)![1]!
    const rules = new Set(readRules(current))
    const all = [...planted, ...familiesOf(terrain).map(crude)]
    const rule = all[Math.floor(thought("blind") * all.length)]!
    if (rules.has(rule)) rules.delete(rule)
    else rules.add(rule)
    return careless(rules, [rule], thought)
  }
  const reflector = Reflector.of({
    reflect: (messages, use) =>
      Effect.sync(() => {
        const prompt = asked(messages.map(({ content }) => content))
        const thought = think(use.iteration)
        const how = options.blind === true ? blindly : use.merge === true ? merge : reflect
        const text = `${openingMarker}\n${rulesText(how(prompt, thought, terrain))}\n${closingMarker}\n`
        return { kind: "answered", finish: "stop", text } as const
      })
  })
  const instructions = { judge: rulesText(new Set(terrain.general ? familiesOf(terrain).map(crude) : [])) }
  const start: Candidate = {
    id: candidateId(instructions),
    name: "seed",
    origin: "seed",
    parents: [],
    iteration: 0,
    instructions
  }
  const { maxInstructionLength, minibatch } = searchDefaults
  const task: Task = {
    settings: {
      campaign: "planted optimum",
      models: { judge: "in-process", reflection: "in-process" },
      judge: { design: "whole-note-score", samples: 1 },
      objective: { primary: { measure: "paired-discrimination" } },
      search: { minibatch, maxInstructionLength, seed, merge: searchDefaults.merge, ...options.search },
      split: "",
      prompt: "",
      seeds: [start.id]
    },
    train,
    acceptance,
    seeds: [start],
    contracts: {},
    modules: ["judge"],
    limits: {
      iterations: options.iterations ?? 400,
      stall: Number.MAX_SAFE_INTEGER,
      brokenAfter: Number.MAX_SAFE_INTEGER
    }
  }
  return {
    task,
    layer: Layer.merge(Layer.succeed(Judge, judge), Layer.succeed(Reflector, reflector)),
    /** Distinct judge calls so far. */
    calls: () => bought.size,
    /** What share of the acceptance part's flawed notes an instruction truly catches. */
    qualityOf: (text: string) => quality(readRules(text)),
    optimum: quality(planted)
  }
}

/** A random instruction: each precise and each crude rule with an even chance. */
export const randomRules = (terrain: Terrain, seed: number, number: number): string =>
  rulesText(
    new Set(
      [...planted, ...familiesOf(terrain).map(crude)].filter(
        (rule) => uniform(seed, "random rules", number, rule) < 0.5
      )
    )
  )
