import { contentHash, notesKey, pairKeys, transcriptKey } from "../dataset/identity.ts"
import type { Consultation, Pair } from "../domain/Dataset.ts"
import { withoutPairs } from "./exclusions.ts"

/** A consultation as far as a split goes by it: all but its texts, of which there are hashes. */
export interface Outline {
  readonly id: string
  readonly stratum?: string
  readonly pairs: ReadonlyArray<Pick<Pair, "id" | "class" | "trace" | "severity" | "stratum">>
  /** What ties the consultation to others, by content. The first is what its unit is known by. */
  readonly ties: readonly [string, ...Array<string>]
  /** Of all that the consultation says. */
  readonly content: string
}

const tiesOf = (consultation: Consultation): Outline["ties"] => {
  const transcript = transcriptKey(consultation)
  const own = transcript === undefined ? `notes:${notesKey(consultation)}` : `transcript:${transcript}`
  return [own, ...pairKeys(consultation).map((key) => `pair:${key}`)]
}

export const outlineOf = (consultation: Consultation): Outline => {
  const { id, pairs, stratum } = consultation
  return {
    id,
    ...(stratum === undefined ? {} : { stratum }),
    pairs: pairs.map((pair) => ({
      id: pair.id,
      class: pair.class,
      ...(pair.trace === undefined ? {} : { trace: pair.trace }),
      ...(pair.severity === undefined ? {} : { severity: pair.severity }),
      ...(pair.stratum === undefined ? {} : { stratum: pair.stratum })
    })),
    ties: tiesOf(consultation),
    content: contentHash(consultation)
  }
}

/** The outlines of the same consultations without their excluded pairs; `content` is still that of the whole. */
export const outlinesWithoutPairs = (
  consultations: Iterable<Consultation>,
  outlines: ReadonlyArray<Outline>,
  excluded: ReadonlySet<string>
): ReadonlyArray<Outline> => {
  if (excluded.size === 0) return outlines
  return Array.from(consultations, (one, at) => {
    const rest = withoutPairs(one, excluded)
    const outline = outlines[at]!
    return rest === one ? outline : { ...outlineOf(rest), content: outline.content }
  })
}
