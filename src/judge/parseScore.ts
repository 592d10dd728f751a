import { answerOf, squeezed } from "./reading/reply.ts"
import { isFields, type Value, valuesIn } from "./reading/values.ts"
import { fieldsNamed, reasonNames, textNamed } from "./reading/words.ts"
import { exampleReason as contractReason } from "./wholeNoteScore.ts"

/** What could be read from a judge's reply: a score of the contract, or why there is none. */
export type ParsedScore =
  | { readonly kind: "score"; readonly score: number; readonly reason?: string }
  | { readonly kind: "unreadable"; readonly why: string }

const unreadable = (why: string): ParsedScore => ({ kind: "unreadable", why })

/** What is read of a reply: far more than an answer needs, so that no reply can hold up the run. */
const readAtMost = 20_000

/** A number, or a string that is a number out of ten and nothing else. NaN otherwise. */
const scoreValue = (value: Value, max: number): number => {
  if (typeof value === "number") return value
  if (typeof value !== "string" || value.length > 200) return Number.NaN
  const [, number, outOf] =
    /^\s*[+]?(-?\d+(?:[.,]\d+)?)\s*(?:(?:\/|out of|of)\s*(\d+(?:\.\d+)?))?\s*(?:points?)?\s*\.?\s*$/i.exec(
      squeezed(value)
    ) ?? []
  if (number === undefined || (outOf !== undefined && Number(outOf) !== max)) return Number.NaN
  return Number(number.replace(",", "."))
}

const scoreNames = /^(?:final_)?score$/

const fromRecord = (value: Value, max: number): ParsedScore | undefined => {
  if (!isFields(value)) return undefined
  const given = fieldsNamed(value, scoreNames)
  if (given.length === 0) {
    // One level of wrapping, such as {"result": {"score": 7}}.
    const inner = value.fields.filter(([, part]) => fieldsNamed(part, scoreNames).length > 0)
    return inner.length === 1 ? fromRecord(inner[0]![1], max) : undefined
  }
  const [field] = given
  const scores = new Set(given.map((each) => scoreValue(each, max)))
  if (scores.size > 1) return unreadable("the reply has two scores in one record")
  const [score] = scores
  if (Number.isNaN(score)) return unreadable(`the score is ${shown(field!)}, not a number`)
  if (score! < 0 || score! > max) return unreadable(`the score ${score} is outside 0 to ${max}`)
  const reason = textNamed(value, reasonNames)
  if (reason === contractReason) return unreadable("the reply repeats the contract's example")
  return { kind: "score", score: score!, ...(reason === undefined ? {} : { reason }) }
}

const shown = (field: Value): string =>
  isFields(field) ? "a record" : typeof field === "number" ? String(field) : JSON.stringify(field).slice(0, 200)

const statedScore =
  /\b(?:final )?score\b["'*_`]{0,4} ?(?:is|of|[:=–—-])? ?["'*_`]{0,4} ?([+-]?\d{1,9}(?:[.,]\d{1,9})?) ?["'*_`]{0,4}(?: ?(?:\/|out of) ?(\d{1,9}(?:\.\d{1,9})?))?/gi

/**
 * The score of a whole-note judge's reply. Takes JSON in code fences or in prose, numbers as strings, `8/10`, and a
 * plain `Score: 8`. The last object with a score counts; prose counts only when it states one score and no other. A
 * score outside 0 to `max`, or out of another total, is unreadable: nothing is rescaled by guess.
 */
export const parseScore = (reply: string, max: number): ParsedScore => {
  const whole = answerOf(reply)
  const text = whole.length <= readAtMost ? whole : whole.slice(-readAtMost)
  if (text === "") return unreadable("the reply is empty")
  const values = valuesIn(text)
  const found = values
    .map(({ value, whole: complete }) => (complete ? fromRecord(value, max) : undefined))
    .filter((parsed) => parsed !== undefined)
  const last = found.at(-1)
  if (last !== undefined) return last
  // A score that breaks off may have had another digit to come.
  if (values.some(({ value }) => fieldsNamed(value, scoreNames).length > 0))
    return unreadable("the reply was cut off or is broken")
  const bare = scoreValue(squeezed(text.replace(/```\w*|[*_`"]/g, "")), max)
  if (!Number.isNaN(bare))
    return bare >= 0 && bare <= max
      ? { kind: "score", score: bare }
      : unreadable(`the score ${bare} is outside 0 to ${max}`)
  const stated = [...squeezed(text).matchAll(statedScore)].map(([, number, outOf]) =>
    outOf !== undefined && Number(outOf) !== max ? Number.NaN : Number(number!.replace(",", "."))
  )
  const distinct = new Set(stated)
  if (distinct.size === 0) return unreadable("the reply holds no score")
  if (distinct.size > 1) return unreadable("the reply states more than one score")
  const [score] = stated
  return score! >= 0 && score! <= max
    ? { kind: "score", score: score! }
    : unreadable(`the score is not a number from 0 to ${max}`)
}
