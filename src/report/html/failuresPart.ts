import { acceptanceOutcomes, type RunEvent } from "../../domain/RunEvent.ts"
import type { RunState } from "../../optimise/RunState.ts"
import { plural } from "../scoreFormat.ts"
import { details, type Html, html, nothing, table } from "./markup.ts"

const shown = 200
const replyLength = 400

interface Failure {
  readonly candidate: string
  readonly item: string
  readonly kind: "unreadable" | "failed"
  readonly text: string
}

const cut = (text: string): string => (text.length > replyLength ? `${text.slice(0, replyLength)}…` : text)

const failuresOf = (events: ReadonlyArray<RunEvent>, state: RunState): ReadonlyArray<Failure> => {
  const known = acceptanceOutcomes(events)
  return state.members.flatMap(({ candidate }) =>
    Object.entries(known.get(candidate.id) ?? {}).flatMap(([item, outcome]): ReadonlyArray<Failure> => {
      if (outcome._tag === "scored") return []
      return [
        outcome._tag === "unparsed"
          ? { candidate: candidate.name, item, kind: "unreadable", text: cut(outcome.reply) }
          : { candidate: candidate.name, item, kind: "failed", text: cut(outcome.cause) }
      ]
    })
  )
}

const byCandidate = (state: RunState): Html => {
  const notes = state.index?.table.items.length ?? 0
  const rows = state.members.filter(({ figures }) => figures.unparsed + figures.failed > 0)
  return rows.length === 0
    ? nothing
    : table(
        [
          ["candidate", "unreadable", "failed", "of notes"],
          ...rows.map(({ candidate, figures }) => [candidate.name, figures.unparsed, figures.failed, notes])
        ],
        { caption: "Notes without a score, by candidate, on the acceptance part" }
      )
}

/** Replies that no score could be read from, and calls that failed, which are no scores. `quotes`: whether replies may be shown, which may quote notes. */
export const failuresPart = (
  events: ReadonlyArray<RunEvent>,
  state: RunState,
  options: { readonly quotes: boolean }
): Html => {
  const failures = failuresOf(events, state)
  const notes = state.members.length * (state.index?.table.items.length ?? 0)
  if (failures.length === 0)
    return html`<p class="empty">None: all ${notes} judgements of the acceptance part have a score (${plural(state.members.length, "candidate")}).</p>`
  const unreadable = failures.filter(({ kind }) => kind === "unreadable").length
  return html`<p>Of ${notes} judgements of the acceptance part ${unreadable} could not be read, and ${failures.length - unreadable} failed. An unreadable reply is the judge’s doing and earns no reward; a failed call is nobody’s verdict and counts nowhere.</p>${byCandidate(state)}${
    options.quotes
      ? details(
          `The replies and causes${failures.length > shown ? `: the first ${shown} of ${failures.length}` : ""}`,
          table(
            [
              ["candidate", "note", "kind", "reply or cause"],
              ...failures.slice(0, shown).map(({ candidate, item, kind, text }) => [candidate, item, kind, text])
            ],
            { caption: "What came instead of a score", keys: 2 }
          )
        )
      : html`<p>The replies are left out, since they may quote notes.</p>`
  }`
}
