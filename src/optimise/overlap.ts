/** How many words in a row make a verbatim copy; scripts without spaces count characters. */
const gramLength = 8
const characterGramLength = 20

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
/** Marks and invisible characters, such as soft hyphens, belong to the word that they stand in. */
const tokenPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}][\p{L}\p{N}\p{M}\p{Cf}]*/gu

/** A word as it is compared: without marks and invisible characters, in small letters. */
const plainWord = (word: string): string =>
  // Nearly all words are plain already, and there are many.
  /^[a-z0-9]+$/i.test(word)
    ? word.toLowerCase()
    : word
        .normalize("NFKD")
        .replace(/[\p{M}\p{Cf}]/gu, "")
        .toLowerCase()

/** A verbatim run of a text, normalised, and where it stands there. */
export interface Gram {
  readonly gram: string
  /** Offsets in UTF-16 units. */
  readonly start: number
  readonly end: number
}

/** The verbatim runs of a text in their order, one for each word that has enough words after it. */
export function* gramsWithPlaces(text: string): Generator<Gram> {
  const starts: Array<number> = []
  const words: Array<string> = []
  for (const match of text.matchAll(tokenPattern)) {
    starts.push(match.index)
    words.push(match[0])
  }
  const lower = words.map(plainWord)
  for (let first = 0; first + gramLength <= words.length; first++) {
    const last = first + (unspaced.test(words[first]!) ? characterGramLength : gramLength) - 1
    if (last >= words.length) continue
    yield {
      gram: lower.slice(first, last + 1).join(" "),
      start: starts[first]!,
      end: starts[last]! + words[last]!.length
    }
  }
}

function* grams(text: string): Generator<string> {
  for (const { gram } of gramsWithPlaces(text)) yield gram
}

/** The verbatim runs of the given texts, for finding copies of them; letter case, white space and punctuation aside. */
export const gramsOf = (texts: Iterable<string>): ReadonlySet<string> => {
  const all = new Set<string>()
  for (const text of texts) for (const gram of grams(text)) all.add(gram)
  return all
}

/** The first run of 8 words of `text` that is in `forbidden` and not in `allowed`; undefined when nothing is copied. */
export const copiedPassage = (
  text: string,
  forbidden: ReadonlySet<string>,
  allowed: ReadonlySet<string>
): string | undefined => {
  for (const gram of grams(text)) if (forbidden.has(gram) && !allowed.has(gram)) return gram
  return undefined
}
