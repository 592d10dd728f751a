/** Numbers as they are spoken, written the way a note writes them. */

const ones = new Map(
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
    .split(" ")
    .map((word, value) => [word, value] as const)
)
ones.set("nought", 0)
ones.set("oh", 0)
const tens = new Map(
  "twenty thirty forty fifty sixty seventy eighty ninety"
    .split(" ")
    .map((word, index) => [word, (index + 2) * 10] as const)
)
const ordinals = new Map(
  "first second third fourth fifth sixth seventh eighth ninth tenth"
    .split(" ")
    .map((word, index) => [word, index + 1] as const)
)

const isPart = (word: string | undefined): word is string =>
  word !== undefined && (ones.has(word) || tens.has(word)) && word !== "oh"

/** One group below 100 from `at`: its value and the words it took. */
const group = (words: ReadonlyArray<string>, at: number): { readonly value: number; readonly taken: number } => {
  const first = words[at]!
  const ten = tens.get(first)
  if (ten === undefined) return { value: ones.get(first)!, taken: 1 }
  const one = ones.get(words[at + 1] ?? "")
  return one !== undefined && one > 0 && one < 10 && words[at + 1] !== "oh"
    ? { value: ten + one, taken: 2 }
    : { value: ten, taken: 1 }
}

const decimals = (words: ReadonlyArray<string>, at: number): { readonly digits: string; readonly taken: number } => {
  let digits = ""
  let next = at
  while (ones.has(words[next] ?? "") && ones.get(words[next]!)! < 10) digits += ones.get(words[next++]!)
  if (digits === "" && isPart(words[next])) {
    const whole = group(words, next)
    return { digits: String(whole.value), taken: next + whole.taken - at }
  }
  return { digits, taken: next - at }
}

/**
 * The words with every spoken number as digits: "thirty eight point four" is 38.4, "one twenty six" 126, "two hundred"
 * 200, "nineteen ninety" 1990, "a half" stays. Numbers said one after the other as a list are kept apart.
 */
export const withDigits = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const out: Array<string> = []
  let at = 0
  while (at < words.length) {
    const word = words[at]!
    if (ordinals.has(word) && word !== "second" && word !== "first") {
      out.push(String(ordinals.get(word)))
      at++
      continue
    }
    const hundred = (word === "a" || word === "an") && (words[at + 1] === "hundred" || words[at + 1] === "thousand")
    if (!isPart(word) && !hundred) {
      out.push(word)
      at++
      continue
    }
    const start = hundred ? { value: 1, taken: 1 } : group(words, at)
    let value = start.value
    at += start.taken
    if (words[at] === "hundred" || words[at] === "thousand") {
      value *= words[at] === "hundred" ? 100 : 1000
      at++
      const skip = words[at] === "and" && isPart(words[at + 1]) ? 1 : 0
      if (isPart(words[at + skip])) {
        const rest = group(words, at + skip)
        value += rest.value
        at += skip + rest.taken
        if (words[at] === "hundred") {
          value = value - rest.value + rest.value * 100
          at++
        }
      }
    } else if (isPart(words[at]) && (tens.has(words[at]!) || ones.get(words[at]!)! >= 10) && value > 0 && value < 100) {
      // "one twenty six" and "nineteen ninety": two groups side by side, the second of two digits.
      const rest = group(words, at)
      if (value < 10 || (value >= 10 && value <= 20)) {
        value = value * 100 + rest.value
        at += rest.taken
      }
    } else if (words[at] === "oh" && ones.has(words[at + 1] ?? "")) {
      value = value * 100 + ones.get(words[at + 1]!)!
      at += 2
    }
    let text = String(value)
    if (words[at] === "point") {
      const fraction = decimals(words, at + 1)
      if (fraction.digits !== "") {
        text += `.${fraction.digits}`
        at += 1 + fraction.taken
      }
    }
    out.push(text)
  }
  return out
}

/** "05" and "5", "7.0" and "7" are one number; a time is the number that "four thirty" gives. */
export const canonicalNumber = (text: string): string => {
  const value = Number(text.replace(":", ""))
  return Number.isFinite(value) ? String(value) : text
}
