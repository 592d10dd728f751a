import { DatabaseSync } from "node:sqlite"

/** Makes of a store file what the first version of it was. To be extended with every migration. */
export const toFirstVersion = (file: string): void => {
  const database = new DatabaseSync(file)
  database.exec("ALTER TABLE events DROP COLUMN sha256")
  database.exec("ALTER TABLE uses DROP COLUMN stage")
  for (const table of ["judgements", "calls"])
    for (const column of ["cache_write", "estimated"]) database.exec(`ALTER TABLE ${table} DROP COLUMN ${column}`)
  const tables = [
    "batch_requests",
    "batches",
    "claims",
    "confirmation_answers",
    "confirmations",
    "findings",
    "ledger_lines"
  ]
  for (const table of tables) database.exec(`DROP TABLE ${table}`)
  database.exec("DELETE FROM migrations WHERE migration_id > 1")
  database.close()
}
