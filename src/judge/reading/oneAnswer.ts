import { answerOf, squeezed } from "./reply.ts"
import { isFields, isList, type Value, valuesIn } from "./values.ts"
import { fieldsNamed, reasonNames, textNamed, wordOf, yesOrNo } from "./words.ts"

/** What a reply says of a question that is answered with yes or no. */
export type OneAnswer =
  | { readonly kind: "answer"; readonly yes: boolean; readonly reason?: string }
  | { readonly kind: "unreadable"; readonly why: string }

/** How the question's answer is named and worded, beside yes, no, true and false. */
export interface AnswerWords {
  /** Names of fields that hold the answer. */
  readonly names: RegExp
  readonly yes: ReadonlyArray<string>
  readonly no: ReadonlyArray<string>
  /** What takes back a yes, or a no, in the same breath. */
  readonly against: { readonly yes: RegExp; readonly no: RegExp }
  /** The contract's example reason: a reply that has it says nothing. */
  readonly example: string
}

/** Prose is read for an answer only at its ends and where it is named; this much of it. */
const readAtMost = 20_000

const unreadable = (why: string): OneAnswer => ({ kind: "unreadable", why })

/** Whether a yes or no goes on to say the opposite: "Yes, the note has no error". */
const takenBack = (text: string, yes: boolean, { against }: AnswerWords): boolean =>
  (yes ? against.yes : against.no).test((text.split("\n", 1)[0] ?? "").slice(0, 300).toLowerCase())

const scalar = (value: Value, words: AnswerWords): boolean | undefined => {
  const plain = yesOrNo(value)
  if (typeof value !== "string") return plain
  if (plain !== undefined) return takenBack(value, plain, words) ? undefined : plain
  const word = wordOf(value)
  return words.yes.includes(word) ? true : words.no.includes(word) ? false : undefined
}

interface Given {
  readonly answers: ReadonlyArray<boolean | undefined>
  readonly reasons: ReadonlyArray<string>
}

const none: Given = { answers: [], reasons: [] }

/** The answers in a record and in the records within it. */
const given = (value: Value, words: AnswerWords, depth: number): Given => {
  if (depth > 4) return none
  if (isList(value)) {
    const parts = value.map((item) => given(item, words, depth + 1))
    return { answers: parts.flatMap(({ answers }) => answers), reasons: parts.flatMap(({ reasons }) => reasons) }
  }
  if (!isFields(value)) return none
  const named = fieldsNamed(value, words.names)
  const scalars = named.filter((field) => !isFields(field) && !isList(field))
  if (scalars.length > 0) {
    const reason = textNamed(value, reasonNames)
    return {
      answers: scalars.map((field) => scalar(field, words)),
      reasons: reason === undefined ? [] : [reason]
    }
  }
  const parts = value.fields.map(([, field]) => given(field, words, depth + 1))
  return { answers: parts.flatMap(({ answers }) => answers), reasons: parts.flatMap(({ reasons }) => reasons) }
}

/** The answers that prose states: the whole of it, its first word, its last line, and after the answer's name. */
const stated = (text: string, words: AnswerWords): ReadonlyArray<boolean> => {
  const whole = text.includes("\n") ? undefined : scalar(text, words)
  if (whole !== undefined) return [whole]
  const found: Array<boolean> = []
  const add = (word: string | undefined) => {
    const answer = word === undefined ? undefined : scalar(word, words)
    if (answer !== undefined) found.push(answer)
  }
  const plain = text.replace(/[*_`"“”]/g, "")
  // "No errors were found" begins with no answer to a question; "No, …" does.
  const [, lead] = /^\s*(yes|no)\s?(?:[.,;:!–—\n]|-)/i.exec(plain) ?? []
  // Two answers are none.
  if (lead !== undefined && takenBack(plain.trimStart(), lead.toLowerCase() === "yes", words)) return [true, false]
  add(lead)
  const lines = plain.split("\n").filter((line) => line.trim() !== "")
  for (const line of lines) {
    const [, name = "", rest = ""] =
      /^[\s>#•*-]{0,8}([A-Za-z][A-Za-z _-]{1,30}?)\s{0,3}[:=]\s{0,3}(.*)$/.exec(line.slice(0, 400)) ?? []
    if (
      words.names.test(
        name
          .trim()
          .toLowerCase()
          .replace(/[\s-]+/g, "_")
      )
    )
      add(rest.trim())
  }
  if (lines.length > 1) add(lines.at(-1))
  return found
}

/** The yes or no of a reply. Read only if all that it says agrees: two different answers are none. */
export const readAnswer = (reply: string, words: AnswerWords): OneAnswer => {
  const whole = answerOf(reply)
  const text = whole.length <= readAtMost ? whole : whole.slice(-readAtMost)
  if (text === "") return unreadable("the reply is empty")
  const parts = valuesIn(text).flatMap(({ value, whole: complete }) => {
    const part = given(value, words, 0)
    return part.answers.length === 0 ? [] : [{ ...part, complete }]
  })
  if (parts.some(({ complete }) => !complete)) return unreadable("the reply was cut off or is broken")
  const reasons = parts.flatMap((part) => part.reasons)
  if (reasons.some((reason) => squeezed(reason) === words.example))
    return unreadable("the reply repeats the contract's example")
  const answers = parts.length > 0 ? parts.flatMap((part) => part.answers) : stated(text, words)
  const distinct = new Set(answers)
  if (distinct.has(undefined)) return unreadable("the answer is neither yes nor no")
  if (distinct.size === 0) return unreadable("the reply holds no yes or no")
  if (distinct.size > 1) return unreadable("the reply says both yes and no")
  const [yes] = distinct
  const reason = reasons.at(-1)
  return { kind: "answer", yes: yes!, ...(reason === undefined ? {} : { reason }) }
}
