import * as Effect from "effect/Effect"
import type { Item } from "../domain/Item.ts"
import type { AnswerUse } from "../judge/UseRecorder.ts"
import type { ConsultationSpending } from "../measure/designGrid.ts"
import { inClusterOrder } from "../statistics/clusterOrder.ts"
import { JudgementStore } from "../store/JudgementStore.ts"

/**
 * What the answers of a judge's judgements were bought for, consultation by consultation in their order (`clusterNumbers`): an
 * answer that several notes of a consultation share counts once.
 */
export const spendingOf = Effect.fn("spendingOf")(function* (
  items: ReadonlyArray<Item>,
  uses: ReadonlyArray<AnswerUse>
) {
  const store = yield* JudgementStore
  const consultationOf = new Map(items.map(({ consultation, id }) => [id, consultation]))
  const spending = new Map<string, { notes: number; calls: number; usd: number; unpriced: number }>()
  for (const { consultation } of items) {
    const entry = spending.get(consultation) ?? { notes: 0, calls: 0, usd: 0, unpriced: 0 }
    entry.notes++
    spending.set(consultation, entry)
  }
  const counted = new Set<string>()
  for (const { item, key } of uses) {
    const consultation = consultationOf.get(item)
    const entry = consultation === undefined ? undefined : spending.get(consultation)
    const name = JSON.stringify([consultation, key])
    if (entry === undefined || counted.has(name)) continue
    counted.add(name)
    entry.calls++
    const reply = yield* store.get(key)
    if (reply?.cost == null) entry.unpriced++
    else entry.usd += reply.cost
  }
  return inClusterOrder(spending.keys()).map(
    (consultation) => spending.get(consultation)!
  ) satisfies ReadonlyArray<ConsultationSpending>
})
