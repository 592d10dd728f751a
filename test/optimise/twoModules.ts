import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { candidateId } from "../../src/domain/Candidate.ts"
import type { Item } from "../../src/domain/Item.ts"
import type { Finding, Outcome } from "../../src/domain/Judgement.ts"
import { Judge } from "../../src/judge/Judge.ts"
import type { Task } from "../../src/optimise/engine.ts"
import { itemSet, skillOf, taskOf } from "./support.ts"

/** A candidate of a judge in two stages. */
export const pair = (extract: string, check: string, name = "seed") => {
  const instructions = { extract, check }
  return { id: candidateId(instructions), name, origin: "seed", parents: [], iteration: 0, instructions } as const
}

const flaws = Array.from({ length: 4 }, () => ({ class: "omission", trace: "complete" }) as const)

export const twoModuleTask = (options: Parameters<typeof taskOf>[0] = {}): Task => ({
  ...taskOf({
    train: itemSet("t", 6, flaws),
    acceptance: itemSet("a", 5, flaws),
    seeds: [pair("skill 0", "skill 0")],
    ...options
  }),
  modules: ["extract", "check"],
  contracts: { extract: "List the facts.", check: "Say of each fact whether the note has it." }
})

/**
 * Things 0 and 1 are found out by the skill of `extract`, 2 and 3 by that of `check`: the higher, the more consultations.
 * Skill makes it harsher to all notes, so that candidates of less skill still lead on clean ones.
 */
export const twoModuleJudge = (spy?: (items: ReadonlyArray<Item>) => void) =>
  Layer.succeed(
    Judge,
    Judge.of({
      evaluate: (instructions, items) =>
        Effect.sync(() => {
          spy?.(items)
          const skills = { extract: skillOf(instructions["extract"]!), check: skillOf(instructions["check"]!) }
          return Object.fromEntries(
            items.map((item): [string, Outcome] => {
              const flaw = /without thing (\d+)/.exec(item.note)
              const thing = flaw === null ? undefined : Number(flaw[1])
              const module = thing !== undefined && thing >= 2 ? "check" : "extract"
              const difficulty = (Number(item.consultation.slice(1)) * 2 + (thing ?? 0)) % 5
              const found = thing !== undefined && difficulty < skills[module]
              const findings = Array.from(
                { length: 4 },
                (_, at): Finding => ({
                  id: `f${at}`,
                  text: `thing ${at}`,
                  verdict: found && thing === at ? "absent" : "full",
                  severity: "critical"
                })
              )
              const calm = 8 - 0.1 * (skills.extract + skills.check)
              return [item.id, { _tag: "scored", score: found ? calm - 3 : calm, reason: "because", findings }]
            })
          )
        })
    })
  )
