import type { CandidateId } from "../domain/Candidate.ts"
import type { HumanEvent, RejectionReason, RunSettings, StopReason } from "../domain/RunEvent.ts"
import { oneLine } from "./width.ts"

/** Printed wherever figures of the embedded model are. */
export const embeddedLabel = "embedded stand-in: figures say nothing about real models"

const field = (model: unknown, name: string): string | undefined => {
  if (typeof model !== "object" || model === null || !(name in model)) return undefined
  const value: unknown = Reflect.get(model, name)
  return typeof value === "string" ? oneLine(value) : undefined
}

/** A model as `provider model`, with its address where it is not the provider's own. */
export const modelName = (model: unknown): string => {
  if (typeof model === "string") return oneLine(model)
  const parts = [field(model, "provider"), field(model, "model")].filter((part) => part !== undefined)
  const address = field(model, "baseUrl")
  return `${parts.join(" ") || "unknown"}${address === undefined ? "" : ` (${address})`}`
}

/** Whether any figure of the run comes from the embedded stand-in. */
export const usesEmbedded = (settings: RunSettings | undefined): boolean =>
  settings !== undefined &&
  [settings.models.judge, settings.models.reflection].some((model) => field(model, "provider") === "embedded")

/** Why a run stopped, in words. */
export const stopWords: Readonly<Record<StopReason, string>> = {
  iterations: "all iterations done",
  stall: "no improvement found",
  "budget-usd": "money budget used up",
  "budget-calls": "call budget used up",
  "budget-tokens": "token budget used up",
  "budget-time": "time budget used up",
  asked: "stopped as asked, after the iteration",
  interrupted: "interrupted",
  "broken-reflection": "broken: the reflection model gives nothing usable",
  "broken-judge": "broken: no judgement can be had"
}

/** What a person did to a run, as a line; `nameOf` gives the name of a candidate by its id. */
export const humanWords = (event: HumanEvent, nameOf: (id: CandidateId) => string): string => {
  const did = (): string => {
    switch (event._tag) {
      case "pinned":
        return event.on ? `pinned ${nameOf(event.candidate)}` : `took the pin of ${nameOf(event.candidate)} back`
      case "vetoed":
        return event.on ? `vetoed ${nameOf(event.candidate)}` : `took the veto of ${nameOf(event.candidate)} back`
      case "added": {
        const { name, parents } = event.candidate
        return parents.length === 0
          ? `added ${name} by hand`
          : `added ${name}, edited from ${parents.map(nameOf).join(", ")}`
      }
      case "branched":
        return `branched campaign ${event.campaign} from ${event.candidates.map(nameOf).join(", ")}`
    }
  }
  return oneLine(`${event.author} ${did()}: ${event.reason}`)
}

/** A rejection's detail for a screen or a log that others may see: it never quotes a note. */
export const rejectionDetail = (reason: RejectionReason | null, detail: string): string =>
  reason === "copies-notes" ? "copies eight words or more in a row from a note" : oneLine(detail)
