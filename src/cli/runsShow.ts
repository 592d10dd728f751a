import * as Console from "effect/Console"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { inputError, showValue } from "../domain/InputError.ts"
import { wrapProse } from "../terminal/wrap.ts"
import { count, json, plain, terminalColumns } from "./output.ts"
import { runArgument } from "./runArgument.ts"
import { existingStore, locksOf, storeFlag } from "./store.ts"
import { table } from "./table.ts"
import { onlyOne } from "./together.ts"

const load = Effect.promise(async () => ({
  ...(await import("../campaign/openRun.ts")),
  ...(await import("../campaign/usageOf.ts")),
  ...(await import("../optimise/RunState.ts")),
  ...(await import("../campaign/knownConfirmations.ts")),
  ...(await import("../store/EventLog.ts")),
  ...(await import("../store/runStatuses.ts")),
  storeLayer: (await import("../store/store.ts")).layer
}))

const eventsOf = Effect.fnUntraced(function* (name: string) {
  const { EventLog, findRun } = yield* load
  const run = yield* findRun(name)
  const log = yield* EventLog
  return { run, events: (yield* Stream.runCollect(log.read(run.id))).map(({ event }) => event) }
})

/** How a candidate judged one note. */
const noteShown = Effect.fnUntraced(function* (name: string, candidate: string, item: string, asJson: boolean) {
  const { judgedBy } = yield* Effect.promise(() => import("../campaign/judgementOf.ts"))
  const { findingsRows, outcomeWords } = yield* Effect.promise(() => import("../report/findingsText.ts"))
  const by = yield* judgedBy(name, candidate)
  const { id, name: called } = by.member.candidate
  const outcome = yield* by.outcomeOf(item)
  if (outcome === undefined) {
    return yield* inputError({
      field: "--note",
      what: `${called} (${id}) of run ${by.run} has not judged this note`,
      found: showValue(item),
      expected: "CONSULTATION/NOTE of the train or the acceptance part"
    })
  }
  if (asJson) return json({ run: by.run, candidate: id, item, outcome })
  const rows = findingsRows(outcome)
  const reason = outcome._tag === "scored" ? outcome.reason : undefined
  return [
    plain(`${called} (${id}) of run ${by.run} on ${item}: ${outcomeWords(outcome)}`).replaceAll("\n", " "),
    ...(reason === undefined ? [] : [plain(`because ${reason}`).replaceAll("\n", " ")]),
    ...(rows.length === 0 ? [] : ["", table(rows, { maxCell: 80 })])
  ].join("\n")
})

const iterationShown = Effect.fnUntraced(function* (name: string, number: number, asJson: boolean) {
  const { foldRun } = yield* load
  const { events, run } = yield* eventsOf(name)
  const of = events.filter((event) => "iteration" in event && event.iteration === number && event._tag !== "stopped")
  if (of.length === 0) {
    const { iteration } = foldRun(events)
    return yield* inputError({
      field: "--iteration",
      what: `run ${run.id} has no iteration ${number}`,
      expected: iteration === 0 ? "a run with iterations; none of this one has been decided" : `1 to ${iteration}`
    })
  }
  if (asJson) return json(of)
  const { iterationText } = yield* Effect.promise(() => import("./iterationText.ts"))
  const names = new Map<string, string>(
    events.flatMap((event) => (event._tag === "candidate" ? [[event.candidate.id, event.candidate.name] as const] : []))
  )
  const text = iterationText(`Iteration ${number} of ${run.id}`, of, (id) => names.get(id) ?? id)
  return wrapProse(text, terminalColumns())
})

const candidateShown = Effect.fnUntraced(function* (name: string, candidateName: string, asJson: boolean) {
  const { foldRun } = yield* load
  const { memberNamed } = yield* Effect.promise(() => import("../campaign/members.ts"))
  const { candidateRescues } = yield* Effect.promise(() => import("../report/candidateRescues.ts"))
  const { rescuesSentence } = yield* Effect.promise(() => import("../report/rescuesText.ts"))
  const { events, run } = yield* eventsOf(name)
  const state = foldRun(events)
  const { candidate, figures } = yield* memberNamed(state, candidateName, "--candidate")
  const { id } = candidate
  const rescues = (yield* candidateRescues(run, events)).get(id)
  const [author, pinned, vetoed] = [state.remarks.authorOf(id), state.remarks.pinOf(id), state.remarks.vetoOf(id)]
  if (asJson) {
    return json({
      ...candidate,
      figures,
      ...(rescues === undefined ? {} : { rescues }),
      ...(author === undefined ? {} : { human: author }),
      ...(pinned === undefined ? {} : { pinned }),
      ...(vetoed === undefined ? {} : { vetoed })
    })
  }
  return [
    plain(
      `${candidate.name} (${id}), ${candidate.origin} of iteration ${candidate.iteration}${candidate.parents.length === 0 ? "" : `, child of ${candidate.parents.join(", ")}`}`
    ),
    `primary ${figures.primary === null ? "not measured" : figures.primary.toFixed(4)} on ${count(figures.discrimination.pairs, "pair")}: ${figures.discrimination.wins} wins, ${figures.discrimination.ties} ties, ${figures.discrimination.losses} losses`,
    ...(rescues === undefined ? [] : [`acceptance part, ${rescuesSentence(rescues)}`]),
    ...[
      ["written by a person", author],
      ["pinned", pinned],
      ["vetoed", vetoed]
    ].flatMap(([did, remark]) =>
      remark === undefined || typeof remark === "string" ? [] : [plain(`${did}, ${remark.author}: ${remark.reason}`)]
    ),
    "",
    ...Object.entries(candidate.instructions).map(([module, text], _, { length }) =>
      wrapProse(plain(length === 1 ? text : `## ${module}\n\n${text}\n`), terminalColumns())
    )
  ].join("\n")
})

const runShown = Effect.fnUntraced(function* (name: string, locks: string, asJson: boolean) {
  const { findRun, foldRun, isConfirmed, runStatuses, usageOf } = yield* load
  const { summary, summaryJson } = yield* Effect.promise(() => import("../terminal/summary.ts"))
  // Whether it runs is asked first: the events are then its last, where nobody runs it.
  const { id } = yield* findRun(name)
  const standing = (yield* runStatuses(locks)).find((known) => known.id === id)
  const { events, run } = yield* eventsOf(id)
  const state = foldRun(events)
  const extra = {
    runId: run.id,
    campaignFile: run.campaignFile,
    usage: yield* usageOf(run.id),
    confirmed: yield* isConfirmed(run.id),
    ...(standing === undefined ? {} : { standing })
  }
  return asJson ? json(summaryJson(state, extra)) : summary(state, extra, terminalColumns()).trimEnd()
})

export const show = Command.make(
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
    json: Flag.Boolean("json").pipe(Flag.withDescription("Print the result as JSON"), Flag.withDefault(false)),
    store: storeFlag
  },
  Effect.fn(function* (input) {
    const problems = [...onlyOne(input, ["candidate", "iteration"]), ...onlyOne(input, ["note", "iteration"])]
    if (problems.length > 0) return yield* inputError(...problems)
    const { storeLayer } = yield* load
    const file = yield* existingStore(input.store)
    const candidate = Option.getOrElse(input.candidate, () => "winner")
    const shown = Effect.gen(function* () {
      if (Option.isSome(input.note)) return yield* noteShown(input.run, candidate, input.note.value, input.json)
      if (Option.isSome(input.iteration)) return yield* iterationShown(input.run, input.iteration.value, input.json)
      if (Option.isSome(input.candidate)) return yield* candidateShown(input.run, candidate, input.json)
      return yield* runShown(input.run, locksOf(file), input.json)
    })
    yield* Console.log(yield* shown.pipe(Effect.provide(storeLayer(file))))
  })
).pipe(
  Command.withDescription(
    "Show a run: whether it runs or why it stopped, the seeds' and the winner's figures, what it cost"
  ),
  Command.withExamples([
    { command: "assize runs show", description: "The newest run" },
    { command: "assize runs show quickstart-3 --candidate winner", description: "The winner's instruction, whole" },
    {
      command: "assize runs show quickstart-3 --iteration 12",
      description: "What the reflection model was asked and answered, and what became of it"
    }
  ])
)
