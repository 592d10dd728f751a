import type { SplitManifest } from "../domain/Split.ts"
import type { ReadOut } from "./readOut.ts"

/** Why consultations of a holdout were no news when it was opened, by another split of the same notes. */
export interface SeenBefore {
  /**
   * `opened`: they are in the other split's holdout, which was opened before. `searched`: they are in its train or
   * acceptance part, and a search on it made an instruction that the candidate comes from.
   */
  readonly how: "opened" | "searched"
  readonly split: { readonly name: string; readonly hash: string }
  /** How many of the holdout's consultations these are. */
  readonly consultations: number
  readonly of: number
  /** ISO 8601, UTC: of the first opening, or of the run's beginning. */
  readonly time: string
  /** The run that searched. */
  readonly run?: string
}

/** Which of a split's holdout consultations another split has in its holdout, and how many in the parts that a search reads. */
export interface SharedNotes {
  readonly holdout: number
  readonly optimised: number
}

/**
 * The consultations of a holdout that another split has too: known by the hash of their content, and by their ids where
 * both splits are of one file, which may have been changed in between.
 */
export const sharedNotes = (own: SplitManifest, other: SplitManifest, oneFile: boolean): SharedNotes => {
  const count = (ids: ReadonlyArray<string>) => {
    const hashes = new Set(ids.map((id) => other.content[id]))
    const named = new Set(ids)
    return own.holdout.filter((id) => {
      const hash = own.content[id]
      return (hash !== undefined && hashes.has(hash)) || (oneFile && named.has(id))
    }).length
  }
  return { holdout: count(other.holdout), optimised: count([...other.train, ...other.acceptance]) }
}

/** `7 of its 10 consultations were opened before, under split mine (2026-11-30T18:00:00.000Z)`. */
export const seenText = ({ consultations, how, of, run, split, time }: SeenBefore): string => {
  const some = `${consultations} of its ${of} ${of === 1 ? "consultation" : "consultations"} ${consultations === 1 ? "was" : "were"}`
  return how === "opened"
    ? `${some} opened before, under split ${split.name} (${time})`
    : `${some} in the train or acceptance part of split ${split.name}, on which run ${run} (${time}) made what the candidate comes from`
}

/**
 * Whether a read-out confirms nothing: its split's holdout has been opened more than once by now, or its notes were no
 * news when it was opened.
 */
export const isExploratory = ({ opening }: Pick<ReadOut, "opening">, openings: number): boolean =>
  openings > 1 || (opening.seen ?? []).length > 0
