import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Path from "effect/Path"
import { count } from "../domain/count.ts"
import { inputError } from "../domain/InputError.ts"
import type { CallLog } from "../store/CallLog.ts"
import type { Sessions } from "../store/Sessions.ts"
import { json, tellNow, terminalColumns, warn } from "./output.ts"
import { exitCodeOf, RunEnded } from "./RunEnded.ts"
import { Signals } from "./signals.ts"
import { locksOf, storeFile, storeFlag } from "./store.ts"
import { onlyOne } from "./together.ts"
import { isAttended, patienceFlag, patienceOf, tellTrouble } from "./trouble.ts"

const load = Effect.promise(async () => ({
  ...(await import("../campaign/knownConfirmations.ts")),
  ...(await import("../campaign/prepare.ts")),
  ...(await import("../campaign/openRun.ts")),
  ...(await import("../campaign/runCampaign.ts")),
  ...(await import("../campaign/affordable.ts")),
  ...(await import("../campaign/usageOf.ts")),
  ...(await import("../optimise/judgementCounts.ts")),
  ...(await import("../terminal/chooseDisplay.ts")),
  ...(await import("../terminal/PlainRun.ts")),
  ...(await import("../terminal/RunLog.ts")),
  ...(await import("../terminal/RunView.ts")),
  ...(await import("../terminal/runLive.ts")),
  ...(await import("../terminal/summary.ts")),
  ...(await import("../terminal/timeLeft.ts")),
  acquireLock: (await import("../store/RunLock.ts")).acquire,
  inUse: (await import("../store/StoreLock.ts")).inUse,
  storeLayer: (await import("../store/store.ts")).layer
}))

export const run = Command.make(
  "run",
  {
    campaign: Argument.String("campaign").pipe(Argument.withDescription("The campaign's YAML file")),
    fresh: Flag.Boolean("new").pipe(
      Flag.withDescription("Start a new run, even where one could be gone on with"),
      Flag.withDefault(false)
    ),
    plain: Flag.Boolean("plain").pipe(
      Flag.withDescription("One line an event instead of the live view"),
      Flag.withDefault(false)
    ),
    quiet: Flag.Boolean("quiet").pipe(Flag.withDescription("Show nothing but the result"), Flag.withDefault(false)),
    json: Flag.Boolean("json").pipe(Flag.withDescription("Print the result as JSON"), Flag.withDefault(false)),
    patience: patienceFlag,
    store: storeFlag
  },
  Effect.fn(function* (input) {
    const problems = onlyOne(input, ["plain", "quiet"])
    if (problems.length > 0) return yield* inputError(...problems)
    const path = yield* Path.Path
    const signals = yield* Signals
    const tools = yield* load
    const display = tools.chooseDisplay(
      tools.displayFacts({ json: input.json, quiet: input.quiet, plain: input.plain })
    )
    const patienceMs = yield* patienceOf(input.patience, display === "live" || (display === "plain" && isAttended()))
    const prepared = yield* tools.prepareCampaign(input.campaign)
    yield* warn(prepared.warnings)
    const { campaign, task } = prepared
    const file = yield* storeFile(input.store)

    const program = Effect.gen(function* () {
      const locks = locksOf(file)
      yield* tools.inUse(locks)
      const lock = yield* tools.acquireLock({
        folder: locks,
        campaign: campaign.name,
        campaignFile: campaign.file
      })
      const opened = yield* tools.openRun(prepared, {
        fresh: input.fresh,
        admit: Effect.flatMap(tools.forecastOf(prepared), (forecast) => tools.affordable(prepared, forecast))
      })
      const runId = opened.run.id
      yield* lock.name(runId)
      const handles = tools.makeHandles()
      const { gate, progress, state, stopAsked } = handles
      const extra = {
        runId,
        campaignFile: path.relative(path.resolve("."), campaign.file) || campaign.file,
        iterations: campaign.search.iterations,
        trainNotes: task.train.items.length
      }
      const before = tools.countJudgements(opened.logged)
      let usage = yield* tools.usageOf(runId)
      const earlier = usage.seconds
      const begun = yield* Clock.currentTimeMillis
      // What is bought is added up now and then; time passes meanwhile.
      const usageNow = () => ({ ...usage, seconds: earlier + (Date.now() - begun - gate.heldMs) / 1000 })
      const plainRun = tools.plainRun((line) => process.stderr.write(line), state, progress, extra, {
        used: usageNow,
        at: () => (gate.paused ? "still paused" : `still at work: ${tools.stepOf(state, progress).label}`)
      })
      const log = new tools.RunLog()
      if (display === "plain" && opened.logged.length > 0) {
        yield* Console.error(`going on with run ${runId}: ${count(opened.logged.length, "event")} so far`)
      }

      // The first Ctrl-C sends nothing new and keeps what is under way.
      const drain = () => {
        gate.halt()
        signals.drain = undefined
        if (display === "plain") tellNow("stopping: the calls under way are kept; Ctrl-C again leaves at once")
      }
      signals.drain = drain

      const search = tools.runCampaign(prepared, opened, handles, {
        seen: (event) => {
          if (display === "plain") plainRun.seen(event)
          else if (display === "live") log.seen(event, state, new Date(), extra)
        },
        patienceMs
      })
      const ticking = <A, E, R>(work: Effect.Effect<A, E, R>, everyMs: number, tick: Effect.Effect<void>) =>
        Effect.raceFirst(work, Effect.forever(Effect.delay(tick, everyMs)))

      const refresh = Effect.map(tools.usageOf(runId), (now) => {
        usage = now
      }).pipe(Effect.orDie, Effect.provide(yield* Effect.context<CallLog | Sessions>()))

      if (display === "live") {
        if (opened.logged.length > 0)
          log.say(`going on with run ${runId}: ${count(opened.logged.length, "event")} so far`, new Date())
        const pace = new tools.Pace()
        const read = () => {
          const used = usageNow()
          pace.observe(state.iteration, used)
          return tools.viewOf(state, progress, {
            runId,
            iterations: campaign.search.iterations,
            stall: campaign.search.stall,
            limits: campaign.budget,
            usage: used,
            paused: gate.paused,
            pausedSeconds: gate.heldForMs / 1000,
            ...(gate.trouble === undefined ? {} : { trouble: gate.trouble.message }),
            halted: gate.halted,
            stopAsked: stopAsked.asked,
            log,
            pace,
            before
          })
        }
        const controls = {
          pause: () => gate.pause(),
          resume: () => gate.resume(),
          stopAfter: (asked: boolean) => {
            stopAsked.asked = asked
          },
          quit: drain,
          quitNow: () => {
            process.kill(process.pid, "SIGINT")
          }
        }
        yield* tools.runLive(read, controls, ticking(search, 500, refresh))
      } else {
        if (display === "plain") yield* tellTrouble(gate, plainRun.say, patienceMs)
        let ticks = 0
        const tick = Effect.suspend(() => {
          if (display !== "plain") return Effect.void
          plainRun.tick()
          return ticks++ % 2 === 0 ? refresh : Effect.void
        })
        yield* ticking(search, 1000, tick)
      }

      usage = yield* tools.usageOf(runId)
      const told = {
        ...extra,
        confirmed: yield* tools.isConfirmed(runId),
        usage,
        judged: {
          before,
          sitting: { scored: progress.scored, unparsed: progress.unparsed, failed: progress.failed }
        },
        held: { times: gate.holds, seconds: gate.heldMs / 1000 }
      }
      yield* Console.log(
        input.json ? json(tools.summaryJson(state, told)) : tools.summary(state, told, terminalColumns()).trimEnd()
      )
      const code = exitCodeOf(state.stopped?.reason)
      if (code !== 0) return yield* new RunEnded({ code })
    })
    yield* program.pipe(Effect.scoped, Effect.provide(tools.storeLayer(file)))
  })
).pipe(
  Command.withDescription("Run a campaign, or go on with its unfinished run"),
  Command.withExamples([
    { command: "assize run campaign.yaml", description: "With the live view on a terminal" },
    {
      command: "assize run campaign.yaml --json > result.json",
      description: "Progress on standard error, the result as JSON"
    }
  ])
)
