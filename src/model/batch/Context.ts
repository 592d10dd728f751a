import type * as SqlClient from "effect/sql/SqlClient"
import type { BatchTable } from "../../store/batchTable.ts"
import type { CallLog } from "../../store/CallLog.ts"
import type { JudgementStore } from "../../store/JudgementStore.ts"
import type { Statements } from "../../store/sqlite.ts"
import type { CallGate } from "../CallGate.ts"
import type { ModelError } from "../LanguageModel.ts"
import type { RunBudget } from "../RunBudget.ts"
import type { BatchServer, RequestList } from "./BatchServer.ts"
import type { Insist } from "./insist.ts"
import type { Pool } from "./pool.ts"

/** What the parts of a collection share. */
export interface BatchContext {
  readonly run: string
  readonly sql: SqlClient.SqlClient
  readonly statements: Statements["Service"]
  readonly table: BatchTable
  readonly calls: CallLog["Service"]
  readonly judgements: JudgementStore["Service"]
  readonly budget: RunBudget["Service"]
  readonly gate: CallGate
  readonly server: BatchServer
  readonly insist: Insist
  readonly requests: RequestList
  /** All that is to be bought, for as long as the collection lasts. */
  readonly wanted: Pool
  /** A request that its server will not answer, however often it is asked. */
  readonly refuse: (key: string, error: ModelError) => void
}
