/** string.punctuation of the official script; typographic quotes and dashes stay. */
const asciiPunctuation = /[!-/:-@[-`{-~]/g
/** Whole words, with Unicode's letters as word characters: in "año" nothing is an article. */
const articles = /(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu
/** What Python's str.split() splits at; JavaScript's \s has a byte-order mark more and the control characters less. */
const whiteSpace = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/

/**
 * Words of an answer after the normalisation of the official SQuAD 2.0 script: lower case, ASCII punctuation deleted (not
 * replaced: "x-ray" becomes "xray"), the words a, an, the replaced by a space, split at white space.
 */
export const answerWords = (answer: string): ReadonlyArray<string> =>
  answer
    .toLowerCase()
    .replace(asciiPunctuation, "")
    .replace(articles, " ")
    .split(whiteSpace)
    .filter((word) => word !== "")

/** Token F1 of two normalised answers, repeated words counted; 0 without a common word. */
const wordF1 = (gold: ReadonlyArray<string>, predicted: ReadonlyArray<string>): number => {
  const available = new Map<string, number>()
  for (const word of gold) available.set(word, (available.get(word) ?? 0) + 1)
  let common = 0
  for (const word of predicted) {
    const left = available.get(word) ?? 0
    if (left === 0) continue
    common++
    available.set(word, left - 1)
  }
  return common === 0 ? 0 : (2 * common) / (gold.length + predicted.length)
}

export interface AnsweredQuestion {
  /** Gold answers; none, or none with a word, for a question that has no answer. */
  readonly golds: ReadonlyArray<string>
  /** An answer, several spans of which the best counts, or null for an abstention. */
  readonly prediction: string | ReadonlyArray<string> | null
  /**
   * Whether the model says that it answers, where it says so apart from its spans: an "answered" without a span is then
   * an answer, and wrong [QA §3.4]. Left out: it answers when a span has a word.
   */
  readonly answered?: boolean
}

export interface ScoredQuestion {
  readonly answerable: boolean
  readonly answered: boolean
  /** Token F1 against the best gold (and span), in [0, 1]. */
  readonly f1: number
  /** Exact match after normalisation against the best gold (and span): 0 or 1. */
  readonly em: number
}

/**
 * SQuAD-2.0 score of one question: 0 when prediction and truth disagree on whether there is an answer, 1 when both say
 * there is none, the maximum over golds and predicted spans otherwise, for F1 and exact match apart [QA §3.4].
 */
export const scoreQuestion = (question: AnsweredQuestion): ScoredQuestion => {
  const withWords = (answers: ReadonlyArray<string>) => answers.map(answerWords).filter((words) => words.length > 0)
  const { prediction } = question
  const golds = withWords(question.golds)
  const spans = withWords(prediction === null ? [] : typeof prediction === "string" ? [prediction] : prediction)
  const answerable = golds.length > 0
  const answered = question.answered ?? spans.length > 0
  if (!answerable || !answered) {
    const score = answerable === answered ? 1 : 0
    return { answerable, answered, f1: score, em: score }
  }
  let f1 = 0
  let em = 0
  for (const gold of golds) {
    for (const span of spans) {
      f1 = Math.max(f1, wordF1(gold, span))
      if (gold.join(" ") === span.join(" ")) em = 1
    }
  }
  return { answerable, answered, f1, em }
}
