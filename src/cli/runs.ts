import * as Console from "effect/Console"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { inputError, showValue } from "../domain/InputError.ts"
import { count, json, plain, table } from "./output.ts"
import { runArgument } from "./runArgument.ts"
import { compare } from "./runsCompare.ts"
import { human } from "./runsHuman.ts"
import { watch } from "./runsWatch.ts"
import { existingStore, locksOf, storeFlag } from "./store.ts"

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
const listIds = Effect.fn("listIds")(function* (file: string) {
  const { storeLayer } = yield* load
  const sql = yield* Effect.promise(() => import("effect/sql/SqlClient"))
  const rows = yield* Effect.flatMap(
    sql.SqlClient,
    (client) => client<{ readonly id: string }>`SELECT id FROM runs ORDER BY created DESC, rowid DESC`
  ).pipe(Effect.provide(storeLayer(file)))
  if (rows.length > 0) yield* Console.log(rows.map(({ id }) => id).join("\n"))
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
    if (input.ids) return yield* listIds(yield* existingStore(input.store))
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
              process: known?.process ?? null,
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

const show = Command.make(
  "show",
  {
    run: runArgument,
    candidate: Flag.String("candidate").pipe(
      Flag.withDescription("Show one candidate whole: its instruction, parents and figures (id, name, or winner)"),
      Flag.optional
    ),
    note: Flag.String("note").pipe(
      Flag.withMetavar("CONSULTATION/NOTE"),
      Flag.withDescription(
        "With --candidate: how it judged this note, with the facts, questions or criteria that the score is made of"
      ),
      Flag.optional
    ),
    iteration: Flag.Int("iteration").pipe(
      Flag.withDescription("Show one iteration whole: prompt, raw reply, proposal, figures, reason"),
      Flag.optional
    ),
    json: asJson,
    store: storeFlag
  },
  Effect.fn(function* (input) {
    const { EventLog, findRun, foldRun, storeLayer } = yield* load
    const { usageOf } = yield* Effect.promise(() => import("../campaign/usageOf.ts"))
    const { summary, summaryJson } = yield* Effect.promise(() => import("../terminal/summary.ts"))
    const file = yield* existingStore(input.store)
    yield* Effect.gen(function* () {
      if (Option.isSome(input.note)) {
        const item = input.note.value
        const { judgedBy } = yield* Effect.promise(() => import("../campaign/judgementOf.ts"))
        const { findingsRows, outcomeWords } = yield* Effect.promise(() => import("../report/findingsText.ts"))
        const by = yield* judgedBy(
          input.run,
          Option.getOrElse(input.candidate, () => "winner")
        )
        const { id, name } = by.member.candidate
        const outcome = yield* by.outcomeOf(item)
        if (outcome === undefined) {
          return yield* inputError({
            field: "--note",
            what: `${name} (${id}) of run ${by.run} has not judged this note`,
            found: showValue(item),
            expected: "CONSULTATION/NOTE of the train or the acceptance part"
          })
        }
        if (input.json) return yield* Console.log(json({ run: by.run, candidate: id, item, outcome }))
        const rows = findingsRows(outcome)
        const reason = outcome._tag === "scored" ? outcome.reason : undefined
        return yield* Console.log(
          [
            plain(`${name} (${id}) of run ${by.run} on ${item}: ${outcomeWords(outcome)}`).replaceAll("\n", " "),
            ...(reason === undefined ? [] : [plain(`because ${reason}`).replaceAll("\n", " ")]),
            ...(rows.length === 0 ? [] : ["", table(rows, 80)])
          ].join("\n")
        )
      }
      const run = yield* findRun(input.run)
      const log = yield* EventLog
      const events = (yield* Stream.runCollect(log.read(run.id))).map(({ event }) => event)
      const state = foldRun(events)
      if (Option.isSome(input.iteration)) {
        const number = input.iteration.value
        const of = events.filter(
          (event) => "iteration" in event && event.iteration === number && event._tag !== "stopped"
        )
        if (of.length === 0) {
          return yield* inputError({
            what: `run ${run.id} has no iteration ${number}`,
            expected: `1 to ${state.iteration}`
          })
        }
        if (input.json) return yield* Console.log(json(of))
        const { iterationText } = yield* Effect.promise(() => import("./iterationText.ts"))
        const names = new Map<string, string>(
          events.flatMap((event) =>
            event._tag === "candidate" ? [[event.candidate.id, event.candidate.name] as const] : []
          )
        )
        return yield* Console.log(iterationText(`Iteration ${number} of ${run.id}`, of, (id) => names.get(id) ?? id))
      }
      if (Option.isSome(input.candidate)) {
        const { memberNamed } = yield* Effect.promise(() => import("../campaign/members.ts"))
        const member = yield* memberNamed(state, input.candidate.value, "--candidate")
        const { id } = member.candidate
        const [author, pinned, vetoed] = [state.remarks.authorOf(id), state.remarks.pinOf(id), state.remarks.vetoOf(id)]
        if (input.json)
          return yield* Console.log(
            json({
              ...member.candidate,
              figures: member.figures,
              ...(author === undefined ? {} : { human: author }),
              ...(pinned === undefined ? {} : { pinned }),
              ...(vetoed === undefined ? {} : { vetoed })
            })
          )
        const { candidate, figures } = member
        return yield* Console.log(
          [
            plain(
              `${candidate.name} (${candidate.id}), ${candidate.origin} of iteration ${candidate.iteration}${candidate.parents.length === 0 ? "" : `, child of ${candidate.parents.join(", ")}`}`
            ),
            `primary ${figures.primary === null ? "not measured" : figures.primary.toFixed(4)} on ${count(figures.discrimination.pairs, "pair")}: ${figures.discrimination.wins} wins, ${figures.discrimination.ties} ties, ${figures.discrimination.losses} losses`,
            ...[
              ["written by a person", author],
              ["pinned", pinned],
              ["vetoed", vetoed]
            ].flatMap(([did, remark]) =>
              remark === undefined || typeof remark === "string"
                ? []
                : [plain(`${did}, ${remark.author}: ${remark.reason}`)]
            ),
            "",
            ...Object.entries(candidate.instructions).map(([module, text], _, { length }) =>
              plain(length === 1 ? text : `## ${module}\n\n${text}\n`)
            )
          ].join("\n")
        )
      }
      const extra = { runId: run.id, campaignFile: run.campaignFile, usage: yield* usageOf(run.id) }
      yield* Console.log(input.json ? json(summaryJson(state, extra)) : summary(state, extra))
    }).pipe(Effect.provide(storeLayer(file)))
  })
).pipe(
  Command.withDescription("Show a run: why it stopped, the seeds' and the winner's figures, what it cost"),
  Command.withExamples([
    { command: "assize runs show", description: "The newest run" },
    { command: "assize runs show quickstart-3 --candidate winner", description: "The winner's instruction, whole" },
    {
      command: "assize runs show quickstart-3 --iteration 12",
      description: "What the reflection model was asked and answered, and what became of it"
    }
  ])
)

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
