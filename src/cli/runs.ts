import * as Console from "effect/Console"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { count, json, plain } from "./output.ts"
import { runArgument } from "./runArgument.ts"
import { compare } from "./runsCompare.ts"
import { human } from "./runsHuman.ts"
import { show } from "./runsShow.ts"
import { watch } from "./runsWatch.ts"
import { existingStore, locksOf, storeFlag } from "./store.ts"
import { table } from "./table.ts"

const asJson = Flag.Boolean("json").pipe(Flag.withDescription("Print the result as JSON"), Flag.withDefault(false))

const load = Effect.promise(async () => ({
  ...(await import("../campaign/openRun.ts")),
  ...(await import("../domain/RunEvent.ts")),
  ...(await import("../optimise/RunState.ts")),
  ...(await import("../store/EventLog.ts")),
  ...(await import("../store/Runs.ts")),
  ...(await import("../store/RunStatus.ts")),
  ...(await import("../store/runStatuses.ts")),
  storeLayer: (await import("../store/store.ts")).layer
}))

/** Without a look at what happened in the runs: shells ask for it while somebody types. */
const listIds = Effect.fn("listIds")(function* (file: string, asJson: boolean) {
  const { storeLayer } = yield* load
  const sql = yield* Effect.promise(() => import("effect/sql/SqlClient"))
  const rows = yield* Effect.flatMap(
    sql.SqlClient,
    (client) => client<{ readonly id: string }>`SELECT id FROM runs ORDER BY created DESC, rowid DESC`
  ).pipe(Effect.provide(storeLayer(file)))
  const ids = rows.map(({ id }) => id)
  if (asJson) return yield* Console.log(json(ids))
  if (ids.length > 0) yield* Console.log(ids.join("\n"))
})

const list = Command.make(
  "list",
  {
    ids: Flag.Boolean("ids").pipe(
      Flag.withDescription("Print the ids alone, one a line, for scripts"),
      Flag.withDefault(false)
    ),
    json: asJson,
    store: storeFlag
  },
  Effect.fn(function* (input) {
    if (input.ids) return yield* listIds(yield* existingStore(input.store), input.json)
    const { EventLog, Runs, endingStop, foldRun, runStatuses, statusWords, storeLayer } = yield* load
    const { usageOf } = yield* Effect.promise(() => import("../campaign/usageOf.ts"))
    const { spent } = yield* Effect.promise(() => import("../terminal/format.ts"))
    const file = yield* existingStore(input.store)
    const locks = locksOf(file)
    const rows = yield* Effect.gen(function* () {
      const runs = yield* Runs
      const log = yield* EventLog
      const statuses = new Map((yield* runStatuses(locks)).map((known) => [known.id, known]))
      return yield* Effect.forEach(yield* runs.list(), (run) =>
        Stream.runCollect(log.read(run.id)).pipe(
          Effect.map((logged) => logged.map(({ event }) => event)),
          // One damaged log must not hide the other runs.
          Effect.catchTag("CorruptStore", () => Effect.undefined),
          Effect.zip(usageOf(run.id)),
          Effect.map(([events, { roles: _, seconds: __, ...usage }]) => {
            const state = foldRun(events ?? [])
            const last = endingStop(events ?? [])
            const known = statuses.get(run.id)
            const status = events === undefined ? ("damaged" as const) : (known?.status ?? "never-begun")
            return {
              run: run.id,
              campaign: run.campaign,
              campaignFile: run.campaignFile,
              created: new Date(run.created).toISOString(),
              status,
              process: known?.holder?.pid ?? null,
              since: known?.holder?.since ?? null,
              iterations: state.iteration,
              candidates: state.members.length,
              winner: state.winner?.candidate.name ?? null,
              primary: state.winner?.figures.primary ?? null,
              pairs: state.winner?.figures.discrimination.pairs ?? null,
              usage,
              stopped: last?.reason ?? null
            }
          })
        )
      )
    }).pipe(Effect.provide(storeLayer(file)))
    if (input.json) return yield* Console.log(json(rows))
    if (rows.length === 0) return yield* Console.log("no runs yet")
    yield* Console.log(
      table([
        ["run", "started", "iterations", "candidates", "winner", "primary", "pairs", "cost", "state", "stopped"],
        ...rows.map((row) => [
          row.run,
          row.created.slice(0, 16).replace("T", " "),
          row.iterations,
          row.candidates,
          row.winner ?? "-",
          row.primary === null ? "-" : row.primary.toFixed(3),
          row.pairs ?? "-",
          row.usage.answered === 0 ? "-" : spent(row.usage),
          statusWords(row.status),
          row.stopped ?? "-"
        ])
      ])
    )
  })
).pipe(Command.withDescription("List the runs of this store, newest first"))

const exportCommand = Command.make(
  "export",
  {
    run: runArgument,
    out: Flag.String("out").pipe(
      Flag.withAlias("o"),
      Flag.withDescription("The folder to write (default: the run's id)"),
      Flag.optional
    ),
    judgements: Flag.Boolean("judgements").pipe(
      Flag.withDescription(
        "Write judgements.jsonl too, which holds transcripts and notes; --no-judgements leaves it out"
      ),
      Flag.withDefault(true)
    ),
    json: asJson,
    store: storeFlag
  },
  Effect.fn(function* (input) {
    const { findRun, storeLayer } = yield* load
    const { exportRun } = yield* Effect.promise(() => import("../report/exportRun.ts"))
    const file = yield* existingStore(input.store)
    yield* Effect.gen(function* () {
      const run = yield* findRun(input.run)
      const folder = Option.getOrElse(input.out, () => run.id)
      const { files: written, missing } = yield* exportRun(run, folder, { judgements: input.judgements })
      if (missing > 0) {
        yield* Console.error(
          `warning: judgements.jsonl is without ${count(missing, "judgement")} that the run used and the store no longer holds`
        )
      }
      yield* Console.log(
        input.json
          ? json({ run: run.id, folder, files: written, missingJudgements: missing })
          : `wrote run ${run.id} to ${plain(folder)}: ${count(written.length, "file")}${input.judgements ? "; judgements.jsonl holds transcripts and notes (--no-judgements leaves it out)" : ""}`
      )
    }).pipe(Effect.provide(storeLayer(file)))
  })
).pipe(
  Command.withDescription(
    "Write a run as plain files: manifest, events, lineage with every proposal, candidates, judgements"
  ),
  Command.withExamples([
    { command: "assize runs export latest --out exported", description: "The newest run, into a new folder" }
  ])
)

export const runs = Command.make("runs").pipe(
  Command.withDescription(
    "Look at runs: list, show, watch, export; compare their confirmations; take a hand: pin, veto, edit, add, branch"
  ),
  Command.withSubcommands([list, show, watch, exportCommand, compare, ...human])
)
