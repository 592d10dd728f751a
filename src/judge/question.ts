import type { AnswerSchema, Message } from "../model/LanguageModel.ts"
import type { Heard, Question, Work } from "./Design.ts"

export interface Unreadable {
  readonly kind: "unreadable"
  readonly why: string
}

const brokenOff: Unreadable = { kind: "unreadable", why: "the reply broke off, or was refused" }

export const parsedBy = <A>(parse: (text: string) => A, { complete, text }: Heard): A | Unreadable =>
  complete ? parse(text) : brokenOff

/** A question whose reply says all or nothing: an unreadable one is asked for once more, and then given up. */
export const question = <A extends { readonly kind: string }>(options: {
  readonly about?: string
  readonly messages: ReadonlyArray<Message>
  readonly answer: AnswerSchema
  readonly parse: (text: string) => A | Unreadable
  readonly retry: (asked: ReadonlyArray<Message>, reply: string) => ReadonlyArray<Message>
  readonly work: (parsed: Exclude<A, Unreadable>) => (before: Work) => Work
}): Question => ({
  about: options.about ?? "",
  messages: options.messages,
  answer: options.answer,
  read: (first, second) => {
    const parsed = parsedBy(options.parse, second ?? first)
    return parsed.kind === "unreadable"
      ? { kind: "again", why: (parsed as Unreadable).why, messages: options.retry(options.messages, first.text) }
      : { kind: "read", work: options.work(parsed as Exclude<A, Unreadable>) }
  }
})

/** Adds to what was counted on the way. */
export const counted = (before: Work, more: Readonly<Record<string, number>>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = { ...before.counts }
  for (const [name, number] of Object.entries(more)) counts[name] = (counts[name] ?? 0) + number
  return counts
}

/** What a reader of answers by id gives: ids without a verdict are `missing`. */
export type Keyed = { readonly kind: string; readonly missing: ReadonlyArray<string> }

/**
 * A question about a list of ids: after an answer that leaves some out they alone are asked for, once. Ids that are
 * missing even then make the answer unreadable, never a share of an unknown whole [OB §C.1].
 */
export const keyedQuestion = <P extends Keyed>(options: {
  readonly messages: ReadonlyArray<Message>
  readonly answer: AnswerSchema
  readonly ids: ReadonlyArray<string>
  readonly parse: (text: string, ids: ReadonlyArray<string>) => P | Unreadable
  readonly combined: (first: P | Unreadable, again: P | Unreadable) => P | Unreadable
  readonly retry: (asked: ReadonlyArray<Message>, reply: string, parsed: P | Unreadable) => ReadonlyArray<Message>
  readonly work: (parsed: P) => (before: Work) => Work
}): Question => ({
  about: "",
  messages: options.messages,
  answer: options.answer,
  read: (first, second) => {
    const parsed = parsedBy((text) => options.parse(text, options.ids), first)
    const missing = parsed.kind === "unreadable" ? options.ids : (parsed as P).missing
    const all =
      second === undefined
        ? parsed
        : options.combined(
            parsed,
            parsedBy((text) => options.parse(text, missing), second)
          )
    if (all.kind !== "unreadable" && (all as P).missing.length === 0)
      return { kind: "read", work: options.work(all as P) }
    const why = all.kind === "unreadable" ? (all as Unreadable).why : `no answer for ${(all as P).missing.join(", ")}`
    return { kind: "again", why, messages: options.retry(options.messages, first.text, parsed) }
  }
})
