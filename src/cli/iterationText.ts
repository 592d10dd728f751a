import { plain } from "../domain/plain.ts"
import { proposalKey, type RunEvent } from "../domain/RunEvent.ts"

type Of<Tag extends RunEvent["_tag"]> = Extract<RunEvent, { readonly _tag: Tag }>

const first = <Tag extends RunEvent["_tag"]>(events: ReadonlyArray<RunEvent>, tag: Tag): Of<Tag> | undefined =>
  events.find((event): event is Of<Tag> => event._tag === tag)

const part = (title: string, text: string) => `## ${title}\n\n${plain(text)}\n`

const mergeText = ({ ancestor, choices, parents }: Of<"merge">, nameOf: (id: string) => string): string => {
  const two = parents.map((id) => plain(nameOf(id))).join(" and ")
  if (choices === null || ancestor === null) return `A merge of ${two}, written by the reflection model.\n`
  const chosen = Object.entries(choices).map(([module, id]) => `${plain(module)} of ${plain(nameOf(id))}`)
  return `A merge of ${two}, descendants of ${plain(nameOf(ancestor))}: ${chosen.join(", ")}.\n`
}

const proposalText = (events: ReadonlyArray<RunEvent>, nameOf: (id: string) => string): ReadonlyArray<string> => {
  const decided = first(events, "decided")
  const merge = first(events, "merge")
  const proposed = first(events, "proposed")
  return [
    decided === undefined
      ? "not decided yet\n"
      : `${decided.accepted ? "accepted" : `rejected: ${decided.reason}`}; ${plain(decided.detail)}\n`,
    ...(merge === undefined ? [] : [mergeText(merge, nameOf)]),
    ...(proposed === undefined
      ? ["no reflection"]
      : [
          part("Proposed instruction", proposed.instruction ?? "(none that could be read)"),
          part("Raw reply", proposed.reply),
          part(merge === undefined ? "Reflection prompt" : "Merge prompt", proposed.prompt)
        ])
  ]
}

/** One iteration whole, for people: each of its proposals with prompt, raw reply, proposal, figures and reason. */
export const iterationText = (
  title: string,
  events: ReadonlyArray<RunEvent>,
  nameOf: (id: string) => string
): string => {
  const proposals = Map.groupBy(
    events.filter((event) => event._tag !== "stopped" && "iteration" in event),
    (event) => proposalKey(event)
  )
  return [
    `# ${title}`,
    ...[...proposals.values()].flatMap((own, at) => [
      ...(proposals.size === 1 ? [] : [`# Proposal ${at + 1} of ${proposals.size}`]),
      ...proposalText(own, nameOf)
    ])
  ].join("\n")
}
