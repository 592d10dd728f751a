import * as Layer from "effect/Layer"
import type * as SqlClient from "effect/sql/SqlClient"
import type { InputError } from "../domain/InputError.ts"
import { CallLog } from "./CallLog.ts"
import { Confirmations } from "./Confirmations.ts"
import { EventLog } from "./EventLog.ts"
import { Findings } from "./Findings.ts"
import { JudgementStore } from "./JudgementStore.ts"
import * as migrations from "./migrations.ts"
import { Runs } from "./Runs.ts"
import { Sessions } from "./Sessions.ts"
import * as sqlite from "./sqlite.ts"
import { Uses } from "./Uses.ts"

export type Store =
  | Runs
  | EventLog
  | JudgementStore
  | CallLog
  | Uses
  | Findings
  | Sessions
  | Confirmations
  | SqlClient.SqlClient
  | sqlite.Statements

/** Everything that one store file holds, over one connection, brought up to date. `:memory:` gives one that is forgotten. */
export const layer = (filename: string): Layer.Layer<Store, InputError> =>
  Layer.mergeAll(
    Runs.layer,
    EventLog.layer,
    JudgementStore.layer,
    CallLog.layer,
    Uses.layer,
    Findings.layer,
    Sessions.layer,
    Confirmations.layer
  ).pipe(Layer.provideMerge(migrations.layer(filename)), Layer.provideMerge(sqlite.layer(filename)))
