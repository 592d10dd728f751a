import type { Criterion, ErrorClass, Severity, Trace } from "./Dataset.ts"
import type { PartName } from "./Split.ts"

declare const partOf: unique symbol

/** One note to be judged against its consultation's transcript. Known by its id and its content, never by position. */
export interface Item<P extends PartName = PartName> {
  readonly [partOf]: P
  /** `consultation/note`, each escaped so that the two cannot run together. */
  readonly id: string
  /** Hash of transcript and note: what seeds and orders depend on, so that renaming ids changes no figure. */
  readonly key: string
  readonly consultation: string
  readonly transcript: string | null
  readonly note: string
  /** The consultation's own, for a rubric judge; left out where it has none. */
  readonly criteria?: ReadonlyArray<Criterion>
}

/** A pair whose two notes are items: `flawed` and `clean` are indices into the items. */
export interface ItemPair {
  readonly id: string
  readonly consultation: string
  readonly flawed: number
  readonly clean: number
  readonly class: ErrorClass
  readonly trace?: Trace
  readonly severity?: Severity
  readonly stratum?: string
  /** For the traces of the train part. */
  readonly fact?: string
  readonly residual: ReadonlyArray<string>
}

/**
 * What earns a reward: each distinct clean note, and each pair (the flawed note against its twin). `item` and `twin`
 * are indices into the items.
 */
export type Instance =
  | { readonly kind: "clean"; readonly id: string; readonly item: number }
  | {
      readonly kind: "flawed"
      readonly id: string
      readonly item: number
      readonly twin: number
      readonly pair: number
    }
  | { readonly kind: "lone"; readonly id: string; readonly item: number }

/** The notes of one part, consultation by consultation, with what is known of them. */
export interface ItemSet<P extends PartName = PartName> {
  readonly items: ReadonlyArray<Item<P>>
  readonly pairs: ReadonlyArray<ItemPair>
  readonly instances: ReadonlyArray<Instance>
}

const escapePart = (id: string) => id.replaceAll("%", "%25").replaceAll("/", "%2F")

export const itemId = (consultation: string, note: string): string => `${escapePart(consultation)}/${escapePart(note)}`

/** The note's own id, out of its item's. */
export const noteIdOf = ({ consultation, id }: Pick<Item, "consultation" | "id">): string =>
  id.slice(itemId(consultation, "").length).replaceAll("%2F", "/").replaceAll("%25", "%")
