/** Numbers in words, as transcripts have them. "One" is left out: it is rarely a number. */
const numberWords: ReadonlyMap<string, string> = new Map(
  (
    [
      "two 2|three 3|four 4|five 5|six 6|seven 7|eight 8|nine 9|ten 10|eleven 11|twelve 12|fifteen 15|twenty 20",
      "thirty 30|forty 40|fifty 50|sixty 60|seventy 70|eighty 80|ninety 90"
    ] as const
  ).flatMap((line) => line.split("|").map((pair) => pair.split(" ") as [string, string]))
)

/** Spellings of a unit, the first of them its name here. */
const units: ReadonlyArray<ReadonlyArray<string>> = [
  ["mg", "milligram", "milligrams"],
  ["mcg", "µg", "μg", "ug", "microgram", "micrograms"],
  ["g", "gram", "grams"],
  ["kg", "kilo", "kilos", "kilogram", "kilograms"],
  ["ml", "millilitre", "millilitres", "milliliter", "milliliters"],
  ["litre", "litres", "liter", "liters"],
  ["units", "unit", "iu"],
  ["mmol", "mmol/l", "mmol/mol"],
  ["mmhg"],
  ["%", "percent", "per cent"],
  ["bpm"],
  ["cm", "centimetre", "centimetres", "centimeter", "centimeters"],
  ["mm", "millimetre", "millimetres", "millimeter", "millimeters"],
  ["°c", "degrees"],
  ["minutes", "minute", "mins", "min"],
  ["hours", "hour", "hrs", "hr"],
  ["days", "day"],
  ["weeks", "week"],
  ["months", "month"],
  ["years", "year", "yrs"],
  ["tablets", "tablet"],
  ["puffs", "puff"],
  ["drops", "drop"],
  ["lb", "lbs", "pounds", "pound"],
  ["stone"],
  ["inches", "inch"],
  ["feet", "foot"]
]
const unitNames: ReadonlyMap<string, string> = new Map(units.flatMap((some) => some.map((one) => [one, some[0]!])))

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")
const spellings = [...unitNames.keys()]
  .sort((a, b) => b.length - a.length)
  .map(escaped)
  .join("|")
const spelled = [...numberWords.keys()].join("|")

/** A word that may say what is measured, a number, its unit; or two numbers as of a blood pressure. */
const measurePattern = new RegExp(
  `(?:(?<![\\p{L}\\p{N}])(\\p{L}[\\p{L}-]*)[ \\t]+(?:(?:of|at|to)[ \\t]+)?)?(?<![\\p{L}\\p{N}.,/])(\\d{1,6}(?:[.,]\\d{1,4})?|(?:${spelled})(?=[ \\t-]))[ \\t-]?(${spellings})(?![\\p{L}\\p{N}])|(?<![\\p{N}/.])\\d{2,3}\\/\\d{2,3}(?![\\p{N}/])`,
  "dgiu"
)

/** Words before a number that do not say what it is the number of. */
const idle = new Set(
  "about above after almost another around before below between daily dose doses during each every exactly from given gives have just last least less more most nearly next only over past some take taken takes taking than that then this under until were with within".split(
    " "
  )
)

/** A number with its unit, and where it stands. */
export interface MeasurePlace {
  /** As `5 mg`, or `138/82`. */
  readonly bare: string
  /** With the word before it, as `amlodipine 5 mg`; undefined where that word says nothing. */
  readonly named: string | undefined
  /** Of the bare one, and where the named one starts. */
  readonly start: number
  readonly namedStart: number
  readonly end: number
}

/** Numbers with units in a text, normalised: numbers in words as digits, a unit by its short name. */
export const measuresIn = (text: string): ReadonlyArray<MeasurePlace> =>
  [...text.matchAll(measurePattern)].map((match) => {
    const [whole, word, number, unit] = match
    const end = match.index + whole.length
    if (number === undefined || unit === undefined)
      return { bare: whole, named: undefined, start: match.index, namedStart: match.index, end }
    const bare = `${numberWords.get(number.toLowerCase()) ?? number.replace(",", ".")} ${unitNames.get(unit.toLowerCase())}`
    const lower = word?.toLowerCase() ?? ""
    const says = lower.length >= 4 && !idle.has(lower) && !numberWords.has(lower)
    return {
      bare,
      named: says ? `${lower} ${bare}` : undefined,
      start: match.indices![2]![0],
      namedStart: match.index,
      end
    }
  })

const titled = /\b(?:Mr|Mrs|Ms|Miss|Mx|Dr|Doctor|Prof|Professor)\.?[ \t]+(\p{Lu}[\p{L}'’-]+)/gu
const capitalised = /(?<=[\p{Ll}\p{N},;:][ \t]+(?:["“'‘(])?)\p{Lu}\p{Ll}[\p{L}'’-]+/gu
const word = /\p{L}[\p{L}'’-]*\p{L}/gu

/** Weekdays and months are written as names are, and are none of a person, a place or a drug. */
const calendar = new Set(
  "monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december".split(
    " "
  )
)

/** A word that may be a name, and where it stands. `sure` where a title says so. */
export interface NamePlace {
  readonly name: string
  readonly kind: "titled" | "capitalised" | "word"
  readonly start: number
  readonly end: number
}

/**
 * Words of an instruction that may be names: after a title, with a capital within a sentence, and any longer word, since
 * drugs are written small. Whether one is a name is for the data to say.
 */
export const namesIn = (text: string): ReadonlyArray<NamePlace> => {
  const found = new Map<number, NamePlace>()
  const add = (kind: NamePlace["kind"], name: string, start: number) => {
    const lower = name.toLowerCase()
    if (!found.has(start) && !calendar.has(lower))
      found.set(start, { name: lower, kind, start, end: start + name.length })
  }
  for (const match of text.matchAll(titled)) add("titled", match[1]!, match.index + match[0].length - match[1]!.length)
  for (const match of text.matchAll(capitalised)) add("capitalised", match[0], match.index)
  for (const match of text.matchAll(word)) if (match[0].length >= 6) add("word", match[0], match.index)
  return [...found.values()].sort((a, b) => a.start - b.start)
}

const doseAfter =
  /^[ \t]+(?:of[ \t]+|at[ \t]+)?\d[\d.,]*[ \t]?(?:mg|mcg|µg|μg|g|ml|units?|milligrams?|micrograms?)(?![\p{L}\p{N}])/iu

/** How a word is used where it stands; a capital at the start of a sentence says nothing. */
export type WordUse = "name" | "dosed" | "word" | "start"

export const usedAs = (text: string, start: number, end: number): WordUse => {
  if (doseAfter.test(text.slice(end, end + 40))) return "dosed"
  const first = text.slice(start, start + 2)
  if (!/^\p{Lu}/u.test(first)) return "word"
  if (!/^\p{Lu}\p{Ll}/u.test(first)) return "start"
  const before = text.slice(Math.max(0, start - 12), start)
  return /(?:\b(?:Mr|Mrs|Ms|Miss|Mx|Dr|Doctor|Prof|Professor)\.?[ \t]+|[\p{Ll}\p{N},;][ \t]+)$/u.test(before)
    ? "name"
    : "start"
}

/** The words of a text in lower case, with their places. */
export const wordPlaces = function* (
  text: string
): Generator<{ readonly name: string; readonly start: number; readonly end: number }> {
  for (const match of text.matchAll(word))
    yield { name: match[0].toLowerCase(), start: match.index, end: match.index + match[0].length }
}
