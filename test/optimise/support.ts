import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { candidateId } from "../../src/domain/Candidate.ts"
import type { ErrorClass, Pair } from "../../src/domain/Dataset.ts"
import type { Instance, Item, ItemPair, ItemSet } from "../../src/domain/Item.ts"
import type { Outcome } from "../../src/domain/Judgement.ts"
import type { RunEvent } from "../../src/domain/RunEvent.ts"
import type { PartName } from "../../src/domain/Split.ts"
import { Judge, JudgeBroken } from "../../src/judge/Judge.ts"
import type { Task } from "../../src/optimise/engine.ts"
import { Reflector, ReflectorBroken } from "../../src/optimise/Reflector.ts"
import type { ReflectionReply } from "../../src/optimise/readReflection.ts"
import { closingMarker, openingMarker } from "../../src/optimise/reflectionPrompt.ts"

/** Consultations with one clean note and the given omissions, as item sets. */
export const itemSet = <P extends PartName>(
  part: string,
  consultations: number,
  flawed: ReadonlyArray<{ class: ErrorClass; trace?: Pair["trace"] }>
): ItemSet<P> => {
  const items: Array<Item<P>> = []
  const pairs: Array<ItemPair> = []
  const instances: Array<Instance> = []
  const item = (consultation: string, note: string, text: string) =>
    items.push({
      id: `${consultation}/${note}`,
      key: `${consultation}/${note}`,
      consultation,
      transcript: `talk of ${consultation}`,
      note: text
    } as unknown as Item<P>) - 1
  for (let c = 0; c < consultations; c++) {
    const id = `${part}${c}`
    const clean = item(id, "clean", `note of ${id} with everything that was said`)
    instances.push({ kind: "clean", id: items[clean]!.id, item: clean })
    flawed.forEach((flaw, f) => {
      const at = item(id, `flawed${f}`, `note of ${id} without thing ${f}`)
      pairs.push({
        id: `${id}/p${f}`,
        consultation: id,
        flawed: at,
        clean,
        class: flaw.class,
        ...(flaw.trace === undefined ? {} : { trace: flaw.trace }),
        fact: `thing ${f}`,
        residual: []
      })
      instances.push({ kind: "flawed", id: `${id}/p${f}`, item: at, twin: clean, pair: pairs.length - 1 })
    })
  }
  return { items, pairs, instances }
}

export const seed = (text: string, name = "seed") => {
  const instructions = { judge: text }
  return { id: candidateId(instructions), name, origin: "seed", parents: [], iteration: 0, instructions } as const
}

export const taskOf = (options: {
  train?: ItemSet<"train">
  acceptance?: ItemSet<"acceptance">
  seeds?: Task["seeds"]
  limits?: Partial<Task["limits"]>
  seed?: number
  maxInstructionLength?: number
}): Task => {
  const flaws = [
    { class: "omission", trace: "complete" },
    { class: "omission", trace: "fragment" },
    { class: "omission", trace: "restated" }
  ] as const
  const seeds = options.seeds ?? [seed("skill 0")]
  return {
    settings: {
      campaign: "test",
      models: { judge: "in-process", reflection: "in-process" },
      judge: { design: "whole-note-score", samples: 1 },
      objective: {
        primary: { measure: "paired-discrimination" },
        secondary: { measure: "detection", maxFalseAlarms: 0.1 }
      },
      search: {
        minibatch: { notes: 12, consultations: 4 },
        maxInstructionLength: options.maxInstructionLength ?? 2000,
        seed: options.seed ?? 11
      },
      split: "",
      prompt: "",
      seeds: seeds.map(({ id }) => id)
    },
    train: options.train ?? itemSet("t", 6, flaws),
    acceptance: options.acceptance ?? itemSet("a", 5, flaws),
    seeds,
    contracts: { judge: "Answer with a score." },
    modules: ["judge"],
    limits: { iterations: 10, stall: 100, brokenAfter: 5, ...options.limits }
  }
}

/** A judge whose skill is a number in the instruction: the more skill, the more flawed notes it tells from their twins. */
export const skillOf = (instruction: string): number => Number(/skill (\d+)/.exec(instruction)?.[1] ?? 0)

export const skillScore = (instruction: string, item: Item): number => {
  const flaw = /without thing (\d+)/.exec(item.note)
  if (flaw === null) return 8
  const difficulty = (Number(flaw[1]) * 3 + item.consultation.length + Number(item.consultation.slice(1))) % 7
  return difficulty < skillOf(instruction) ? 5 : 8
}

export const judgeBy = (
  score: (instruction: string, item: Item) => Outcome | number,
  spy?: (items: ReadonlyArray<Item>) => void
) =>
  Layer.succeed(
    Judge,
    Judge.of({
      evaluate: (instructions, items, { again }) =>
        Effect.suspend(() => {
          spy?.(items)
          const outcomes = Object.fromEntries(
            items.map((item): [string, Outcome] => {
              const result = score(instructions["judge"]!, item)
              return [
                item.id,
                typeof result === "number" ? { _tag: "scored", score: result, reason: "because" } : result
              ]
            })
          )
          return again !== true && Object.values(outcomes).every(({ _tag }) => _tag === "failed")
            ? Effect.fail(new JudgeBroken({ message: "all judgements failed" }))
            : Effect.succeed(outcomes)
        })
    })
  )

export const answer = (text: string): ReflectionReply => ({
  kind: "answered",
  finish: "stop",
  text: `Here:\n${openingMarker}\n${text}\n${closingMarker}`
})

export const reflectBy = (reply: (prompt: string, iteration: number) => ReflectionReply | ReflectorBroken) =>
  Layer.succeed(
    Reflector,
    Reflector.of({
      reflect: ([message], { iteration }) =>
        Effect.suspend(() => {
          const result = reply(message!.content, iteration)
          return result instanceof ReflectorBroken ? Effect.fail(result) : Effect.succeed(result)
        })
    })
  )

/** Raises the skill by one, most of the time. */
export const improving = reflectBy((prompt, iteration) => {
  const current = /<current_instruction>\n([\s\S]*?)\n<\/current_instruction>/.exec(prompt)![1]!
  return answer(
    iteration % 3 === 0
      ? `harsher ${iteration} skill ${skillOf(current)}`
      : `attempt ${iteration} skill ${skillOf(current) + 1}`
  )
})

export const memorySink = (events: Array<RunEvent>, logged: ReadonlyArray<RunEvent> = []) => ({
  logged,
  append: (_: number, more: ReadonlyArray<RunEvent>) => Effect.sync(() => void events.push(...more))
})
