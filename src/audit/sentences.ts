import type { Gram } from "../optimise/overlap.ts"

/** Whole sentences shorter than this are turns of phrase; those of eight words and more are found as words in a row. */
const words = { least: 4, most: 7 }

/**
 * The whole sentences of a text that have from four to seven words, letter case and punctuation aside: what is copied
 * whole is a copy, though it be short. Their keys are none of words in a row.
 */
export function* shortSentences(text: string): Generator<Gram> {
  for (const match of text.matchAll(/[^.!?;:\n]+/g)) {
    const own = match[0]
    const tokens = own.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
    if (tokens.length < words.least || tokens.length > words.most) continue
    const start = match.index + own.length - own.trimStart().length
    yield { gram: `sentence: ${tokens.join(" ")}`, start, end: start + own.trim().length }
  }
}
