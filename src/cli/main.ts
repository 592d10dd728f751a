import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { version } from "../version.ts"
import { audit } from "./audit.ts"
import { calibrate } from "./calibrate.ts"
import { confirm } from "./confirm.ts"
import { data } from "./data.ts"
import { doctor } from "./doctor.ts"
import { init } from "./init.ts"
import { plan } from "./plan.ts"
import { report } from "./report.ts"
import { run } from "./run.ts"
import { runMain } from "./runMain.ts"
import { runs } from "./runs.ts"
import { score } from "./score.ts"
import { Signals } from "./signals.ts"
import { simulate } from "./simulate.ts"
import { split } from "./split.ts"
import { store } from "./storeCommand.ts"
import { usageLayer } from "./usage.ts"

const assize = Command.make("assize").pipe(
  Command.withDescription(
    "Evolve the instructions of LLM judges, then put the evolved prompt on trial.\n\nA first campaign: assize init mine && cd mine && assize run campaign.yaml"
  ),
  Command.withSubcommands([
    init,
    data,
    split,
    plan,
    run,
    runs,
    score,
    confirm,
    calibrate,
    audit,
    report,
    store,
    doctor,
    simulate
  ])
)

const signals: Signals = { drain: undefined }

const program = Command.runWith(assize, { version })(process.argv.slice(2)).pipe(
  Effect.provideService(Signals, signals),
  // Nobody reads the spans of a command line, and each call of a model would make a dozen.
  Effect.withTracerEnabled(false),
  Effect.provide(
    Layer.mergeAll(NodeServices.layer, usageLayer).pipe(Layer.provideMerge(Layer.succeed(Logger.LogToStderr, true)))
  )
)

runMain(program, signals)
