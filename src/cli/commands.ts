import * as Command from "effect/cli/Command"
import { audit } from "./audit.ts"
import { calibrate } from "./calibrate.ts"
import { confirm } from "./confirm.ts"
import { data } from "./data.ts"
import { doctor } from "./doctor.ts"
import { init } from "./init.ts"
import { plan } from "./plan.ts"
import { report } from "./report.ts"
import { run } from "./run.ts"
import { runs } from "./runs.ts"
import { score } from "./score.ts"
import { simulate } from "./simulate.ts"
import { split } from "./split.ts"
import { store } from "./storeCommand.ts"

const line = Command.withShortDescription

/** All of the command line, in the order in which a campaign goes. */
export const assize = Command.make("assize").pipe(
  Command.withDescription(
    "Evolve the instructions of LLM judges on your own pairs of notes, then put the evolved prompt on trial."
  ),
  Command.withSubcommands([
    {
      group: "PREPARE",
      commands: [
        init.pipe(line("Make a campaign that runs as it is, to begin from")),
        data.pipe(line("Import a data set, check it, look at its pairs")),
        split.pipe(line("Seal train, acceptance and holdout apart, by consultation")),
        plan.pipe(line("Say beforehand what a campaign costs and what it can tell from noise")),
        doctor.pipe(line("Check Node, terminal, store, keys and models"))
      ]
    },
    {
      group: "OPTIMISE",
      commands: [
        run.pipe(line("Run a campaign, or go on with its unfinished run")),
        runs.pipe(line("List, show, watch, export and compare runs"))
      ]
    },
    {
      group: "PUT ON TRIAL",
      commands: [
        confirm.pipe(line("Test a run's winner on the sealed holdout, once")),
        audit.pipe(line("Say what a prompt learned, leaked, moved and cost")),
        report.pipe(line("Write a run as one HTML file to read and to hand on")),
        calibrate.pipe(line("Find a threshold for your own clean notes"))
      ]
    },
    {
      group: "MEASURE",
      commands: [score.pipe(line("Measure judges on pairs, or scores that were made elsewhere"))]
    },
    {
      group: "LOOK AFTER",
      commands: [
        store.pipe(line("See what the store holds, verify it, make it smaller")),
        simulate.pipe(line("Serve the embedded model over HTTP, with faults on request"))
      ]
    }
  ]),
  Command.withExamples([
    {
      command: "assize init mine && cd mine && assize run campaign.yaml",
      description: "A first campaign, without a key: a stand-in for a model comes with the tool"
    },
    { command: "assize runs watch", description: "The newest run, from another terminal; q leaves it running" },
    {
      command: "assize confirm latest && assize audit latest",
      description: "Is the gain real, and what of the prompt is?"
    }
  ])
)
