import * as Effect from "effect/Effect"
import { type Candidate, candidateId, type Instructions } from "../../domain/Candidate.ts"
import { InputError, inputError, type Problem, showValue } from "../../domain/InputError.ts"
import { designOf } from "../../judge/designs/registry.ts"
import { inheritedFrozen } from "../../optimise/frozen.ts"
import type { EventOf } from "../../optimise/Journal.ts"
import { textGrams } from "../../optimise/proposals.ts"
import type { RunState } from "../../optimise/RunState.ts"
import { checkInstruction } from "../../optimise/readReflection.ts"
import type { Remark } from "../../optimise/remarks.ts"
import { candidateNamed } from "../members.ts"
import type { Prepared } from "../prepare.ts"
import { parseSeed, type Seed } from "../seeds.ts"
import { type HeldRun, say } from "./holdRun.ts"

/** A text that a person wrote: an instruction, or a seed file with front matter, and the name it goes by in messages. */
export interface Written {
  readonly text: string
  readonly file: string
}

/** Reads a text for one of the modules: of several the one that its front matter names. */
const read = ({ campaign }: Prepared, modules: ReadonlyArray<string>, { file, text }: Written) => {
  const whole = designOf(campaign.judge)
  const design = { name: whole.name, modules: whole.modules.filter(({ name }) => modules.includes(name)) }
  const { problems, seed } = parseSeed(text.replace(/\r\n?/g, "\n"), file, "candidate", design)
  return problems.length === 0 ? Effect.succeed(seed) : Effect.fail(new InputError({ problems }))
}

/** What keeps the new instruction of a module from being tried, by the rules that bind the reflector. */
const refusals = (
  { state }: HeldRun,
  { task }: Prepared,
  { file, instruction }: Pick<Seed, "file" | "instruction">,
  candidate: { readonly of: Candidate; readonly module: string }
): ReadonlyArray<Problem> => {
  const { rejected } = checkInstruction(instruction, {
    lengthLimit: task.settings.search.maxInstructionLength,
    pool: state.taken(candidate.of, candidate.module),
    frozen: candidate.of.frozen?.[candidate.module] ?? [],
    ...textGrams(task)
  })
  return rejected === null
    ? []
    : [{ file, what: `the instruction is refused (${rejected.reason}): ${rejected.detail}` }]
}

const born = Effect.fnUntraced(function* (
  held: HeldRun,
  made: Pick<Candidate, "instructions" | "parents" | "frozen">,
  said: Remark
) {
  const { state } = held
  const candidate: Candidate = {
    id: candidateId(made.instructions),
    name: `c${state.births + 1}`,
    origin: "human",
    iteration: state.iteration,
    ...made
  }
  const event: EventOf<"added"> = { _tag: "added", candidate, ...said }
  yield* say(held, event)
  return { event, candidate }
})

/** The modules of the run's judge that evolve. */
const modulesOf = ({ members, settings }: RunState): ReadonlyArray<string> =>
  settings?.modules ?? Object.keys(members[0]!.candidate.instructions)

/** The module that is meant: the only one that evolves, if none is named. */
export const moduleOf = (state: RunState, asked: string | undefined, field: string) => {
  const modules = modulesOf(state)
  const module = asked ?? (modules.length === 1 ? modules[0] : undefined)
  if (module !== undefined && modules.includes(module)) return Effect.succeed(module)
  return Effect.fail(
    inputError({
      field,
      what:
        asked === undefined
          ? "the judge has several modules that evolve: which one is meant?"
          : "the judge has no such module that evolves",
      ...(asked === undefined ? {} : { found: showValue(asked) }),
      expected: modules.join(", ")
    })
  )
}

/** Adds a candidate with the edited instruction in the place of its parent's. Frozen passages must stay. */
export const addEdited = Effect.fn("addEdited")(function* (
  held: HeldRun,
  prepared: Prepared,
  edit: Remark & { readonly candidate: string; readonly module: string; readonly written: Written }
) {
  const { author, module, reason, written } = edit
  const parent = yield* candidateNamed(held.state, edit.candidate, "candidate")
  const seed = yield* read(prepared, [module], written)
  const problems = refusals(held, prepared, seed, { of: parent, module })
  if (problems.length > 0) return yield* new InputError({ problems })
  const inherited = inheritedFrozen([parent]).frozen ?? {}
  const passages = [...new Set([...(inherited[module] ?? []), ...(seed.frozen ?? [])])]
  const frozen = { ...inherited, ...(passages.length === 0 ? {} : { [module]: passages }) }
  const made = {
    parents: [parent.id],
    instructions: { ...parent.instructions, [module]: seed.instruction },
    ...(Object.keys(frozen).length === 0 ? {} : { frozen })
  }
  return yield* born(held, made, { author, reason })
})

/** Adds a candidate written by hand: one text for each module that evolves. The others are as they are in all candidates. */
export const addWritten = Effect.fn("addWritten")(function* (
  held: HeldRun,
  prepared: Prepared,
  texts: ReadonlyArray<Written>,
  said: Remark
) {
  const modules = modulesOf(held.state)
  const seeds = yield* Effect.forEach(texts, (written) => read(prepared, modules, written))
  const problems: Array<Problem> = seeds.flatMap(({ file, module }, at) =>
    seeds.findIndex((other) => other.module === module) === at
      ? []
      : [
          {
            file,
            field: "module",
            what: "another of the files is for the same module",
            found: showValue(module),
            hint: "Give one file for each module; one candidate is added at a time"
          }
        ]
  )
  const missing = modules.filter((module) => !seeds.some((seed) => seed.module === module))
  if (missing.length > 0) {
    problems.push({
      what: `the candidate has no instruction for ${missing.map((name) => `the module ${name}`).join(" and ")}`,
      hint: "Give one file for each module that evolves; the front matter says which: module: NAME"
    })
  }
  if (problems.length > 0) return yield* new InputError({ problems })
  const instructions: Instructions = {
    ...held.state.members[0]!.candidate.instructions,
    ...Object.fromEntries(seeds.map(({ instruction, module }) => [module, instruction]))
  }
  const frozen = Object.fromEntries(
    seeds.flatMap(({ frozen, module }) => (frozen === undefined ? [] : [[module, frozen] as const]))
  )
  const made = { parents: [], instructions, ...(Object.keys(frozen).length === 0 ? {} : { frozen }) }
  const of: Candidate = { id: candidateId(instructions), name: "new", origin: "human", iteration: 0, ...made }
  const refused = seeds.flatMap((seed) => refusals(held, prepared, seed, { of, module: seed.module }))
  if (refused.length > 0) return yield* new InputError({ problems: refused })
  return yield* born(held, made, said)
})
