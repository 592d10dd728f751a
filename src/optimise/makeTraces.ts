import type { ItemSet } from "../domain/Item.ts"
import { type Outcome, type Outcomes, scoreOf } from "../domain/Judgement.ts"
import { pairOutcome } from "../measure/discrimination.ts"
import type { PairCounts, PairDifference } from "./mergePrompt.ts"
import type { NoteTrace } from "./trace.ts"
import { findingsOf, heldAgainst, verdictDifference } from "./verdicts.ts"

const passageLength = 400
const reasonLength = 400

const cut = (text: string, length: number) => (text.length <= length ? text : `${text.slice(0, length)}…`)

/** Where two texts differ: what stands between their longest common start and end, widened to whole words. */
export const differingPassages = (a: string, b: string): readonly [string, string] => {
  const wordsA = a.split(/(?<=\s)/)
  const wordsB = b.split(/(?<=\s)/)
  let start = 0
  while (start < wordsA.length && start < wordsB.length && wordsA[start] === wordsB[start]) start++
  let end = 0
  const room = Math.min(wordsA.length, wordsB.length) - start
  while (end < room && wordsA[wordsA.length - 1 - end] === wordsB[wordsB.length - 1 - end]) end++
  const middle = (words: ReadonlyArray<string>) =>
    words
      .slice(start, words.length - end)
      .join("")
      .trim()
  return [middle(wordsA), middle(wordsB)]
}

const letter = (index: number): string =>
  index < 26 ? String.fromCharCode(65 + index) : `${letter(Math.floor(index / 26) - 1)}${letter(index % 26)}`

/** One trace a note of the minibatch, in the order of its items. Takes the train part only, by type. */
export const makeTraces = (batch: ItemSet<"train">, outcomes: Outcomes): ReadonlyArray<NoteTrace> => {
  const consultations = [...new Set(batch.items.map(({ consultation }) => consultation))]
  const labels = new Map<number, string>()
  for (const [index, consultation] of consultations.entries()) {
    let number = 0
    for (const [position, item] of batch.items.entries()) {
      if (item.consultation === consultation) labels.set(position, `${letter(index)}${++number}`)
    }
  }
  const outcomeAt = (position: number): Outcome | undefined => outcomes[batch.items[position]!.id]
  const scoreAt = (position: number) => scoreOf(outcomeAt(position))
  const common = (position: number, right: boolean) => {
    const outcome = outcomeAt(position)
    const verdict: NoteTrace["verdict"] =
      outcome === undefined || outcome._tag === "failed"
        ? "not judged"
        : outcome._tag === "unparsed"
          ? "unreadable"
          : right
            ? "right"
            : "wrong"
    return {
      label: labels.get(position)!,
      verdict,
      score: outcome?._tag === "scored" ? outcome.score : null,
      reason: outcome?._tag === "scored" && outcome.reason !== undefined ? cut(outcome.reason, reasonLength) : null
    }
  }
  return batch.instances
    .toSorted((a, b) => a.item - b.item)
    .map((instance): NoteTrace => {
      if (instance.kind === "flawed") {
        const pair = batch.pairs[instance.pair]!
        const [cleanPassage, flawedPassage] = differingPassages(
          batch.items[pair.clean]!.note,
          batch.items[pair.flawed]!.note
        )
        const twinScore = scoreAt(pair.clean)
        const verdicts = verdictDifference(outcomeAt(pair.flawed), outcomeAt(pair.clean))
        return {
          ...common(instance.item, pairOutcome(scoreAt(pair.flawed), twinScore) === 1),
          truth: {
            kind: "flawed",
            twin: labels.get(pair.clean)!,
            twinScore: Number.isNaN(twinScore) ? null : twinScore,
            class: pair.class,
            ...(pair.trace === undefined ? {} : { trace: pair.trace }),
            ...(pair.severity === undefined ? {} : { severity: pair.severity }),
            ...(pair.fact === undefined ? {} : { fact: pair.fact }),
            cleanPassage: cut(cleanPassage, passageLength),
            flawedPassage: cut(flawedPassage, passageLength),
            surviving: pair.residual.map((quote) => cut(quote, passageLength))
          },
          ...(verdicts === undefined ? {} : { verdicts })
        }
      }
      // A clean note is judged rightly when each flawed twin in the batch scores below it.
      const twins = batch.pairs.filter((pair) => pair.clean === instance.item)
      const right = twins.every((pair) => pairOutcome(scoreAt(pair.flawed), scoreAt(pair.clean)) === 1)
      const findings = findingsOf(outcomeAt(instance.item))
      return {
        ...common(instance.item, right),
        truth: { kind: "clean" },
        ...(findings === undefined ? {} : { against: heldAgainst(findings) })
      }
    })
}

/** The pairs of a minibatch on which two judges' outcomes agree and differ. Takes the train part only, by type. */
export const pairDifferences = (
  batch: ItemSet<"train">,
  first: Outcomes,
  second: Outcomes
): { readonly counts: PairCounts; readonly differences: ReadonlyArray<PairDifference> } => {
  const others = makeTraces(batch, second)
  const counts = { both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 }
  const differences: Array<PairDifference> = []
  for (const [at, one] of makeTraces(batch, first).entries()) {
    const other = others[at]!
    if (one.truth.kind === "clean" || one.verdict === "not judged" || other.verdict === "not judged") continue
    const [left, right] = [one.verdict === "right", other.verdict === "right"]
    if (left === right) counts[left ? "both" : "neither"]++
    else {
      counts[left ? "onlyFirst" : "onlySecond"]++
      differences.push({ right: left ? "first" : "second", first: one, second: other })
    }
  }
  return { counts, differences }
}
