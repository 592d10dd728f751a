/** How many words in a row make a verbatim copy; scripts without spaces count characters. */
const gramLength = 8
const characterGramLength = 20

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const tokenPattern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}]+/gu

const tokens = (text: string): ReadonlyArray<string> => text.toLowerCase().match(tokenPattern) ?? []

function* grams(text: string): Generator<string> {
  const words = tokens(text)
  for (let start = 0; start + gramLength <= words.length; start++) {
    const length = unspaced.test(words[start]!) ? characterGramLength : gramLength
    if (start + length <= words.length) yield words.slice(start, start + length).join(" ")
  }
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
