import * as Console from "effect/Console"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { InputError } from "../domain/InputError.ts"
import { dataImport } from "./dataImport.ts"
import { dataShow } from "./dataShow.ts"
import { count, json, table, warn } from "./output.ts"

const heavy = Effect.promise(async () => ({
  ...(await import("../dataset/read.ts")),
  ...(await import("../dataset/summary.ts"))
}))

const check = Command.make(
  "check",
  {
    file: Argument.String("file").pipe(Argument.withDescription("A dataset: JSON, one consultation a line")),
    json: Flag.Boolean("json").pipe(
      Flag.withDescription("Print the counts and problems as JSON"),
      Flag.withDefault(false)
    )
  },
  Effect.fn(function* (input) {
    const { readDatasetReport, datasetSummary } = yield* heavy
    const { consultations, errors, path, sha256, warnings } = yield* readDatasetReport(input.file)
    const summary = datasetSummary(consultations)
    if (input.json) {
      yield* Console.log(json({ file: path, sha256, ok: errors.length === 0, summary, errors, warnings }))
      if (errors.length > 0) return yield* new InputError({ problems: errors })
      return
    }
    yield* warn(warnings)
    if (errors.length > 0) return yield* new InputError({ problems: errors })

    const rows = (name: string, counts: Readonly<Record<string, number>>, of: number) => {
      const without = of - Object.values(counts).reduce((sum, pairs) => sum + pairs, 0)
      const known = Object.entries(counts).map(([value, pairs]) => [name, value, pairs])
      return without === 0 || known.length === 0 ? known : [...known, [name, "(none given)", without]]
    }
    const { transcripts, shortcuts } = summary
    const lines = [
      `${input.file}: ${count(summary.consultations, "consultation")} (${summary.paired} with pairs), ${count(summary.notes, "note")}, ${count(summary.pairs, "pair")} over ${count(summary.cleanNotes, "clean note")}`,
      `transcripts: ${transcripts.present} (${transcripts.distinct} distinct), ${transcripts.missing} missing; median ${transcripts.medianCharacters ?? 0} characters; ${count(summary.facts, "fact")}`,
      "",
      table([
        ["pairs by", "", "pairs"],
        ...rows("class", summary.class, summary.pairs),
        ...rows("trace", summary.trace, summary.class.omission ?? 0),
        ...rows("severity", summary.severity, summary.pairs),
        ...rows("stratum", summary.stratum, summary.pairs)
      ]),
      "",
      `shortcuts: the longer note is the clean one in ${shortcuts.cleanLonger} of ${count(shortcuts.pairs, "pair")} (the flawed one in ${shortcuts.flawedLonger}; same length in ${shortcuts.sameLength})`,
      `no errors, ${count(warnings.length, "warning")}`
    ]
    yield* Console.log(lines.join("\n"))
  })
).pipe(Command.withDescription("Validate a dataset, say everything that is wrong with it, and count what it holds"))

export const data = Command.make("data").pipe(
  Command.withDescription("Bring data in, validate and count it, look at a pair"),
  Command.withSubcommands([check, dataShow, dataImport])
)
