import * as Effect from "effect/Effect"
import type { Instructions } from "../domain/Candidate.ts"
import type { Outcome, Outcomes } from "../domain/Judgement.ts"
import type { Design, DesignScale } from "./Design.ts"
import { Judge } from "./Judge.ts"
import { majority, scored } from "./joinSamples.ts"
import { blindnessProblems } from "./requests.ts"

export interface Consensus {
  readonly design: Design
  readonly members: ReadonlyArray<{
    readonly name: string
    readonly scale: DesignScale
    readonly service: Judge["Service"]
  }>
}

/** The member's own part of a consensus' instructions, which are called `MEMBER.MODULE` there. */
export const memberInstructions = (instructions: Instructions, member: string): Instructions =>
  Object.fromEntries(
    Object.entries(instructions).flatMap(([module, text]) =>
      module.startsWith(`${member}.`) ? [[module.slice(member.length + 1), text]] : []
    )
  )

/** The members' outcomes of one note as one: scores on one scale from 0 to 1, flags by majority. */
export const joinMembers = (
  {
    design,
    members
  }: Pick<Consensus, "design"> & { readonly members: ReadonlyArray<Omit<Consensus["members"][number], "service">> },
  outcomes: ReadonlyArray<Outcome | undefined>
): Outcome => {
  // A member whose calls failed has not been asked yet.
  const failed = outcomes.find((outcome) => outcome === undefined || outcome._tag === "failed")
  if (failed !== undefined || outcomes.includes(undefined))
    return { _tag: "failed", cause: failed?._tag === "failed" ? failed.cause : "a member has not judged the note" }
  const readable = outcomes.flatMap((outcome, at) => {
    const { name, scale } = members[at]!
    return outcome?._tag === "scored"
      ? [{ name, outcome, share: (outcome.score - scale.min) / (scale.max - scale.min) }]
      : []
  })
  if (readable.length * 2 < members.length || readable.length === 0) {
    const unread = outcomes.find((outcome) => outcome?._tag === "unparsed")
    return { _tag: "unparsed", reply: unread?._tag === "unparsed" ? unread.reply : "" }
  }
  const findings = readable.flatMap(({ name, outcome }) =>
    (outcome.findings ?? []).map((finding) => ({ ...finding, id: `${name}.${finding.id}` }))
  )
  return scored({
    score: design.join(readable.map(({ share }) => share)),
    reason: readable.find(({ outcome }) => outcome.reason !== undefined)?.outcome.reason,
    findings: findings.length === 0 ? undefined : findings,
    flagged: majority(readable.map(({ outcome }) => outcome.flagged)),
    details: Object.fromEntries(readable.map(({ name, share }) => [`score of ${name}`, share]))
  })
}

/** A judge that asks each member for every note, one member after the other. */
export const consensusOf = (consensus: Consensus): Judge["Service"] =>
  Judge.of({
    ahead: Effect.fn("Judge.ahead")(function* (instructions, items, label) {
      for (const { name, service } of consensus.members) {
        if (service.ahead === undefined) continue
        const own = instructions.map((one) => memberInstructions(one, name))
        yield* service.ahead(own, items, `${label}, ${name}`)
      }
    }),
    evaluate: Effect.fn("Judge.evaluate")(function* (instructions, items, use) {
      // Of all members, before the first of them is asked.
      const [seen] = blindnessProblems(consensus.design, items, instructions)
      if (seen !== undefined) return yield* seen
      const judged: Array<Outcomes> = []
      for (const { name, service } of consensus.members) {
        const own = memberInstructions(instructions, name)
        judged.push(yield* service.evaluate(own, items, { ...use, label: `${use.label}, ${name}` }))
      }
      return Object.fromEntries(
        items.map(({ id }) => [
          id,
          joinMembers(
            consensus,
            judged.map((outcomes) => outcomes[id])
          )
        ])
      )
    })
  })
