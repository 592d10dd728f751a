import * as Result from "effect/Result"
import type { Consultation, Pair } from "../domain/Dataset.ts"
import { type Problem, showValue } from "../domain/InputError.ts"
import { itemId } from "../domain/Item.ts"
import { nearest } from "../domain/nearest.ts"

/** A pair with the consultation that it belongs to. */
export interface FoundPair {
  readonly consultation: Consultation
  readonly pair: Pair
}

/**
 * The pairs that are asked for: of a consultation, or the one with an id (`pair`, or `consultation/pair` where several
 * consultations have it), or else the first pair of the dataset.
 */
export const findPairs = (
  consultations: ReadonlyArray<Consultation>,
  asked: { readonly consultation?: string | undefined; readonly pair?: string | undefined }
): Result.Result<ReadonlyArray<FoundPair>, Problem> => {
  const missing = (what: string, id: string, known: ReadonlyArray<string>): Problem => {
    const close = nearest(id, known)
    return {
      what: `the dataset has no ${what} ${showValue(id)}`,
      ...(known.length === 0
        ? {}
        : {
            hint:
              close === undefined
                ? `It has ${known
                    .slice(0, 3)
                    .map((one) => showValue(one))
                    .join(", ")} and others`
                : `Did you mean ${showValue(close)}?`
          })
    }
  }
  const within =
    asked.consultation === undefined ? consultations : consultations.filter((one) => one.id === asked.consultation)
  if (within.length === 0 && asked.consultation !== undefined) {
    return Result.fail(
      missing(
        "consultation",
        asked.consultation,
        consultations.map((one) => one.id)
      )
    )
  }
  const all = within.flatMap((consultation) => consultation.pairs.map((pair) => ({ consultation, pair })))
  if (asked.pair !== undefined) {
    const full = all.filter(({ consultation, pair }) => itemId(consultation.id, pair.id) === asked.pair)
    const found = full.length > 0 ? full : all.filter(({ pair }) => pair.id === asked.pair)
    if (found.length === 0)
      return Result.fail(
        missing(
          "pair",
          asked.pair,
          all.map(({ consultation, pair }) => itemId(consultation.id, pair.id))
        )
      )
    if (found.length === 1) return Result.succeed(found)
    const first = found[0]!
    return Result.fail({
      what: `${found.length} consultations have a pair ${showValue(asked.pair)}`,
      hint: `Give its full name, such as ${showValue(itemId(first.consultation.id, first.pair.id))}, or --consultation too`
    })
  }
  if (all.length === 0)
    return Result.fail({
      what:
        asked.consultation === undefined
          ? "the dataset has no pairs"
          : `consultation ${showValue(asked.consultation)} has no pairs`
    })
  return Result.succeed(asked.consultation === undefined ? all.slice(0, 1) : all)
}
