import * as Console from "effect/Console"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Terminal from "effect/Terminal"
import { type InputError, inputError } from "../domain/InputError.ts"
import type { PruneWhat } from "../store/prune.ts"
import { colourWanted, json, paint } from "./output.ts"
import { RunEnded } from "./RunEnded.ts"
import { existingStore, locksOf, storeFlag } from "./store.ts"
import { meaningless } from "./together.ts"

const asJson = Flag.Boolean("json").pipe(Flag.withDescription("Print the result as JSON"), Flag.withDefault(false))

const view = Effect.promise(() => import("./storeView.ts"))

const stats = Command.make(
  "stats",
  { json: asJson, store: storeFlag },
  Effect.fn(function* (input) {
    const { storeStats } = yield* Effect.promise(() => import("../store/stats.ts"))
    const { layer } = yield* Effect.promise(() => import("../store/store.ts"))
    const { statsText } = yield* view
    const file = yield* existingStore(input.store)
    const found = yield* storeStats(file, locksOf(file)).pipe(Effect.provide(layer(file)))
    yield* Console.log(input.json ? json(found) : statsText(found, paint(colourWanted())))
  })
).pipe(Command.withDescription("What the store holds: judgements by model, money, runs, calls, what reuse has saved"))

const verify = Command.make(
  "verify",
  { json: asJson, store: storeFlag },
  Effect.fn(function* (input) {
    const { verifyStore } = yield* Effect.promise(() => import("../store/verify.ts"))
    const { layer } = yield* Effect.promise(() => import("../store/sqlite.ts"))
    const { verificationText } = yield* view
    const file = yield* existingStore(input.store)
    const found = yield* verifyStore(file, locksOf(file)).pipe(Effect.provide(layer(file)))
    yield* Console.log(input.json ? json({ ok: found.damage.length === 0, ...found }) : verificationText(found))
    if (found.damage.length > 0) return yield* new RunEnded({ code: 3 })
  })
).pipe(
  Command.withDescription("Check every row of the store; names each damaged one, and exits with 3 if there is any")
)

/** The typed word that a deletion needs, or `--yes`. */
const confirmed = Effect.fnUntraced(function* (yes: boolean) {
  if (yes) return true
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) {
    return yield* inputError({
      field: "--yes",
      what: "what was paid for is not deleted unasked, and there is no terminal to ask on",
      hint: "See what would go with --dry-run, then give --yes"
    })
  }
  const terminal = yield* Terminal.Terminal
  process.stderr.write("Type delete to delete them: ")
  const answer = yield* Effect.orElseSucceed(terminal.readLine, () => "")
  return answer.trim() === "delete"
})

const pruneFlags = {
  olderThan: Flag.String("older-than").pipe(
    Flag.withMetavar("DURATION"),
    Flag.withDescription('Judgements bought longer ago than this, such as "90 days"'),
    Flag.optional
  ),
  unused: Flag.Boolean("unused").pipe(
    Flag.withDescription(
      "Judgements that no run uses, those of assize score among them; with --older-than, the old ones"
    ),
    Flag.withDefault(false)
  ),
  run: Flag.String("run").pipe(
    Flag.withMetavar("ID"),
    Flag.withDescription("A run, with the judgements that no other run uses"),
    Flag.optional
  ),
  corrupt: Flag.Boolean("corrupt").pipe(
    Flag.withDescription("Damaged judgements, so that they are bought anew when they are needed"),
    Flag.withDefault(false)
  ),
  dryRun: Flag.Boolean("dry-run").pipe(
    Flag.withDescription("Say what would go and what it cost; delete nothing"),
    Flag.withDefault(false)
  ),
  yes: Flag.Boolean("yes").pipe(Flag.withDescription("Do not ask"), Flag.withDefault(false)),
  force: Flag.Boolean("force").pipe(
    Flag.withDescription("Delete what unfinished runs need as well"),
    Flag.withDefault(false)
  )
}

interface PruneFlags {
  readonly olderThan: Option.Option<string>
  readonly unused: boolean
  readonly run: Option.Option<string>
  readonly corrupt: boolean
}

const whatOf = Effect.fnUntraced(function* (input: PruneFlags): Effect.fn.Return<PruneWhat, InputError> {
  const { DurationText, durationMs } = yield* Effect.promise(() => import("../domain/Campaign.ts"))
  const { is } = yield* Effect.promise(() => import("effect/Schema"))
  const answers = Option.isSome(input.olderThan) || input.unused
  const asked = [answers, Option.isSome(input.run), input.corrupt].filter(Boolean).length
  if (asked !== 1) {
    return yield* inputError({
      what: asked === 0 ? "nothing is named to be pruned" : "more is named than goes together",
      expected: "--older-than and --unused, one or both; or --run ID; or --corrupt"
    })
  }
  if (input.corrupt) return { _tag: "corrupt" }
  if (Option.isSome(input.run)) return { _tag: "run", id: input.run.value }
  if (Option.isNone(input.olderThan)) return { _tag: "answers", unused: true }
  if (!is(DurationText)(input.olderThan.value)) {
    return yield* inputError({
      field: "--older-than",
      what: "is no duration",
      found: JSON.stringify(input.olderThan.value),
      expected: 'such as "90 days" or "36 hours"'
    })
  }
  return { _tag: "answers", unused: input.unused, olderThanMs: durationMs(input.olderThan.value) }
})

const prune = Command.make(
  "prune",
  { ...pruneFlags, json: asJson, store: storeFlag },
  Effect.fn(function* (input) {
    const what = yield* whatOf(input)
    const idle = input.corrupt
      ? meaningless(input, ["force"], "has no meaning with --corrupt: no run can use what is damaged")
      : []
    if (idle.length > 0) return yield* inputError(...idle)
    const tools = yield* Effect.promise(async () => ({
      ...(await import("../store/prune.ts")),
      ...(await import("../store/StoreLock.ts")),
      storeLayer: (await import("../store/store.ts")).layer
    }))
    const { bytes, planText } = yield* view
    const file = yield* existingStore(input.store)
    const locks = locksOf(file)
    yield* Effect.gen(function* () {
      if (!input.dryRun) yield* tools.alone(locks)
      const plan = yield* tools.prunePlan({ what, force: input.force, locks })
      const nothing = plan.judgements === 0 && plan.runs.length === 0
      if (input.dryRun || nothing) {
        const lines = planText(plan)
        return yield* Console.log(
          input.json
            ? json({ ...plan, deleted: false })
            : [`${nothing ? "nothing to delete" : "would delete"}: ${lines[0]}`, ...lines.slice(1)].join("\n")
        )
      }
      if (!input.json || !input.yes)
        yield* Effect.forEach([`to delete: ${planText(plan)[0]}`, ...planText(plan).slice(1)], (line) =>
          Console.error(line)
        )
      if (!(yield* confirmed(input.yes))) {
        yield* Console.error("nothing was deleted")
        if (input.json) yield* Console.log(json({ ...plan, deleted: false }))
        return yield* new RunEnded({ code: 3 })
      }
      const { bytesAfter, bytesBefore } = yield* tools.pruneStore(file, plan)
      const freed = bytesBefore - bytesAfter
      yield* Console.log(
        input.json
          ? json({ ...plan, deleted: true, bytesBefore, bytesAfter, bytesFreed: freed })
          : `deleted: ${planText(plan)[0]}; ${bytes(Math.max(0, freed))} given back to the disk (${bytes(bytesBefore)} before, ${bytes(bytesAfter)} now)`
      )
    }).pipe(Effect.scoped, Effect.provide(tools.storeLayer(file)))
  })
).pipe(
  Command.withDescription("Delete judgements or a run from the store for good; what unfinished runs need stays"),
  Command.withExamples([
    { command: 'assize store prune --older-than "90 days" --unused --dry-run', description: "What would go" },
    { command: "assize store prune --corrupt --yes", description: "Remove damaged answers" }
  ])
)

export const store = Command.make("store").pipe(
  Command.withDescription("Look at the store: stats, verify; or make it smaller: prune"),
  Command.withSubcommands([stats, verify, prune])
)
