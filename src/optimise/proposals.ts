import * as Effect from "effect/Effect"
import type { Message } from "../model/LanguageModel.ts"
import { inheritedFrozen, type Passages } from "./frozen.ts"
import type { Proposal } from "./iteration.ts"
import type { EventOf } from "./Journal.ts"
import { makeTraces, pairDifferences } from "./makeTraces.ts"
import { mergeMessages } from "./mergePrompt.ts"
import type { ModuleInfo } from "./moduleText.ts"
import { gramsOf } from "./overlap.ts"
import { Reflector } from "./Reflector.ts"
import type { RunState } from "./RunState.ts"
import { type ReadRules, readReflection } from "./readReflection.ts"
import { reflectionMessages } from "./reflectionPrompt.ts"
import { scaleOf, type Task } from "./task.ts"

/** Runs of words that no new instruction may copy, and those that it may since the seeds have them. */
export const textGrams = ({ seeds, train }: Task): Pick<ReadRules, "trainGrams" | "seedGrams"> => ({
  trainGrams: gramsOf(
    new Set(train.items.flatMap(({ note, transcript }) => (transcript === null ? [note] : [note, transcript])))
  ),
  seedGrams: gramsOf(seeds.flatMap(({ instructions }) => Object.values(instructions)))
})

/** How the child of a proposal comes about once its parents are judged. */
export const proposals = Effect.fnUntraced(function* (task: Task, state: RunState) {
  const reflector = yield* Reflector
  const { maxInstructionLength } = task.settings.search
  let grams: Pick<ReadRules, "trainGrams" | "seedGrams"> | undefined
  const frozenIn = ({ merge, module, parent }: Proposal): Passages =>
    inheritedFrozen(merge?.parents ?? [parent]).frozen?.[module] ?? []

  const rules = (proposal: Proposal): ReadRules => {
    const { module, parent } = proposal
    grams ??= textGrams(task)
    return {
      lengthLimit: maxInstructionLength,
      pool: state.taken(parent, module),
      frozen: frozenIn(proposal),
      ...grams
    }
  }

  const about = ({ module, parent }: Proposal): { readonly module?: ModuleInfo; readonly contract: string } => ({
    module: { name: module, all: Object.keys(parent.instructions).sort(), maxScore: scaleOf(task).max },
    contract: task.contracts[module] ?? ""
  })

  const messagesOf = (proposal: Proposal): ReadonlyArray<Message> => {
    const { batch, judged, merge, module, parent } = proposal
    const [first, second] = judged
    if (merge !== undefined) {
      const { counts, differences } = pairDifferences(batch, first!.outcomes, second!.outcomes)
      return mergeMessages({
        ...about(proposal),
        first: merge.parents[0].instructions[module]!,
        second: merge.parents[1].instructions[module]!,
        counts,
        differences,
        lengthLimit: maxInstructionLength,
        frozen: frozenIn(proposal)
      })
    }
    return reflectionMessages({
      ...about(proposal),
      instruction: parent.instructions[module]!,
      traces: makeTraces(batch, first!.outcomes),
      attempts: state.attempts(parent.id, module),
      lengthLimit: maxInstructionLength,
      frozen: frozenIn(proposal)
    })
  }

  return {
    /** Whether the reflector is to be asked. A swap needs nobody, and two parents that agree have nothing to show. */
    prepare: (proposal: Proposal): boolean => {
      const { batch, judged, merge } = proposal
      if (proposal.verdict !== undefined) return false
      if (merge === undefined) return true
      if (merge.how === "swap") {
        proposal.child = merge.instructions
        return false
      }
      const { counts, differences } = pairDifferences(batch, judged[0]!.outcomes, judged[1]!.outcomes)
      if (differences.length > 0) return true
      const { both, neither } = counts
      proposal.verdict = {
        accepted: false,
        reason: "nothing-to-merge",
        detail: `both parents rank the same ${both} of ${both + neither} pairs of this minibatch rightly`
      }
      return false
    },

    /** The reflector's answer to the proposal's question, and the instruction that it holds. */
    ask: (proposal: Proposal) =>
      Effect.suspend(() => {
        const messages = messagesOf(proposal)
        const { at, merge, parent } = proposal
        const use = { ...at, parent: parent.id, ...(merge === undefined ? {} : { merge: true }) }
        return Effect.map(
          reflector.reflect(messages, use),
          (reply): EventOf<"proposed"> => ({
            _tag: "proposed",
            ...at,
            prompt: messages.map(({ content }) => content).join("\n\n"),
            reply: reply.kind === "failed" ? "" : reply.text,
            ...readReflection(reply, rules(proposal))
          })
        )
      }),

    /** Takes the child from the answer, or the reason why there is none. */
    read: (proposal: Proposal, { instruction, rejected }: EventOf<"proposed">): void => {
      const { merge, module, parent } = proposal
      if (rejected !== null || instruction === null) {
        proposal.verdict = { accepted: false, ...(rejected ?? { reason: "empty", detail: "there is no instruction" }) }
        return
      }
      const tried = (merge?.parents ?? [parent])
        .map(({ id }) => state.triedBefore(id, module, instruction))
        .find((detail) => detail !== undefined)
      if (tried !== undefined) {
        proposal.verdict = {
          accepted: false,
          reason: "identical",
          detail: `the same text was tried from this parent before: ${tried}`
        }
        return
      }
      proposal.child = { ...parent.instructions, [module]: instruction }
    }
  }
})
