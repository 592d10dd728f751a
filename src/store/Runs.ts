import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { hashOf } from "../domain/hash.ts"
import { RunSettings } from "../domain/RunEvent.ts"
import { CorruptStore, type StoreError, storeError } from "./errors.ts"
import { realPath } from "./realPath.ts"

/** A run as it was created, and how far its log goes. What happened in it stands in its events. */
export interface Run {
  /** Safe as a file name: lower-case letters, digits and hyphens. */
  readonly id: string
  readonly campaign: string
  /** Absolute path, without symbolic links. */
  readonly campaignFile: string
  readonly settings: RunSettings
  readonly settingsHash: string
  /** Milliseconds since 1970, like `updated`. */
  readonly created: number
  readonly events: number
  /** The newest event's time; `created` where there is none. */
  readonly updated: number
}

export interface NewRun {
  readonly campaignFile: string
  readonly settings: RunSettings
}

interface Row extends Omit<Run, "settings"> {
  readonly settings: string
}

const decodeSettings = Schema.decodeUnknownEffect(Schema.fromJsonString(RunSettings))

/** `Paediatric notes (v2)` → `paediatric-notes-v2`. Names without Latin letters or digits give `run`. */
const slug = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40) || "run"

/** The runs that a store knows. */
export class Runs extends Context.Service<
  Runs,
  {
    /** Creates a run and gives it the campaign's next number: `quickstart-1`, `quickstart-2`, … */
    create(run: NewRun): Effect.Effect<Run, StoreError>
    find(id: string): Effect.Effect<Option.Option<Run>, StoreError | CorruptStore>
    /** The newest first. With a campaign file, only that file's, whatever symbolic links it was named by. */
    list(campaignFile?: string): Effect.Effect<ReadonlyArray<Run>, StoreError | CorruptStore>
  }
>()("assize/Runs") {
  static readonly layer = Layer.effect(
    Runs,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const columns =
        sql.literal(`id, campaign, campaign_file AS "campaignFile", settings, settings_hash AS "settingsHash", created,
        (SELECT count(*) FROM events WHERE run = runs.id) AS events,
        coalesce((SELECT time FROM events WHERE run = runs.id ORDER BY sequence DESC LIMIT 1), created) AS updated`)

      const toRun = (row: Row) =>
        decodeSettings(row.settings).pipe(
          Effect.mapBoth({
            onSuccess: (settings): Run => ({ ...row, settings }),
            onFailure: (issue) =>
              new CorruptStore({
                row: `run ${row.id}`,
                what: `has unreadable settings (${issue.message})`,
                kind: "run"
              })
          })
        )

      const create = Effect.fn("Runs.create")(
        function* ({ campaignFile: given, settings }: NewRun) {
          const campaignFile = realPath(given)
          const created = yield* Clock.currentTimeMillis
          const name = slug(settings.campaign)
          const taken = yield* sql<{ readonly id: string }>`SELECT id FROM runs WHERE id GLOB ${`${name}-*`}`
          const numbers = taken.map(({ id }) => id.slice(name.length + 1)).filter((rest) => /^\d+$/.test(rest))
          const id = `${name}-${1 + Math.max(0, ...numbers.map(Number))}`
          const settingsHash = hashOf(settings)
          yield* sql`INSERT INTO runs (id, campaign, campaign_file, settings, settings_hash, created)
                     VALUES (${id}, ${settings.campaign}, ${campaignFile}, ${JSON.stringify(settings)}, ${settingsHash}, ${created})`
          return {
            id,
            campaign: settings.campaign,
            campaignFile,
            settings,
            settingsHash,
            created,
            events: 0,
            updated: created
          }
        },
        sql.withTransaction,
        Effect.mapError(storeError("create a run"))
      )

      const find = Effect.fn("Runs.find")(function* (id: string) {
        const rows = yield* sql<Row>`SELECT ${columns} FROM runs WHERE id = ${id}`.pipe(
          Effect.mapError(storeError(`find run ${id}`))
        )
        const row = rows[0]
        return row === undefined ? Option.none() : Option.some(yield* toRun(row))
      })

      const list = Effect.fn("Runs.list")(function* (campaignFile?: string) {
        const where =
          campaignFile === undefined
            ? sql.literal("")
            : sql`WHERE campaign_file IN (${campaignFile}, ${realPath(campaignFile)})`
        const rows = yield* sql<Row>`SELECT ${columns} FROM runs ${where} ORDER BY created DESC, rowid DESC`.pipe(
          Effect.mapError(storeError("list the runs"))
        )
        return yield* Effect.forEach(rows, toRun)
      })

      return Runs.of({ create, find, list })
    })
  )
}
