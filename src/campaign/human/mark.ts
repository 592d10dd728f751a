import * as Effect from "effect/Effect"
import { inputError } from "../../domain/InputError.ts"
import type { EventOf } from "../../optimise/Journal.ts"
import type { Remark } from "../../optimise/remarks.ts"
import { candidateNamed } from "../members.ts"
import { type HeldRun, say } from "./holdRun.ts"

/** Which candidate is marked, or no longer so, by whom and why. */
export interface Marking extends Remark {
  readonly candidate: string
  readonly on: boolean
}

const words = { pinned: "pinned", vetoed: "vetoed" } as const

const by = ({ author, reason }: Remark): string => `by ${author}: ${reason}`

/** Pins or vetoes a candidate, or takes that back. */
export const mark = Effect.fn("mark")(function* (held: HeldRun, tag: "pinned" | "vetoed", marking: Marking) {
  const { run, state } = held
  const { author, on, reason } = marking
  const candidate = yield* candidateNamed(state, marking.candidate, "candidate")
  const { id, name } = candidate
  const known = tag === "pinned" ? state.remarks.pinOf(id) : state.remarks.vetoOf(id)
  if (on && known !== undefined) {
    return yield* inputError({
      what: `${name} (${id}) of run ${run.id} is ${words[tag]} already, ${by(known)}`,
      hint: "--undo takes it back"
    })
  }
  if (!on && known === undefined)
    return yield* inputError({ what: `${name} (${id}) of run ${run.id} is not ${words[tag]}` })
  const veto = state.remarks.vetoOf(id)
  if (tag === "pinned" && on && veto !== undefined) {
    return yield* inputError({
      what: `${name} (${id}) of run ${run.id} is vetoed, ${by(veto)}: it can be no parent`,
      hint: "Take the veto back first, with --undo"
    })
  }
  if (tag === "vetoed" && on && state.allowed.every((member) => member.candidate.id === id)) {
    return yield* inputError({
      what: `${name} (${id}) is the last evaluated candidate of run ${run.id} that is not vetoed: there would be no parent and no winner`,
      hint: "Add another first, with assize runs add or edit, and let the run evaluate it"
    })
  }
  const event: EventOf<"pinned"> | EventOf<"vetoed"> = { _tag: tag, candidate: id, on, author, reason }
  yield* say(held, event)
  return { event, candidate }
})
