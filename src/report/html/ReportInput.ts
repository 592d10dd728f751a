import type { Audit } from "../../audit/Audit.ts"
import type { Budget } from "../../domain/Campaign.ts"
import type { RunSettings } from "../../domain/RunEvent.ts"
import type { CallStretch } from "../../store/callSeries.ts"
import type { LoggedEvent } from "../../store/EventLog.ts"
import type { Usage } from "../../terminal/format.ts"
import type { KnownConfirmation } from "../confirmationsTable.ts"

/** The texts of the acceptance part, by the ids of the run's table. Never of the holdout. */
export interface KnownTexts {
  readonly notes: ReadonlyMap<string, string>
  readonly pairs: ReadonlyMap<string, { readonly fact?: string; readonly residual: ReadonlyArray<string> }>
}

/** Whether a report may quote notes, and what it has of them. */
export type ReportTexts =
  | { readonly kind: "known"; readonly texts: KnownTexts }
  /** The user wants none in the file. */
  | { readonly kind: "left-out" }
  /** Data set or split are gone, or are no longer what the run was of. */
  | { readonly kind: "not-at-hand"; readonly why: string }

/** All that a report is made of. The same input gives the same file. */
export interface ReportInput {
  readonly version: string
  /** When the report is made: ISO 8601. */
  readonly made: string
  readonly run: {
    readonly id: string
    readonly campaignFile: string
    readonly created: number
    readonly settings: RunSettings
    readonly settingsHash: string
  }
  readonly logged: ReadonlyArray<LoggedEvent>
  readonly usage: Usage
  readonly series: ReadonlyArray<CallStretch>
  /** As the campaign's file has them now; null where it cannot be read. */
  readonly campaign: { readonly budget: Budget; readonly iterations: number } | null
  readonly confirmations: ReadonlyArray<KnownConfirmation>
  readonly texts: ReportTexts
  /** Of the winner; or why there is none, as a sentence. */
  readonly audit: Audit | string
}
