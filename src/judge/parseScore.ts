import { answerOf, squeezed, takesBack } from "./reading/reply.ts"
import { statedScores } from "./reading/statedScore.ts"
import { isFields, proseAround, type Value, valuesIn } from "./reading/values.ts"
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

const scoreNames = /^(?:(?:final|overall|total)_)?score$/
const totalNames = /^(?:max|maximum|max_?score|out_?of|total|scale_?max)$/

/** The score of a field: itself, or `{"value": 7, "out_of": 10}`. */
const scoreOf = (field: Value, max: number): number => {
  if (!isFields(field)) return scoreValue(field, max)
  const values = fieldsNamed(field, /^(?:value|score|points|number)$/)
  return values.length === 1 && !isFields(values[0]) && totalAgrees(field, max)
    ? scoreValue(values[0]!, max)
    : Number.NaN
}

/** Nothing is rescaled: a record that names another total has no score of this scale. */
const totalAgrees = (record: Value, max: number): boolean =>
  fieldsNamed(record, totalNames).every((total) => typeof total !== "number" || total === max)

const fromRecord = (value: Value, max: number): ParsedScore | undefined => {
  if (!isFields(value)) return undefined
  const given = fieldsNamed(value, scoreNames)
  if (given.length === 0) {
    // One level of wrapping, such as {"result": {"score": 7}}.
    const inner = value.fields.filter(([, part]) => fieldsNamed(part, scoreNames).length > 0)
    return inner.length === 1 ? fromRecord(inner[0]![1], max) : undefined
  }
  const [field] = given
  const scores = new Set(given.map((each) => scoreOf(each, max)))
  if (scores.size > 1) return unreadable("the reply has two scores in one record")
  const [score] = scores
  if (Number.isNaN(score)) return unreadable(`the score is ${shown(field!)}, not a number`)
  if (score! < 0 || score! > max) return unreadable(`the score ${score} is outside 0 to ${max}`)
  if (!totalAgrees(value, max)) return unreadable(`the score is not out of ${max}`)
  const reason = textNamed(value, reasonNames)
  // The retry writes the shape as {"reason": "…", "score": 0}.
  if (reason === contractReason || (score === 0 && reason !== undefined && !/[\p{L}\p{N}]/u.test(reason)))
    return unreadable("the reply repeats the contract's example")
  return { kind: "score", score: score!, ...(reason === undefined ? {} : { reason }) }
}

const shown = (field: Value): string =>
  isFields(field) ? "a record" : typeof field === "number" ? String(field) : JSON.stringify(field).slice(0, 200)

/**
 * The score of a whole-note judge's reply. Takes JSON in code fences or in prose, numbers as strings, `8/10`, and a
 * plain `Score: 8`. The last object with a score counts, unless what follows takes it back; prose counts only when it
 * states one score of the whole note and no other. A score outside 0 to `max`, or out of another total, is unreadable: nothing is rescaled by guess.
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
  const { all, behind } = proseAround(text)
  if (last !== undefined) {
    if (last.kind === "unreadable") return last
    return takesBack(behind) || statedScores(behind, max).some((score) => score !== last.score)
      ? unreadable("the reply takes its score back")
      : last
  }
  // A score that breaks off may have had another digit to come.
  if (values.some(({ value }) => fieldsNamed(value, scoreNames).length > 0))
    return unreadable("the reply was cut off or is broken")
  const bare = scoreValue(squeezed(text.replace(/```\w*|[*_`"]/g, "")), max)
  if (!Number.isNaN(bare))
    return bare >= 0 && bare <= max
      ? { kind: "score", score: bare }
      : unreadable(`the score ${bare} is outside 0 to ${max}`)
  const stated = statedScores(all, max)
  const distinct = new Set(stated)
  if (distinct.size === 0) return unreadable("the reply holds no score")
  if (distinct.size > 1) return unreadable("the reply states more than one score")
  const [score] = stated
  return score! >= 0 && score! <= max
    ? { kind: "score", score: score! }
    : unreadable(`the score is not a number from 0 to ${max}`)
}
