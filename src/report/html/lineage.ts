import type { Candidate } from "../../domain/Candidate.ts"
import { proposalKey, type RunEvent } from "../../domain/RunEvent.ts"
import type { RunState } from "../../optimise/RunState.ts"
import { rejectionDetail } from "../../terminal/words.ts"
import type { TextPacker } from "./packing.ts"
import type { ReportNode } from "./ReportData.ts"

/** How much of an answer is kept that no instruction could be read from. */
const replyLength = 1500

type EventOf<T extends RunEvent["_tag"]> = Extract<RunEvent, { readonly _tag: T }>

/** What is known of a proposal. */
interface Trial {
  readonly module?: string
  readonly proposed?: EventOf<"proposed">
  readonly merge?: EventOf<"merge">
  readonly child?: string
  readonly decided?: EventOf<"decided">
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
  const born = new Map<string, Candidate>()
  const members = new Map(state.members.map(({ candidate }, at) => [candidate.id as string, at]))
  const raced = new Map(state.raced.map((one) => [one.candidate.id as string, one]))
  const trials = new Map<string, Trial>()
  const acceptedAs = new Map<string, Trial>()
  const textsOf = (instructions: Readonly<Record<string, string>>) =>
    Object.entries(instructions).map(([module, text]) => [module, texts.add(text)] as const)
  const parentsOf = (ids: ReadonlyArray<string>) => ids.flatMap((id) => places.get(id) ?? [])
  const learn = (event: { readonly iteration: number; readonly proposal?: number }, more: Trial) =>
    trials.set(proposalKey(event), { ...trials.get(proposalKey(event)), ...more })

  /** The texts of a rejected proposal: of a swap those that it put together, else the one that was written. */
  const rejectedTexts = ({ decided, merge, module = "judge", proposed }: Trial): ReportNode["texts"] => {
    if (decided?.reason === "copies-notes" && !options.quotes) return []
    const written = proposed?.instruction ?? null
    if (written !== null) return [[module, texts.add(written)]]
    return Object.entries(merge?.choices ?? {}).flatMap(([name, from]) => {
      const text = born.get(from)?.instructions[name]
      return text === undefined ? [] : [[name, texts.add(text)] as const]
    })
  }

  const rejected = (event: EventOf<"decided">): ReportNode => {
    const trial = trials.get(proposalKey(event)) ?? {}
    const { merge, module = null, proposed } = trial
    const reply = (proposed?.instruction ?? null) === null ? (proposed?.reply ?? "") : ""
    return {
      kind: "rejected",
      name: `proposal ${event.iteration}${event.proposal === undefined ? "" : `.${event.proposal}`}`,
      id: trial.child ?? null,
      origin: merge === undefined ? "reflection" : "merge",
      parents: parentsOf(event.partner === undefined ? [event.parent] : [event.parent, event.partner]),
      iteration: event.iteration,
      proposal: event.proposal ?? 1,
      module,
      texts: rejectedTexts(trial),
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

  const made = (candidate: Candidate): ReportNode => {
    const { id, instructions, iteration, name, origin, parents } = candidate
    const { decided, module = null } = acceptedAs.get(id) ?? {}
    const cut = raced.get(id)
    return {
      kind: origin === "seed" ? "seed" : cut === undefined ? "accepted" : "raced",
      name,
      id,
      origin,
      parents: parentsOf(parents),
      iteration,
      proposal: decided?.proposal ?? 1,
      module,
      texts: textsOf(instructions),
      reason: null,
      detail:
        cut === undefined
          ? (decided?.detail ?? "")
          : `its evaluation was cut short after ${cut.judged} of ${cut.notes} notes: it could no longer win`,
      parentReward: decided?.parentReward ?? null,
      childReward: decided?.childReward ?? null,
      compared: decided?.compared ?? 0,
      member: members.get(id) ?? null,
      reply: null
    }
  }

  for (const event of events) {
    switch (event._tag) {
      case "candidate":
        born.set(event.candidate.id, event.candidate)
        // Parents come before their children, so a candidate never finds itself.
        nodes.push(made(event.candidate))
        places.set(event.candidate.id, nodes.length - 1)
        break
      case "iteration":
        learn(event, { module: event.module })
        break
      case "merge":
        learn(event, { merge: event })
        break
      case "proposed":
        learn(event, { proposed: event })
        break
      case "childJudged":
        learn(event, { child: event.child })
        break
      case "decided": {
        learn(event, { decided: event })
        const trial = trials.get(proposalKey(event))!
        if (!event.accepted) nodes.push(rejected(event))
        else if (trial.child !== undefined) acceptedAs.set(trial.child, trial)
      }
    }
  }
  return nodes
}
