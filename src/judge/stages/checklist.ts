import type { AnswerSchema, Message } from "../../model/LanguageModel.ts"
import { answerOf, listLength, takesBack } from "../reading/reply.ts"
import { isFields, isList, proseAround, type Value, valuesIn } from "../reading/values.ts"
import { fieldsNamed, hedgedYes, nameOf, reasonNames, textNamed, wordOf, yesOrNo } from "../reading/words.ts"
import { objectOf, retried } from "./asking.ts"
import { type NoteInput, noteMessages, notePreamble } from "./notePrompt.ts"

export const preamble = notePreamble

/** The contract's example: a reply with this question asks nothing. */
const example = "a question about the note that is answered yes or no"
const shape = `{"questions": [{"question": "${example}", "satisfied": "YES or NO"}]}`

export const contract = `
</instruction>

Write down the questions that the note must satisfy, each so that YES speaks for the note, and answer each of them.
Answer with one JSON object and nothing else: ${shape}
`

export const answer: AnswerSchema = {
  name: "checklist",
  schema: objectOf({
    questions: {
      type: "array",
      items: objectOf({
        question: { type: "string", description: example },
        satisfied: { type: "string", enum: ["YES", "NO"] }
      })
    }
  })
}

export const messages = (input: NoteInput, instruction: string): ReadonlyArray<Message> =>
  noteMessages(input, instruction, contract)

export const retryMessages = (asked: ReadonlyArray<Message>, reply: string): ReadonlyArray<Message> =>
  retried(
    asked,
    reply,
    `That answer is no checklist that can be read. Answer again with one JSON object and nothing else: ${shape}`
  )

export interface CheckedQuestion {
  readonly question: string
  readonly satisfied: boolean
}

export type ParsedChecklist =
  | {
      readonly kind: "checklist"
      /** At least one. */
      readonly questions: ReadonlyArray<CheckedQuestion>
      /** The share of the questions that are satisfied, in [0, 1]. */
      readonly share: number
      /** Questions that the judge itself declared not applicable; they are in no denominator. */
      readonly notApplicable: number
    }
  | { readonly kind: "unreadable"; readonly why: string }

const unreadable = (why: string): ParsedChecklist => ({ kind: "unreadable", why })

const mostQuestions = 200

const questionNames = /^(?:question|q|item|text|criterion|check|requirement|description|name)$/
const answerNames =
  /^(?:satisfied|is_satisfied|answer|a|met|pass|passed|ok|result|verdict|response|checked|yes_?no|value|status)$/
const oppositeNames = /^(?:not_?(?:satisfied|met|passed)|un(?:satisfied|met)|failed)$/
/** Names of what is said beside the questions of a map, which ask nothing themselves. */
const besides =
  /^(?:overall|summary|total|conclusion|score|share|final|notes?|comments?|remarks?|thoughts?|thinking|confidence|error|satisfied|answer|result|verdict|(?:overall|final|all)_[a-z_]{1,20})$/
const asksNothing = (name: string): boolean =>
  [besides, reasonNames, oppositeNames].some((names) => names.test(nameOf(name)))
const listNames = /^(?:questions?|checklist|items?|criteria|checks|answers|list|results)$/

const notApplicable: ReadonlySet<string> = new Set(["n/a", "na", "not applicable", "does not apply", "null"])

type Answered = boolean | "not applicable" | undefined

const answerIn = (value: Value): Answered => {
  if (hedgedYes(value)) return undefined
  const answer = yesOrNo(value)
  if (answer !== undefined) return answer
  if (value === null || (typeof value === "string" && notApplicable.has(wordOf(value)))) return "not applicable"
  const word = typeof value === "string" ? wordOf(value) : ""
  return word === "satisfied" || word === "met" || word === "pass"
    ? true
    : word === "not satisfied" || word === "not met" || word === "fail"
      ? false
      : undefined
}

interface Row {
  readonly question: string
  readonly answer: Answered
}

/** Those that a record gives, also by a field that says the opposite. */
const answersOf = (value: Value): ReadonlyArray<Answered> => [
  ...fieldsNamed(value, answerNames).map(answerIn),
  ...fieldsNamed(value, oppositeNames).map((field) => {
    const said = yesOrNo(field)
    return said === undefined ? undefined : !said
  })
]

const rowOf = (value: Value): Row | undefined => {
  if (!isFields(value)) return undefined
  const question = textNamed(value, questionNames)
  const answers = answersOf(value)
  if (question !== undefined && answers.length > 0)
    return { question, answer: new Set(answers).size === 1 ? answers[0] : undefined }
  const [only] = value.fields
  // {"Is the dose recorded?": "YES"} as an item of a list.
  return value.fields.length === 1 && !asksNothing(only![0]) && !isFields(only![1]) && !isList(only![1])
    ? { question: only![0], answer: answerIn(only![1]) }
    : undefined
}

/** The rows of a record or list; undefined where it is no checklist. */
const rowsOf = (value: Value, depth: number): ReadonlyArray<Row> | undefined => {
  if (depth > 3) return undefined
  if (isList(value)) {
    const rows = value.map(rowOf)
    return rows.length > 0 && rows.every((row) => row !== undefined) ? rows : undefined
  }
  if (!isFields(value) || value.fields.length === 0) return undefined
  const listed = value.fields.filter(
    ([name, field]) => listNames.test(name.trim().toLowerCase()) && (isFields(field) || isList(field))
  )
  if (listed.length > 0) return listed.length === 1 ? rowsOf(listed[0]![1], depth + 1) : undefined
  const row = value.fields.length > 1 && textNamed(value, questionNames) !== undefined ? rowOf(value) : undefined
  if (row !== undefined) return undefined
  const asked = value.fields.filter(([name]) => !asksNothing(name))
  const scalars = asked.map(([question, field]): Row => {
    const answers = answersOf(field)
    return isFields(field)
      ? {
          question: textNamed(field, questionNames) ?? question,
          answer: new Set(answers).size === 1 ? answers[0] : undefined
        }
      : { question, answer: isList(field) ? undefined : answerIn(field) }
  })
  if (scalars.some(({ answer }) => answer !== undefined)) return scalars
  return value.fields.length === 1 ? rowsOf(value.fields[0]![1], depth + 1) : undefined
}

const ended =
  /^(.{3,500}?\?) ?(?:[:=|–—]|->|=>|→|-)? ?\(?((?:yes|no|true|false|n\/a|✓|✔|✅|✗|✘|❌)\b|✓|✔|✅|✗|✘|❌)(?:[\s.,;:)(–—-].{0,500})?$/i
/** An item of a list that asks something. */
const asks = /^(?:[-*•+] |\d{1,3}[.)] |Q\d{0,3}[.:)] ?)(.{3,500}?\?)/i
const boxed = /^(?:[-*•] )?\[([ xX✓✔])\] (.{3,500})$/

/** Rows of lines: a question mark with the answer behind it, a ticked box, a table of two columns or more. */
const lineRows = (text: string): ReadonlyArray<Row> =>
  text.split("\n").flatMap((given): ReadonlyArray<Row> => {
    const line = given.slice(0, 1200).replace(/[*_`]/g, "").replace(/\s+/g, " ").trim()
    const box = boxed.exec(line)
    if (box !== null) return [{ question: box[2]!, answer: box[1] !== " " }]
    if (line.startsWith("|")) {
      const cells = line
        .split("|")
        .map((cell) => cell.trim())
        .filter((cell) => cell !== "")
      const answers = cells.map(answerIn).filter((answer) => answer !== undefined)
      const question = cells.find((cell) => answerIn(cell) === undefined && /[a-z]{3}/i.test(cell))
      return question !== undefined && answers.length === 1 ? [{ question, answer: answers[0] }] : []
    }
    const found = ended.exec(line.replace(/^(?:[-*•+] |\d{1,3}[.)] |Q\d{0,3}[.:)] ?)/i, ""))
    if (found !== null) return [{ question: found[1]!, answer: answerIn(found[2]!) }]
    // A question that is passed over would raise or lower the share.
    const [, question] = asks.exec(line) ?? []
    return question === undefined ? [] : [{ question, answer: undefined }]
  })

const settled = (rows: ReadonlyArray<Row>): ParsedChecklist => {
  if (rows.length === 0) return unreadable("the reply holds no checklist")
  if (rows.length > mostQuestions)
    return unreadable(`the reply has ${rows.length} questions; ${mostQuestions} at most are read`)
  if (rows.some(({ question }) => question.trim() === example))
    return unreadable("the reply repeats the contract's example")
  const unclear = rows.find(({ answer }) => answer === undefined)
  if (unclear !== undefined)
    return unreadable(`the question "${unclear.question.slice(0, 80)}" has no answer that is yes or no`)
  const byQuestion = new Map<string, Answered>()
  for (const { question, answer } of rows) {
    const key = question.toLowerCase().replace(/\s+/g, " ").trim()
    if (byQuestion.has(key) && byQuestion.get(key) !== answer)
      return unreadable(`the question "${question.slice(0, 80)}" is answered in two ways`)
    byQuestion.set(key, answer)
  }
  const questions = [...byQuestion.keys()].flatMap((key) => {
    const satisfied = byQuestion.get(key)
    const row = rows.find(({ question }) => question.toLowerCase().replace(/\s+/g, " ").trim() === key)!
    return typeof satisfied === "boolean" ? [{ question: row.question.trim(), satisfied }] : []
  })
  if (questions.length === 0) return unreadable("no question of the checklist applies")
  return {
    kind: "checklist",
    questions,
    share: questions.filter(({ satisfied }) => satisfied).length / questions.length,
    notApplicable: byQuestion.size - questions.length
  }
}

/** The checklist of a reply. One that was cut off is none: how many questions are missing cannot be known. */
export const parse = (reply: string): ParsedChecklist => {
  const text = answerOf(reply)
  if (text === "") return unreadable("the reply is empty")
  if (text.length > listLength)
    return unreadable(`the reply has ${text.length} characters; ${listLength} at most are read`)
  const values = valuesIn(text)
  const lists = values.flatMap(({ value, whole }) => {
    const rows = rowsOf(value, 0)
    return rows === undefined ? [] : [{ rows, whole }]
  })
  if (values.some(({ value }) => isFields(value)) && takesBack(proseAround(text).behind))
    return unreadable("the reply takes its answers back")
  if (lists.some(({ whole }) => !whole)) return unreadable("the checklist was cut off or is broken")
  const distinct = new Map(lists.map(({ rows }) => [JSON.stringify(rows), rows]))
  if (distinct.size > 1) return unreadable("the reply holds more than one checklist")
  const [only] = distinct.values()
  if (only !== undefined) return settled(only)
  // One record a line, as in JSON Lines.
  const single = values.map(({ value, whole }) => (whole ? rowOf(value) : undefined))
  if (single.length > 0 && single.every((row) => row !== undefined)) return settled(single)
  if (values.some(({ value }) => isFields(value))) return unreadable("the reply holds no checklist")
  return settled(lineRows(text))
}
