import type { Candidate } from "../domain/Candidate.ts"
import type { ItemSet } from "../domain/Item.ts"
import type { RunSettings } from "../domain/RunEvent.ts"
import { type Scale, wholeNoteScale } from "./rewards.ts"

/** Everything that a search works on. There is no place in it for a holdout note, by type. */
export interface Task {
  readonly settings: RunSettings
  readonly train: ItemSet<"train">
  readonly acceptance: ItemSet<"acceptance">
  /** In the order of the campaign; distinct instructions. */
  readonly seeds: ReadonlyArray<Candidate>
  /** By module: the fixed end of its prompt, shown to the reflector. */
  readonly contracts: Readonly<Record<string, string>>
  /** Modules that evolve, in turn. */
  readonly modules: ReadonlyArray<string>
  /** Of the judge's scores; 0 to 10 if left out. */
  readonly scale?: Scale
  /** Limits that may be raised between the sittings of a run. */
  readonly limits: { readonly iterations: number; readonly stall: number; readonly brokenAfter: number }
}

/** What the scores of the task's judge mean for rewards. */
export const scaleOf = (task: Task): Scale => task.scale ?? wholeNoteScale
