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
