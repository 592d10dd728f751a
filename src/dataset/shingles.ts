/**
 * The words of a text in its order: lower case, maximal runs of letters, marks and digits. Of scripts that put no
 * spaces between words (Chinese, Japanese), each character.
 */
export const words = (text: string): ReadonlyArray<string> =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{M}\p{N}])+/gu
    ) ?? []

/** The distinct runs of `size` neighbouring words; of a shorter text, the one run that it is. */
export const shingles = (text: string, size: number): ReadonlySet<string> => {
  const all = words(text)
  if (all.length === 0) return new Set()
  const last = Math.max(0, all.length - size)
  return new Set(Array.from({ length: last + 1 }, (_, at) => all.slice(at, at + size).join(" ")))
}
