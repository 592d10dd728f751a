import { answerOf, squeezed, takesBack } from "./reply.ts"
import { isFields, isList, proseAround, type Value, valuesIn } from "./values.ts"
import { fieldsNamed, nameOf, nothings, reasonNames, textNamed, wordOf, yesOrNo } from "./words.ts"

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
  /** Names of fields that hold the opposite of the answer: `{"not_met": true}`. */
  readonly opposites: RegExp
  /** Names under which what a yes is made of is listed: such a list is no answer, but one that is not empty allows no no. */
  readonly lists?: RegExp
  /** Whole sentences that answer the question, in lower case and without their full stop. */
  readonly sentences: { readonly yes: RegExp; readonly no: RegExp }
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

const gatewayNames = /^(?:message|code|status_?code|type|param)$/

const saysSomething = (value: Value): boolean =>
  value !== null && value !== false && !(typeof value === "string" && nothings.has(wordOf(value)))

const none: Given = { answers: [], reasons: [] }

/** The answers in a record and in the records within it. */
const given = (value: Value, words: AnswerWords, depth: number): Given => {
  if (depth > 4) return none
  if (isList(value)) {
    const parts = value.map((item) => given(item, words, depth + 1))
    return { answers: parts.flatMap(({ answers }) => answers), reasons: parts.flatMap(({ reasons }) => reasons) }
  }
  if (!isFields(value)) return none
  const scalars = (names: RegExp) => fieldsNamed(value, names).filter((field) => !isFields(field) && !isList(field))
  const answers = [
    ...scalars(words.names).map((field) => scalar(field, words)),
    ...scalars(words.opposites).flatMap((field) => {
      const said = yesOrNo(field)
      return said === undefined ? [] : [!said]
    })
  ]
  if (answers.length > 0) {
    const reason = textNamed(value, reasonNames)
    // {"error": true, "message": "rate limit"} is of a gateway, and about no note.
    if (
      reason === undefined &&
      fieldsNamed(value, gatewayNames).length > 0 &&
      fieldsNamed(value, words.names).every((field) => field === true)
    )
      return { answers: [undefined], reasons: [] }
    const listed = words.lists === undefined ? [] : fieldsNamed(value, words.lists).filter(isList)
    return {
      answers: [...answers, ...listed.flatMap((list) => (list.some(saysSomething) ? [true] : []))],
      reasons: reason === undefined ? [] : [reason]
    }
  }
  const parts = value.fields.map(([, field]) => given(field, words, depth + 1))
  return { answers: parts.flatMap(({ answers }) => answers), reasons: parts.flatMap(({ reasons }) => reasons) }
}

/** What an assistant says before it has an answer: "Yes, I can help with that." */
const talk =
  /^(?:yes|no|sure)\b[ ,.!:;–—-]{1,4}(?:of course|i (?:can|will|would|am|understand)|i['’](?:ll|d|m)|let me|let['’]s|please (?:provide|share|send|give)|happy to|problem\b)/i

/** The answers that prose states: the whole of it, its first word, its last sentence, and after the answer's name. */
const stated = (text: string, words: AnswerWords): ReadonlyArray<boolean> => {
  const whole = text.includes("\n") ? undefined : scalar(text, words)
  if (whole !== undefined && !/[.?!] /.test(text)) return [whole]
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
  if (lead !== undefined && !talk.test(plain.trimStart())) add(lead)
  const lines = plain.split("\n").filter((line) => line.trim() !== "")
  const sentences = lines.flatMap((line) => line.slice(0, 2000).split(/(?<=[.?!]) +/))
  for (const sentence of sentences) {
    const [, name = "", rest = ""] =
      /^[\s>#•*-]{0,8}([A-Za-z][A-Za-z _-]{1,30}?)\s{0,3}[:=]\s{0,3}(.*)$/.exec(sentence.slice(0, 400)) ?? []
    if (words.names.test(nameOf(name))) add(rest.trim())
    else if (words.opposites.test(nameOf(name))) {
      const said = yesOrNo(rest.trim())
      if (said !== undefined) found.push(!said)
    }
  }
  if (lines.length > 1) add(lines.at(-1))
  const last = sentences.at(-1)?.trim() ?? ""
  if (sentences.length > 1 && /^(?:yes|no)[.!]?$/i.test(last)) add(last)
  const said = wordOf(last)
  if (words.sentences.yes.test(said)) found.push(true)
  if (words.sentences.no.test(said)) found.push(false)
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
  if (parts.length > 0 && takesBack(proseAround(text).behind)) return unreadable("the reply takes its answer back")
  const answers = parts.length > 0 ? parts.flatMap((part) => part.answers) : stated(text, words)
  const distinct = new Set(answers)
  if (distinct.has(undefined)) return unreadable("the answer is neither yes nor no")
  if (distinct.size === 0) return unreadable("the reply holds no yes or no")
  if (distinct.size > 1) return unreadable("the reply says both yes and no")
  const [yes] = distinct
  const reason = reasons.at(-1)
  return { kind: "answer", yes: yes!, ...(reason === undefined ? {} : { reason }) }
}
