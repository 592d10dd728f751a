import type { InstructionReading } from "../instruction.ts"
import { drawHashed } from "../noise.ts"
import type { Topic } from "../text/transcript.ts"
import { topics } from "../text/transcript.ts"

/** How a reader goes about a note, worked out once from the instruction. All shares are in [0, 1]. */
export interface Attention {
  /** The chance to notice a statement of the transcript, by the topics it touches. */
  readonly toStatement: (touched: ReadonlySet<Topic>) => number
  /** The chance to notice that a content of the note has no support, by topic. */
  readonly toSupport: (topic: Topic) => number
  /** How much each direction counts in the score. */
  readonly omissions: number
  readonly additions: number
  /** How little a mention elsewhere makes up for a statement that is not there. */
  readonly strictOnPartial: number
  /** How far other words for the same thing count as the same. */
  readonly tolerance: number
  readonly ignoresSmallTalk: number
  readonly weighsImportance: number
  /** How far the score is worked out from what was found, and not an impression. */
  readonly care: number
  /** Standard deviation of the impression beside what was found, in points. */
  readonly unsteadiness: number
  /** Steps of the score, in points. */
  readonly grain: number
}

/** What a reader notices unasked, and what being asked adds. They sum to just below 1. */
const unasked = 0.25
const unaskedDirection = 0.35
const askedByDirection = 0.06
const askedByTopic = 0.36
const byEnumerating = 0.2
const byBoth = 0.12

export const attentionOf = (reading: InstructionReading): Attention => {
  const { asked, clarity } = reading
  const enumerates = asked("enumerate") * clarity
  const omissions = reading.suppressed.has("omissions")
    ? 0
    : unaskedDirection + (1 - unaskedDirection) * asked("omissions")
  const additions = reading.suppressed.has("additions")
    ? 0.05
    : unaskedDirection + (1 - unaskedDirection) * asked("additions")
  const notice = (topic: number, direction: number) =>
    clarity *
    (unasked +
      askedByDirection * direction +
      askedByTopic * topic +
      byEnumerating * enumerates +
      byBoth * topic * enumerates)
  const specific = (topics.reduce((sum, topic) => sum + asked(topic), 0) / topics.length) * clarity
  const care = Math.min(1, 0.6 * enumerates + 0.32 * specific + 0.08 * asked("decimals"))
  const byTopic = new Map(topics.map((topic) => [topic, notice(asked(topic), asked("omissions"))] as const))
  const plain = notice(0, asked("omissions"))
  return {
    toStatement: (touched) => {
      let most = plain
      for (const topic of touched) most = Math.max(most, byTopic.get(topic)!)
      return most
    },
    toSupport: (topic) => notice(Math.max(asked(topic), 0.5 * asked("additions")), asked("additions")),
    omissions,
    additions,
    strictOnPartial: asked("partial") * clarity,
    tolerance: asked("paraphrase") * clarity,
    ignoresSmallTalk: asked("smallTalk") * clarity,
    weighsImportance: asked("importance") * clarity,
    care,
    unsteadiness: steadiest + (impression - steadiest) * (1 - care) ** 1.5,
    grain: care > 0.85 ? 0.05 : care > 0.4 ? 0.1 : care > 0.18 ? 0.25 : 0.5
  }
}

/** Standard deviation, in points, of a reader who counts and of one who goes by impression. */
const steadiest = 0.02
const impression = 0.2

/** How much chance there is in noticing, at its most (at even odds). */
const jitter = 0.3
/** Any constant: sets the draw that every reading shares apart from those of a seed. */
const everyReading = 1

/**
 * Whether a reader notices something with the given hash. What stands out and what escapes is largely the text's own
 * doing, the same in every reading, so that two notes on one consultation meet the same blind spots; the rest is the
 * seed's. Of many things, a share of about `attention` is noticed.
 */
export const notices = (seed: number, about: number, attention: number): boolean =>
  drawHashed(everyReading, about) + jitter * attention * (1 - attention) * (2 * drawHashed(seed, about) - 1) < attention
