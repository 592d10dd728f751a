import type { CandidateId } from "../../domain/Candidate.ts"
import type { RunEvent } from "../../domain/RunEvent.ts"
import type { RunState } from "../../optimise/RunState.ts"
import { rejectionDetail } from "../../terminal/words.ts"
import type { TextPacker } from "./packing.ts"
import type { ReportNode } from "./ReportData.ts"

/** How much of an answer is kept that no instruction could be read from. */
const replyLength = 1500

type EventOf<T extends RunEvent["_tag"]> = Extract<RunEvent, { readonly _tag: T }>

/** What became known of an iteration before it was decided. */
interface Trial {
  readonly module: string
  readonly proposed?: EventOf<"proposed">
  readonly child?: CandidateId
}

/**
 * Every seed and every proposal, in the order of the log, with what became of it. `quotes`: whether what quotes notes, or
 * may, is kept: answers that hold no instruction, and proposals that were refused for copying.
 */
export const lineageNodes = (
  events: ReadonlyArray<RunEvent>,
  state: RunState,
  texts: TextPacker,
  options: { readonly quotes: boolean }
): ReadonlyArray<ReportNode> => {
  const nodes: Array<ReportNode> = []
  const places = new Map<string, number>()
  const members = new Map(state.members.map(({ candidate }, at) => [candidate.id as string, at]))
  const trials = new Map<number, Trial>()
  const decisions = new Map<number, EventOf<"decided">>()
  const textsOf = (instructions: Readonly<Record<string, string>>) =>
    Object.entries(instructions).map(([module, text]) => [module, texts.add(text)] as const)
  const parentsOf = (ids: ReadonlyArray<string>) => ids.flatMap((id) => places.get(id) ?? [])

  const rejected = (event: EventOf<"decided">): ReportNode => {
    const { module = "judge", child, proposed } = trials.get(event.iteration) ?? {}
    const written = proposed?.instruction ?? null
    const instruction = event.reason === "copies-notes" && !options.quotes ? null : written
    const reply = written === null ? (proposed?.reply ?? "") : ""
    return {
      kind: "rejected",
      name: `proposal ${event.iteration}`,
      id: child ?? null,
      origin: "reflection",
      parents: parentsOf([event.parent]),
      iteration: event.iteration,
      module,
      texts: instruction === null ? [] : [[module, texts.add(instruction)]],
      reason: event.reason,
      detail: options.quotes ? event.detail : rejectionDetail(event.reason, event.detail),
      parentReward: event.parentReward,
      childReward: event.childReward,
      compared: event.compared,
      member: null,
      reply:
        reply === "" || !options.quotes
          ? null
          : texts.add(reply.length > replyLength ? `${reply.slice(0, replyLength)}…` : reply)
    }
  }

  for (const event of events) {
    switch (event._tag) {
      case "candidate": {
        const { id, instructions, iteration, name, origin, parents } = event.candidate
        const decided = decisions.get(iteration)
        places.set(id, nodes.length)
        nodes.push({
          kind: origin === "seed" ? "seed" : "accepted",
          name,
          id,
          origin,
          parents: parentsOf(parents),
          iteration,
          module: origin === "seed" ? null : (trials.get(iteration)?.module ?? null),
          texts: textsOf(instructions),
          reason: null,
          detail: decided?.detail ?? "",
          parentReward: decided?.parentReward ?? null,
          childReward: decided?.childReward ?? null,
          compared: decided?.compared ?? 0,
          member: members.get(id) ?? null,
          reply: null
        })
        break
      }
      case "added": {
        const { id, instructions, iteration, name, origin, parents } = event.candidate
        places.set(id, nodes.length)
        nodes.push({
          kind: "accepted",
          name,
          id,
          origin,
          parents: parentsOf(parents),
          iteration,
          module: null,
          texts: textsOf(instructions),
          reason: null,
          detail: `written by a person, ${event.author}: ${event.reason}`,
          parentReward: null,
          childReward: null,
          compared: 0,
          member: members.get(id) ?? null,
          reply: null
        })
        break
      }
      case "iteration":
        trials.set(event.iteration, { module: event.module })
        break
      case "proposed":
        trials.set(event.iteration, { module: "judge", ...trials.get(event.iteration), proposed: event })
        break
      case "childJudged":
        trials.set(event.iteration, { module: "judge", ...trials.get(event.iteration), child: event.child })
        break
      case "decided":
        decisions.set(event.iteration, event)
        if (!event.accepted) nodes.push(rejected(event))
    }
  }
  return nodes
}
