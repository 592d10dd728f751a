import * as Effect from "effect/Effect"
import { type Candidate, type CandidateId, candidateId, type Instructions } from "../domain/Candidate.ts"
import type { ItemSet } from "../domain/Item.ts"
import type { Outcomes } from "../domain/Judgement.ts"
import { Judge } from "../judge/Judge.ts"
import { decideAcceptance, repeatsOf, tolerance, type Verdict } from "./accept.ts"
import { evaluateCandidate } from "./evaluation.ts"
import { inheritedFrozen } from "./frozen.ts"
import { indexTable, itemTable, type TableIndex } from "./itemTable.ts"
import type { EventOf, Journal } from "./Journal.ts"
import { drawMerge, type Merge, mergesNow } from "./merge.ts"
import { type MinibatchSize, minibatches } from "./minibatch.ts"
import { drawParents } from "./parents.ts"
import { proposals } from "./proposals.ts"
import type { RunState } from "./RunState.ts"
import { raceCandidate, raceOf } from "./race.ts"
import { meanReward, rewards } from "./rewards.ts"
import { scaleOf, type Task } from "./task.ts"

/** Which proposal of which iteration; the number is left out where an iteration has one. */
export interface At {
  readonly iteration: number
  readonly proposal?: number
}

/** A candidate's outcomes on the minibatch, and its rewards: one array a repeat. */
export interface OnMinibatch {
  readonly candidate: Candidate
  readonly outcomes: Outcomes
  readonly rewards: ReadonlyArray<Float64Array>
  readonly reward: number | null
}

const addedMeanwhile = {
  accepted: false,
  reason: "identical",
  detail: "a person added the same candidate meanwhile"
} as const

/** A proposal under way. */
export interface Proposal {
  readonly at: At
  readonly parent: Candidate
  readonly merge?: Merge
  readonly module: string
  readonly batch: ItemSet<"train">
  readonly index: TableIndex
  /** The parent, and of a merge the second parent, once they are judged. */
  judged: ReadonlyArray<OnMinibatch>
  child?: Instructions
  verdict?: Verdict
}

/** The parent that the child is judged against: of a merge the better one on the minibatch, the first of two equal ones. */
export const rival = ({ judged: [first, second] }: Proposal): OnMinibatch =>
  second !== undefined && (second.reward ?? -1) > (first!.reward ?? -1) + tolerance ? second : first!

/**
 * One iteration after the other [method §5.2–8]: as many proposals as the settings say, each of a parent and a minibatch
 * of its own, worked on together and written down in their order. The first one of an iteration may be a merge.
 */
export const iteration = Effect.fnUntraced(function* <E>(
  task: Task,
  acceptance: TableIndex,
  state: RunState,
  journal: Journal<E>
) {
  const judge = yield* Judge
  const { search } = task.settings
  const { accept, minibatch, racing, seed } = search
  const count = search.proposals ?? 1
  const repeats = repeatsOf(accept)
  const scale = scaleOf(task)
  const batchOf = minibatches(task.train, minibatch as MinibatchSize, seed)
  const propose = yield* proposals(task, state)

  /** Draws the iteration's proposals from the state before it. */
  const draw = (number: number): ReadonlyArray<Proposal> => {
    const merge = mergesNow(state, seed, number) ? drawMerge(state, task.modules, seed, number) : undefined
    const parents = drawParents(state, seed, number, merge === undefined ? count : count - 1)
    const starts = [
      ...(merge === undefined ? [] : [{ parent: merge.parents[0], merge }]),
      ...parents.map(({ candidate }) => ({ parent: candidate, merge: undefined }))
    ]
    let turn = state.reflections
    return starts.map(({ merge, parent }, at): Proposal => {
      const batch = batchOf((number - 1) * count + at)
      const module =
        merge === undefined ? task.modules[turn++ % task.modules.length]! : task.modules.toSorted().join("+")
      return {
        at: { iteration: number, ...(count === 1 ? {} : { proposal: at + 1 }) },
        parent,
        ...(merge === undefined ? {} : { merge }),
        module,
        batch,
        index: indexTable(itemTable(batch)),
        judged: []
      }
    })
  }

  const onMinibatch = (
    { index }: Proposal,
    candidate: Candidate,
    event: Pick<EventOf<"parentJudged">, "outcomes" | "repeats" | "reward">
  ): OnMinibatch => ({
    candidate,
    outcomes: event.outcomes,
    rewards: [event.outcomes, ...(event.repeats ?? [])].map((outcomes) => rewards(index, outcomes, scale)),
    reward: event.reward
  })

  const judgeOnMinibatch = (
    { batch, index }: Proposal,
    instructions: Instructions,
    use: { readonly label: string; readonly candidate: CandidateId }
  ) =>
    Effect.gen(function* () {
      const all: Array<Outcomes> = []
      for (let repeat = 1; repeat <= repeats; repeat++) {
        // Another key is another seed: the judge is asked anew, and not the store.
        const items =
          repeat === 1 ? batch.items : batch.items.map((item) => ({ ...item, key: `${item.key} repeat ${repeat}` }))
        const label = repeats === 1 ? use.label : `${use.label}, ${repeat} of ${repeats}`
        all.push(yield* judge.evaluate(instructions, items, { ...use, label }))
      }
      const [outcomes, ...more] = all
      const values = all.flatMap((one) => [...rewards(index, one, scale)])
      return {
        outcomes: outcomes!,
        reward: meanReward(Float64Array.from(values)).mean,
        ...(more.length === 0 ? {} : { repeats: more })
      }
    })

  const labelOf = ({ at }: Proposal) =>
    `iteration ${at.iteration}${at.proposal === undefined ? "" : `, proposal ${at.proposal}`}`

  /** Judges the parents of all proposals, of a merge both. */
  const judgeParents = Effect.fnUntraced(function* (drawn: ReadonlyArray<Proposal>) {
    const all = drawn.flatMap((proposal) => {
      const { merge, parent } = proposal
      const own = { proposal, candidate: parent, tag: "parentJudged" as "parentJudged" | "partnerJudged" }
      return merge === undefined
        ? [own]
        : [own, { proposal, candidate: merge.parents[1], tag: "partnerJudged" as const }]
    })
    const events = yield* journal.together(
      ["parentJudged", "partnerJudged"],
      all.map(({ candidate, proposal, tag }) =>
        judgeOnMinibatch(proposal, candidate.instructions, {
          label: `${labelOf(proposal)}, parent ${candidate.name}`,
          candidate: candidate.id
        }).pipe(Effect.map((judged) => ({ _tag: tag, ...proposal.at, ...judged })))
      )
    )
    for (const [number, { candidate, proposal }] of all.entries())
      proposal.judged = [...proposal.judged, onMinibatch(proposal, candidate, events[number]!)]
    for (const proposal of drawn) {
      const { reward } = rival(proposal)
      if (reward !== null && reward >= 1 - tolerance) {
        proposal.verdict = {
          accepted: false,
          reason: "perfect-minibatch",
          detail: "the parent has every reward of this minibatch; nothing to learn from it"
        }
      }
    }
  })

  /** Two proposals of one iteration do not know of each other. */
  const refuseTwins = (drawn: ReadonlyArray<Proposal>) => {
    const seen = new Map<CandidateId, number>()
    for (const proposal of drawn) {
      if (proposal.child === undefined || proposal.verdict !== undefined) continue
      const id = candidateId(proposal.child)
      const twin = seen.get(id)
      if (twin === undefined) seen.set(id, proposal.at.proposal ?? 1)
      else {
        proposal.verdict = {
          accepted: false,
          reason: "identical",
          detail: `proposal ${twin} of this iteration gives the same candidate`
        }
      }
    }
  }

  const judgeChildren = Effect.fnUntraced(function* (drawn: ReadonlyArray<Proposal>) {
    const open = drawn.flatMap((proposal) =>
      proposal.child === undefined || proposal.verdict !== undefined ? [] : [{ proposal, child: proposal.child }]
    )
    const events = yield* journal.together(
      ["childJudged"],
      open.map(({ child, proposal }) => {
        const candidate = candidateId(child)
        return judgeOnMinibatch(proposal, child, { label: `${labelOf(proposal)}, child`, candidate }).pipe(
          Effect.map((judged) => ({ _tag: "childJudged", ...proposal.at, child: candidate, ...judged }) as const)
        )
      })
    )
    for (const [number, { proposal }] of open.entries()) {
      const event = events[number]!
      const values = [event.outcomes, ...(event.repeats ?? [])].map((one) => rewards(proposal.index, one, scale))
      const against = rival(proposal)
      const name = proposal.merge === undefined ? "the parent's" : "the better parent's"
      proposal.verdict = decideAcceptance(
        proposal.index,
        { parent: against.rewards, child: values },
        accept,
        name,
        seed
      )
    }
  })

  const decide = Effect.fnUntraced(function* (proposal: Proposal) {
    const { at, child, judged, merge } = proposal
    // What a person added before the decision stands before it in the log.
    journal.next()
    const verdict =
      proposal.verdict?.accepted === true && child !== undefined && state.born(candidateId(child))
        ? { ...proposal.verdict, ...addedMeanwhile }
        : proposal.verdict
    const parent = rival(proposal)
    const partner = judged.find((one) => one !== parent)
    yield* journal.derive("decided", {
      _tag: "decided",
      ...at,
      parent: parent.candidate.id,
      ...(partner === undefined ? {} : { partner: partner.candidate.id }),
      parentReward: parent.reward,
      childReward: null,
      compared: 0,
      ...verdict!
    })
    if (verdict?.accepted !== true || child === undefined) return []
    const born: Candidate = {
      id: candidateId(child),
      name: `c${state.births + 1}`,
      origin: merge === undefined ? "reflection" : "merge",
      parents: merge === undefined ? [parent.candidate.id] : merge.parents.map(({ id }) => id),
      iteration: at.iteration,
      instructions: child,
      ...inheritedFrozen(merge?.parents ?? [parent.candidate], merge?.how === "swap" ? merge.choices : {})
    }
    yield* journal.derive("candidate", { _tag: "candidate", candidate: born })
    return [born]
  })

  const next = Effect.gen(function* () {
    const drawn = draw(state.iteration + 1)
    for (const { at, batch, merge, module, parent } of drawn) {
      yield* journal.derive("iteration", {
        _tag: "iteration",
        ...at,
        parent: parent.id,
        module,
        minibatch: batch.items.map(({ id }) => id)
      })
      if (merge === undefined) continue
      yield* journal.derive("merge", {
        _tag: "merge",
        ...at,
        parents: merge.parents.map(({ id }) => id),
        how: merge.how,
        ancestor: merge.how === "swap" ? merge.ancestor : null,
        choices: merge.how === "swap" ? merge.choices : null
      })
    }
    yield* judgeParents(drawn)
    const asked = drawn.filter((proposal) => propose.prepare(proposal))
    const answers = yield* journal.together(
      ["proposed"],
      asked.map((proposal) => propose.ask(proposal))
    )
    for (const [number, proposal] of asked.entries()) propose.read(proposal, answers[number]!)
    refuseTwins(drawn)
    yield* judgeChildren(drawn)
    const born: Array<Candidate> = []
    for (const proposal of drawn) born.push(...(yield* decide(proposal)))
    const race = racing === true && born.length > 0 ? raceOf(state, acceptance) : undefined
    yield* journal.together<"evaluated" | "raced", Effect.Error<ReturnType<typeof evaluateCandidate>>, Judge>(
      ["evaluated", "raced"],
      born.map((candidate) =>
        race === undefined
          ? evaluateCandidate(task, acceptance, candidate)
          : raceCandidate(task, acceptance, race, candidate)
      )
    )
  })

  return { next }
})
