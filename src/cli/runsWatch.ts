import * as Console from "effect/Console"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { CallLog } from "../store/CallLog.ts"
import type { LoggedEvent } from "../store/EventLog.ts"
import type { Sessions } from "../store/Sessions.ts"
import { count, jsonLine, terminalColumns } from "./output.ts"
import { exitCodeOf, RunEnded } from "./RunEnded.ts"
import { runArgument } from "./runArgument.ts"
import { Signals } from "./signals.ts"
import { existingStore, locksOf, storeFlag } from "./store.ts"

const load = Effect.promise(async () => ({
  ...(await import("../campaign/followRun.ts")),
  ...(await import("../campaign/load.ts")),
  ...(await import("../campaign/openRun.ts")),
  ...(await import("../campaign/usageOf.ts")),
  ...(await import("../judge/Progress.ts")),
  ...(await import("../optimise/RunState.ts")),
  ...(await import("../terminal/brief.ts")),
  ...(await import("../terminal/chooseDisplay.ts")),
  ...(await import("../terminal/PlainRun.ts")),
  ...(await import("../terminal/RunLog.ts")),
  ...(await import("../terminal/RunView.ts")),
  ...(await import("../terminal/runLive.ts")),
  ...(await import("../terminal/timeLeft.ts")),
  storeLayer: (await import("../store/store.ts")).layer
}))

const lookMs = 500
/** Adding up the calls of a long run takes longer than to look for events. */
const usageMs = 2000

export const watch = Command.make(
  "watch",
  {
    run: runArgument,
    fromStart: Flag.Boolean("from-start").pipe(
      Flag.withDescription("In plain mode: begin with the run's first event, not with the next one"),
      Flag.withDefault(false)
    ),
    plain: Flag.Boolean("plain").pipe(
      Flag.withDescription("One line an event, even on a terminal"),
      Flag.withDefault(false)
    ),
    json: Flag.Boolean("json").pipe(
      Flag.withDescription("Each event whole, one JSON object a line; prompts and replies hold notes"),
      Flag.withDefault(false)
    ),
    store: storeFlag
  },
  Effect.fn(function* (input) {
    const signals = yield* Signals
    const tools = yield* load
    const display = tools.chooseDisplay(tools.displayFacts({ json: input.json, plain: input.plain }))
    const file = yield* existingStore(input.store)
    const program = Effect.gen(function* () {
      const run = yield* tools.findRun(input.run)
      const campaign = Option.getOrUndefined(yield* Effect.option(tools.loadCampaign(run.campaignFile)))?.campaign
      const follow = yield* tools.followRun(run, locksOf(file))
      const state = new tools.RunState()
      const log = new tools.RunLog()
      const pace = new tools.Pace()
      const extra = {
        runId: run.id,
        campaignFile: run.campaignFile,
        ...(campaign === undefined ? {} : { iterations: campaign.search.iterations })
      }
      let usage = yield* tools.usageOf(run.id)
      let pid: number | null = null
      let usageAt = 0
      let stale = false
      const plainRun = tools.plainRun((line) => process.stdout.write(line), state, tools.makeProgress(), extra, {
        used: () => usage,
        at: () => `still running, ${count(usage.calls, "call")} so far: ${tools.watchedStep(state)}`
      })
      const take = (logged: LoggedEvent, tell: boolean) => {
        state.apply(logged.event)
        log.seen(logged.event, state, new Date(logged.time), extra)
        if (display !== "plain" || !tell) return
        if (input.json) process.stdout.write(jsonLine({ run: run.id, ...logged }))
        else plainRun.seen(logged.event, new Date(logged.time))
      }
      const look = Effect.fnUntraced(function* (tell: boolean) {
        const news = yield* follow.look
        for (const logged of news.events) take(logged, tell)
        pid = news.process
        stale ||= news.written
        const now = Date.now()
        if (stale && (now - usageAt >= usageMs || pid === null)) {
          usage = yield* tools.usageOf(run.id)
          usageAt = now
          stale = false
        }
      })

      yield* look(input.fromStart)
      const gone = yield* Deferred.make<void>()
      const leave = () => Deferred.doneUnsafe(gone, Effect.void)
      signals.drain = leave
      const begun = pid !== null
      const following = Effect.gen(function* () {
        let running = pid !== null
        // A run that nobody runs is left on a live view to be looked at; lines have nothing to wait for.
        while (running || display === "live") {
          yield* Effect.sleep(lookMs)
          yield* look(true)
          if (running && pid === null) return
          running = pid !== null
          if (display === "plain" && !input.json) plainRun.tick()
        }
      })
      const watching = Effect.raceFirst(following, Deferred.await(gone))
      if (display === "live") {
        const read = () => {
          pace.observe(state.iteration, usage)
          return tools.viewOf(state, tools.makeProgress(), {
            ...extra,
            limits: campaign?.budget ?? {},
            ...(campaign === undefined ? {} : { stall: campaign.search.stall }),
            usage,
            watched: { alive: pid !== null },
            log,
            pace
          })
        }
        const idle = { pause() {}, resume() {}, stopAfter() {} }
        yield* tools.runLive(
          read,
          { ...idle, quit: leave, quitNow: leave },
          watching.pipe(Effect.provide(yield* Effect.context<CallLog | Sessions>()))
        )
        yield* Console.log(tools.brief(state, { ...extra, usage, alive: pid !== null }, terminalColumns()).trimEnd())
      } else {
        if (!input.json) {
          const where = begun ? `process ${pid} is running it` : "no process is running it"
          yield* Console.error(`watching run ${run.id}: ${count(state.events, "event")} so far, ${where}`)
        }
        yield* watching
        if (!input.json)
          yield* Console.error(
            tools.brief(state, { ...extra, usage, alive: pid !== null }, terminalColumns()).trimEnd()
          )
      }
      // The run's own code, for a script that waits for it; who left it running was content.
      const code = pid === null && (begun || display === "plain") ? exitCodeOf(state.stopped?.reason) : 0
      if (code !== 0) return yield* new RunEnded({ code: state.stopped === undefined ? 130 : code })
    })
    yield* program.pipe(Effect.scoped, Effect.provide(tools.storeLayer(file)))
  })
).pipe(
  Command.withDescription(
    "Watch a run from another terminal, or page through one that has ended. Only looks on: q leaves, and the run goes on. Where there is no terminal, prints one line an event from now on and ends with the run, with the run's exit code"
  ),
  Command.withShortDescription("Watch a run from another terminal, or page through one that has ended"),
  Command.withExamples([
    { command: "assize runs watch", description: "The newest run; q leaves it running" },
    {
      command: "assize runs watch quickstart-3 --plain --from-start",
      description: "All events so far as lines, and those to come"
    }
  ])
)
