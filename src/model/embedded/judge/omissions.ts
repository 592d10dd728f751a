import { drawHashed, hashText } from "../noise.ts"
import type { Content } from "../text/content.ts"
import type { Mention, Note } from "../text/note.ts"
import type { Statement, Topic, Transcript } from "../text/transcript.ts"
import type { Attention } from "./attention.ts"
import { notices } from "./attention.ts"

export interface OmissionReading {
  /** Share of what was noticed in the transcript that the note holds, weighted, in [0, 1]; null when nothing was noticed. */
  readonly capture: number | null
  /** The weightiest statement that the note lacks or only touches. */
  readonly worst: { readonly statement: Statement; readonly cover: number; readonly loss: number } | undefined
}

/** Credit for a content, by how it stands in the note. */
const unseenOtherWord = 0.35
/** How often another word for the same thing is recognised by a reader who was not told to accept it. */
const recognised = 0.55
const wrongPolarity = 0.45
const wrongUnit = 0.4

const creditOf = (content: Content, mention: Mention, knowsOtherWords: boolean): number => {
  let credit = mention.exact || knowsOtherWords ? 1 : unseenOtherWord
  if (content.negated !== mention.negated && content.kind === "clinical") credit *= wrongPolarity
  if (content.kind === "number" && content.of !== undefined && mention.of !== content.of) credit *= wrongUnit
  return credit
}

const mentionsOf = (content: Content, note: Note): ReadonlyArray<Mention> =>
  note.mentions.get(content.key) ?? note.mentions.get(content.concept) ?? []

/** Share of a statement's weight that the note holds: in the sentence that serves it best, and at a discount elsewhere. */
export const coverOf = (statement: Statement, note: Note, attention: Attention, seed: number): number => {
  const recognition = recognised + (1 - recognised) * attention.tolerance
  const bySentence = new Map<number, number>()
  let anywhere = 0
  const credits: Array<ReadonlyArray<readonly [number, number]>> = []
  for (const content of statement.contents) {
    let best = 0
    const own: Array<readonly [number, number]> = []
    const seen = new Map<number, number>()
    const mentions = mentionsOf(content, note)
    const knowsOtherWords = mentions.length > 0 && drawHashed(seed, content.hash ^ aboutWords) < recognition
    for (const mention of mentions) {
      const credit = creditOf(content, mention, knowsOtherWords) * content.weight
      best = Math.max(best, credit)
      if (credit > (seen.get(mention.sentence) ?? 0)) seen.set(mention.sentence, credit)
    }
    for (const [sentence, credit] of seen) {
      bySentence.set(sentence, (bySentence.get(sentence) ?? 0) + credit)
      own.push([sentence, credit])
    }
    credits.push(own)
    anywhere += best
  }
  let here = 0
  for (const sum of bySentence.values()) here = Math.max(here, sum)
  return (
    ((1 - attention.strictOnPartial) * anywhere + attention.strictOnPartial * (here + scattered * (anywhere - here))) /
    statement.mass
  )
}

/** What contents in other sentences are still worth to a reader who wants the whole statement. */
const scattered = 0.3

const graveTopics: ReadonlySet<Topic> = new Set(["allergies", "safetyNet", "medicines", "numbers"])
const graveWeight = 1.6

/** Below this mass a statement without clinical content is chatter. */
const chatterMass = 1

export const isChatter = (statement: Statement) =>
  statement.topics.size === 0 ||
  (statement.mass < chatterMass && !statement.contents.some((c) => c.kind === "clinical" || c.kind === "medicine"))

export const weightOf = (statement: Statement, attention: Attention): number => {
  const grave = [...statement.topics].some((topic) => graveTopics.has(topic))
  const base = Math.min(statement.mass, heaviest) * (grave ? 1 + (graveWeight - 1) * attention.weighsImportance : 1)
  return isChatter(statement) ? base * (1 - 0.9 * attention.ignoresSmallTalk) : base
}
const heaviest = 5

const about = hashText("omission")
const aboutWords = hashText("other words")

/** What the transcript says that the note lacks, as far as this reader notices. */
export const readOmissions = (
  transcript: Transcript,
  note: Note,
  attention: Attention,
  seed: number
): OmissionReading => {
  let held = 0
  let total = 0
  let worst: OmissionReading["worst"]
  for (const statement of transcript.statements) {
    if (statement.mass === 0) continue
    if (!notices(seed, statement.hash ^ about, attention.toStatement(statement.topics))) continue
    const cover = coverOf(statement, note, attention, seed)
    const weight = weightOf(statement, attention)
    held += weight * cover
    total += weight
    const loss = weight * (1 - cover) * (isChatter(statement) ? 0.3 : 1)
    if (worst === undefined || loss > worst.loss) worst = { statement, cover, loss }
  }
  return { capture: total === 0 ? null : held / total, worst }
}
