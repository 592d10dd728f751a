import * as Effect from "effect/Effect"
import { type Candidate, candidateId } from "../domain/Candidate.ts"
import type { ItemSet } from "../domain/Item.ts"
import type { Outcomes } from "../domain/Judgement.ts"
import type { RunEvent, RunSettings, StopReason } from "../domain/RunEvent.ts"
import { Judge, type JudgeBroken } from "../judge/Judge.ts"
import { CurrentGate, type Halted } from "../model/CallGate.ts"
import type { BudgetExceeded, BudgetLimit } from "../model/LanguageModel.ts"
import { evaluate, mending, neverReadable } from "./evaluation.ts"
import { inheritedFrozen, type Passages } from "./frozen.ts"
import { indexTable, itemTable, type TableIndex } from "./itemTable.ts"
import { type EventOf, type EventSink, type Journal, makeJournal, type RunDiverged } from "./Journal.ts"
import { makeTraces } from "./makeTraces.ts"
import { type MinibatchSize, minibatches } from "./minibatch.ts"
import { gramsOf } from "./overlap.ts"
import { Reflector, type ReflectorBroken } from "./Reflector.ts"
import { RunState } from "./RunState.ts"
import { type ReadRules, readReflection } from "./readReflection.ts"
import { reflectionMessages } from "./reflectionPrompt.ts"
import { compareRewards, meanReward, rewards, type Scale, wholeNoteScale } from "./rewards.ts"
import { StopAsked } from "./StopAsked.ts"

/** Everything that a search works on. There is no place in it for a holdout note, by type. */
export interface Task {
  readonly settings: RunSettings
  readonly train: ItemSet<"train">
  readonly acceptance: ItemSet<"acceptance">
  /** In the order of the campaign; distinct instructions. */
  readonly seeds: ReadonlyArray<Candidate>
  /** The fixed end of the prompt, shown to the reflector. */
  readonly contract: string
  /** Modules that evolve, in turn. */
  readonly modules: ReadonlyArray<string>
  readonly scale?: Scale
  /** Limits that may be raised between the sittings of a run. */
  readonly limits: { readonly iterations: number; readonly stall: number; readonly brokenAfter: number }
}

type Ending = BudgetExceeded | JudgeBroken | ReflectorBroken | Halted

const endings: ReadonlySet<unknown> = new Set([
  "BudgetExceeded",
  "JudgeBroken",
  "ReflectorBroken",
  "Halted"
] satisfies ReadonlyArray<Ending["_tag"]>)
const isEnding = (error: unknown): error is Ending =>
  typeof error === "object" && error !== null && "_tag" in error && endings.has(error._tag)

const budgetReasons: Readonly<Record<BudgetLimit, StopReason>> = {
  usd: "budget-usd",
  calls: "budget-calls",
  tokens: "budget-tokens",
  time: "budget-time"
}

/** How a failure that ends the sitting is written down. */
const endingOf = (error: Ending): { readonly reason: StopReason; readonly detail: string } => {
  switch (error._tag) {
    case "BudgetExceeded":
      return { reason: budgetReasons[error.limit], detail: error.message }
    case "JudgeBroken":
      return { reason: "broken-judge", detail: error.message }
    case "ReflectorBroken":
      return { reason: "broken-reflection", detail: error.message }
    case "Halted":
      return { reason: "interrupted", detail: `stopped by the user; ${error.detail ?? "the same command goes on"}` }
  }
}

/** Where the events go, and who is told of them. */
export interface RunOptions<E> {
  readonly sink: EventSink<E>
  /** The state that the events are folded into; views may look at it. */
  readonly state?: RunState
  /** Told of each new event as it happens. */
  readonly seen?: (event: RunEvent) => void
}

/**
 * Runs a search, or goes on with the one that the sink holds, until something stops it [GEPA; method §5]. Deterministic:
 * the same task and the same judgements give the same events. Fails only when the log cannot be read or written, or
 * contradicts the task; everything else ends in a `stopped` event.
 */
export const runSearch = <E>(
  task: Task,
  options: RunOptions<E>
): Effect.Effect<RunState, E | RunDiverged, Judge | Reflector> =>
  Effect.gen(function* () {
    const state = options.state ?? new RunState(task.scale)
    const journal = makeJournal(options.sink, state, options.seen)
    const stop = (reason: StopReason, detail: string) =>
      Effect.suspend(() =>
        journal.stop({
          _tag: "stopped",
          reason,
          detail,
          iteration: state.iteration,
          winner: state.winner?.candidate.id ?? null
        })
      )
    yield* search(task, state, journal, stop).pipe(
      Effect.catchIf(isEnding, (error) => {
        const { detail, reason } = endingOf(error)
        return stop(reason, detail)
      })
    )
    return state
  })

type Stop<E> = (reason: StopReason, detail: string) => Effect.Effect<void, E>

const search = Effect.fnUntraced(function* <E>(task: Task, state: RunState, journal: Journal<E>, stop: Stop<E>) {
  const acceptance = indexTable(itemTable(task.acceptance))
  yield* journal.derive("started", { _tag: "started", settings: task.settings, acceptance: acceptance.table })
  for (const candidate of task.seeds) {
    yield* journal.derive("candidate", { _tag: "candidate", candidate })
  }
  const resumed = journal.replaying()
  const { ahead } = yield* Judge
  if (!resumed && ahead !== undefined) {
    const seeds = task.seeds.map(({ instructions }) => instructions)
    yield* ahead(seeds, task.acceptance.items, "acceptance of the seeds")
  }
  const seeded: Array<EventOf<"evaluated">> = []
  for (const candidate of task.seeds) seeded.push(yield* evaluate(task, acceptance, journal, candidate))
  const unreadable = journal.replaying() ? undefined : neverReadable(seeded)
  if (unreadable !== undefined) return yield* stop("broken-judge", unreadable)

  const iterate = yield* iteration(task, acceptance, state, journal)
  const mend = mending(task, acceptance, state, journal)
  let live = false
  const stopAsked = yield* StopAsked
  const gate = yield* CurrentGate
  while (true) {
    yield* mend.replay
    // What people added is evaluated before the search goes on with it.
    for (let [added] = state.toEvaluate; added !== undefined; [added] = state.toEvaluate) {
      yield* evaluate(task, acceptance, journal, added)
      yield* mend.replay
    }
    if (!journal.replaying()) {
      if (!live && resumed) yield* mend.once
      live = true
      const { brokenAfter, iterations, stall } = task.limits
      if (state.unusableInARow >= brokenAfter) {
        const last = state.decisions.at(-1)
        return yield* stop(
          "broken-reflection",
          `${state.unusableInARow} reflections in a row could not be used; the last: ${last?.reason}, ${last?.detail}. This says nothing about what could be improved: check models.reflection`
        )
      }
      if (state.iteration >= iterations || state.rejectionsInARow >= stall) yield* mend.once
      if (state.iteration >= iterations) return yield* stop("iterations", `all ${iterations} iterations are done`)
      if (state.rejectionsInARow >= stall)
        return yield* stop("stall", `${state.rejectionsInARow} proposals in a row were rejected: no improvement found`)
      if (gate.halted) return yield* stop("interrupted", "stopped by the user; the same command goes on")
      if (stopAsked.asked)
        return yield* stop("asked", "stopped by the user after the iteration; the same command goes on")
    }
    yield* iterate.next
  }
})

const iteration = Effect.fnUntraced(function* <E>(
  task: Task,
  acceptance: TableIndex,
  state: RunState,
  journal: Journal<E>
) {
  const judge = yield* Judge
  const reflector = yield* Reflector
  const { maxInstructionLength, minibatch, seed } = task.settings.search
  const scale = task.scale ?? wholeNoteScale
  const batchOf = minibatches(task.train, minibatch as MinibatchSize, seed)
  let grams: Pick<ReadRules, "trainGrams" | "seedGrams"> | undefined
  const rules = (frozen: Passages): ReadRules => {
    grams ??= {
      trainGrams: gramsOf(
        new Set(task.train.items.flatMap(({ note, transcript }) => (transcript === null ? [note] : [note, transcript])))
      ),
      seedGrams: gramsOf(task.seeds.flatMap(({ instructions }) => Object.values(instructions)))
    }
    return { lengthLimit: maxInstructionLength, pool: state.instructions, frozen, ...grams }
  }

  const next = Effect.gen(function* () {
    const number = state.iteration + 1
    const parent = state.drawParent(number).candidate
    const module = task.modules[(number - 1) % task.modules.length]!
    const frozen: Passages = parent.frozen?.[module] ?? []
    const batch = batchOf(number - 1)
    yield* journal.derive("iteration", {
      _tag: "iteration",
      iteration: number,
      parent: parent.id,
      module,
      minibatch: batch.items.map(({ id }) => id)
    })
    const index = indexTable(itemTable(batch))
    const rewardsOf = (outcomes: Outcomes) => rewards(index, outcomes, scale)

    const parentJudged = yield* journal.step(
      "parentJudged",
      judge
        .evaluate(parent.instructions, batch.items, {
          label: `iteration ${number}, parent ${parent.name}`,
          candidate: parent.id
        })
        .pipe(
          Effect.map(
            (outcomes) =>
              ({
                _tag: "parentJudged",
                iteration: number,
                outcomes,
                reward: meanReward(rewardsOf(outcomes)).mean
              }) as const
          )
        )
    )
    const parentRewards = rewardsOf(parentJudged.outcomes)
    const decide = (
      verdict: Pick<EventOf<"decided">, "accepted" | "reason" | "detail"> & Partial<EventOf<"decided">>
    ) =>
      journal.derive("decided", {
        _tag: "decided",
        iteration: number,
        parent: parent.id,
        parentReward: parentJudged.reward,
        childReward: null,
        compared: 0,
        ...verdict
      })

    if (parentJudged.reward !== null && parentJudged.reward >= 1 - 1e-9) {
      yield* decide({
        accepted: false,
        reason: "perfect-minibatch",
        detail: "the parent has every reward of this minibatch; nothing to learn from it"
      })
      return
    }

    const proposed = yield* journal.step(
      "proposed",
      Effect.suspend(() => {
        const messages = reflectionMessages({
          instruction: parent.instructions[module]!,
          contract: task.contract,
          traces: makeTraces(batch, parentJudged.outcomes),
          attempts: state.attempts(parent.id),
          lengthLimit: maxInstructionLength,
          frozen
        })
        return reflector.reflect(messages, { iteration: number, parent: parent.id }).pipe(
          Effect.map((reply) => {
            return {
              _tag: "proposed",
              iteration: number,
              prompt: messages.map(({ content }) => content).join("\n\n"),
              reply: reply.kind === "failed" ? "" : reply.text,
              ...readReflection(reply, rules(frozen))
            } as const
          })
        )
      })
    )
    if (proposed.rejected !== null) {
      yield* decide({ accepted: false, ...proposed.rejected })
      return
    }
    const instruction = proposed.instruction!
    const tried = state.triedBefore(parent.id, instruction)
    if (tried !== undefined) {
      yield* decide({
        accepted: false,
        reason: "identical",
        detail: `the same text was tried from this parent before: ${tried}`
      })
      return
    }

    const instructions = { ...parent.instructions, [module]: instruction }
    const id = candidateId(instructions)
    const childJudged = yield* journal.step(
      "childJudged",
      judge.evaluate(instructions, batch.items, { label: `iteration ${number}, child`, candidate: id }).pipe(
        Effect.map(
          (outcomes) =>
            ({
              _tag: "childJudged",
              iteration: number,
              child: id,
              outcomes,
              reward: meanReward(rewardsOf(outcomes)).mean
            }) as const
        )
      )
    )
    if (state.has(id)) {
      yield* decide({
        accepted: false,
        reason: "identical",
        detail: "a person added the same instruction meanwhile"
      })
      return
    }
    const { a, b, n } = compareRewards(parentRewards, rewardsOf(childJudged.outcomes))
    const figures = { parentReward: a, childReward: b, compared: n }
    if (a === null || b === null || n * 2 < batch.instances.length) {
      yield* decide({
        ...figures,
        accepted: false,
        reason: "not-judged",
        detail: `only ${n} of ${batch.instances.length} notes could be judged for both parent and child`
      })
      return
    }
    if (b <= a + 1e-9) {
      yield* decide({
        ...figures,
        accepted: false,
        reason: "not-better",
        detail: `mean reward ${b.toFixed(3)} against the parent's ${a.toFixed(3)} on the same ${n} notes`
      })
      return
    }
    yield* decide({
      ...figures,
      accepted: true,
      reason: null,
      detail: `mean reward ${b.toFixed(3)} against the parent's ${a.toFixed(3)} on the same ${n} notes`
    })
    const born: Candidate = {
      id,
      name: `c${state.born + 1}`,
      origin: "reflection",
      parents: [parent.id],
      iteration: number,
      instructions,
      ...inheritedFrozen([parent])
    }
    yield* journal.derive("candidate", { _tag: "candidate", candidate: born })
    yield* evaluate(task, acceptance, journal, born)
  })

  return { next }
})
