import { hashText } from "../noise.ts"
import type { Content, Kind } from "../text/content.ts"
import type { Note } from "../text/note.ts"
import type { Topic, Transcript } from "../text/transcript.ts"
import type { Attention } from "./attention.ts"
import { notices } from "./attention.ts"

export interface AdditionReading {
  /** Weight of what was noticed in the note without support in the transcript; about 1 for one bold invention. */
  readonly burden: number
  readonly worst: { readonly text: string; readonly what: string; readonly weight: number } | undefined
}

const topicOf: Readonly<Record<Kind, Topic>> = {
  number: "numbers",
  medicine: "medicines",
  side: "sides",
  clinical: "findings",
  person: "people",
  social: "social",
  time: "timing",
  word: "symptoms"
}

const opposite = (side: string) => (side === "left" ? "right" : "left")

/** How far the transcript fails to support a content, from 0 (said) to 1 (never said, or said otherwise). */
const lack = (content: Content, transcript: Transcript): number => {
  if (content.kind === "side") {
    if (content.of !== undefined && transcript.bound.has(`${content.key}/${content.of}`)) return 0
    if (content.of !== undefined && transcript.bound.has(`${opposite(content.key)}/${content.of}`)) return 1
    return transcript.vocabulary.has(content.key) ? 0.1 : 0.8
  }
  if (content.kind === "number") {
    if (!transcript.vocabulary.has(content.key)) return content.weight < 1 ? 0.4 : 1
    return content.of === undefined || transcript.bound.has(`${content.key}/${content.of}`) ? 0 : 0.25
  }
  if (!transcript.vocabulary.has(content.key) && !transcript.vocabulary.has(content.concept)) return 1
  if (content.kind !== "clinical" && content.kind !== "medicine") return 0
  const said = transcript.polarity.get(content.concept)
  if (said === undefined) return 0
  return content.negated ? (said.denied ? 0 : 0.35) : said.affirmed ? 0 : 0.45
}

const seriousness: Readonly<Record<Kind, number>> = {
  number: 1,
  medicine: 1,
  side: 1.1,
  clinical: 0.5,
  person: 0.4,
  social: 0.3,
  time: 0.2,
  word: 0.1
}

/**
 * Each further finding counts this much less: every note has wording that no transcript bears out, and a longer note
 * must not seem worse for it.
 */
const fading = 0.85
const usualSentences = 20
/** Brings the sum to about 1 for one bold invention in a note of usual wording. */
const scale = 14
/** How far a note's length counts: little, so that a sentence that is left out does not make the others seem worse. */
const byLength = 0.2

const about = hashText("addition")

/** What the note says that the transcript does not bear out, as far as this reader notices. */
export const readAdditions = (
  transcript: Transcript,
  note: Note,
  attention: Attention,
  seed: number
): AdditionReading => {
  const weights: Array<number> = []
  let worst: AdditionReading["worst"]
  for (const sentence of note.sentences) {
    let missing = 0
    let mass = 0
    let found = 0
    let boldest: { readonly content: Content; readonly weight: number } | undefined
    for (const content of sentence.contents) {
      mass += content.weight
      const without = lack(content, transcript)
      if (without === 0) continue
      missing += without * content.weight
      if (!notices(seed, content.hash ^ about, attention.toSupport(topicOf[content.kind]))) continue
      const weight = without * seriousness[content.kind]
      found += weight
      if (boldest === undefined || weight > boldest.weight) boldest = { content, weight }
    }
    if (boldest === undefined) continue
    // A sentence that is foreign throughout is an invention; one foreign word among familiar ones is mostly wording.
    const share = mass === 0 ? 0 : missing / mass
    const weight = Math.min(2, found * (0.35 + 0.9 * share))
    weights.push(weight)
    if (worst === undefined || weight > worst.weight) {
      worst = { text: sentence.text, what: boldest.content.key.replace("#", ""), weight }
    }
  }
  weights.sort((a, b) => b - a)
  const length = usualSentences + byLength * (note.sentences.length - usualSentences)
  const burden = (scale * weights.reduce((sum, weight, rank) => sum + weight * fading ** rank, 0)) / length
  return { burden, worst }
}
