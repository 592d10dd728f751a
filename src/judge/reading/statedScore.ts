/**
 * The scores that prose states of the note as a whole, in order; NaN for one that is no single number out of `max`: a
 * range, a condition, another total. Not stated are scores of a part ("faithfulness score: 9", "score: 7 for the
 * history"), of something else ("pain score 8/10"), of somebody else, and those that are refused or quoted.
 */
export const statedScores = (prose: string, max: number): ReadonlyArray<number> => {
  const text = prose
    .replace(/```\w*/g, "")
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "")
    .join("\n")
  return [...text.matchAll(statement)].flatMap((match): ReadonlyArray<number> => {
    const { name, number, of, opening, outOf } = match.groups as Readonly<Record<string, string | undefined>>
    const before = sentenceBefore(text.slice(Math.max(0, match.index - 200), match.index))
    const after = text.slice(match.index + match[0].length, match.index + match[0].length + 200)
    const overall = name!.toLowerCase().includes("overall")
    // "Overall, 3 facts are missing" states none.
    if (overall && !name!.toLowerCase().includes("score") && outOf === undefined && !/^ ?(?:$|[\n.,;])/.test(after))
      return []
    if (!overall && !mayStandBefore.test(before)) return []
    if (of !== undefined && notMine.test(before)) return []
    if (/["“«']$/.test(opening!) && /^[^"”»'\n]{0,80}["”»']/.test(after)) return []
    if (partly.test(after)) return []
    if (unsure.test(after) || (outOf !== undefined && Number(outOf) !== max)) return [Number.NaN]
    return [Number(number!.replace(",", "."))]
  })
}

const statement =
  /(?<opening>["“«'*_`#]{0,4})\b(?<name>(?:(?:final|overall|total)[ _])?score|overall(?: rating| grade)?)(?: \((?:0 ?(?:-|–|to) ?|out of )10\))?["'*_`]{0,4}[ \n>]?(?:(?:is(?: therefore| thus)?|(?<of>of)|[:=–—-])[ \n]?)?["'*_`]{0,4}[ \n]?(?<number>[+-]?\d{1,9}(?:[.,]\d{1,9})?)(?: ?["'*_`]{0,4} ?(?:\/|out of) ?(?<outOf>\d{1,9}(?:\.\d{1,9})?))?["'*_`]{0,4}/gi

/** The words of the same sentence. */
const sentenceBefore = (text: string): string => text.split(/[.!?;\n](?=\s|$)/).at(-1) ?? ""

/** Behind any other word it is the score of that: "Apgar score". */
const mayStandBefore =
  /(?:^\s*[-•*+]?|[^\p{L}\p{N}\s"“«'*_`#-]|\s[-–—]|\b(?:the|a|an|my|this|its|your|his|her|whole|numeric|numerical|quality|assessment|evaluation|judge|note|note['’]s|assigned|resulting|single|one|so|hence|therefore|thus|and|final|overall|total|with|is|give|gives|giving|would|i|it))[\s"“«'*_`#]*$/iu

const notMine =
  /(?:\b(?:not|never|cannot|unable to|decline to|refuse to|impossible to)|n['’]t)\b[^,;:]{0,20}\b(?:give|assign|award|deserve|justify|warrant|merit|get|earn|reach|provide)[^,;:]{0,30}$|\b(?:previous|prior|earlier|other|another|first|initial|reviewer)\b[^,;:]{0,30}\b(?:gave|given|assigned|awarded)\b/i

const partly =
  /^[ ,]?\(?(?:for|on|in|regarding|as to|in terms of) (?!(?:the |this )?(?:whole |entire |clinical )?note\b|it\b|this\b|a total\b|all\b|overall\b)|^ ?\((?:for )?[\p{L} ]{3,40} only\)/iu

const unsure =
  /^ ?(?:%|percent\b)|^[\p{L}\p{N}]|^ ?[-–—/+] ?\d|^ ?(?:to|or|and) \d|^[ ,(]*(?:maybe|perhaps|possibly|or maybe|up to|at most)\b|^[ ,(–—-]*(?:only )?(?:if|unless|provided|assuming|depending)\b|^ (?:would|could|might|may)\b|^ ?\?|^ ?\(?(?:out )?of \d/iu
