import * as Console from "effect/Console"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import type { Rows } from "../dataset/rowSpool.ts"
import type { Consultation } from "../domain/Dataset.ts"
import { InputError, inputError } from "../domain/InputError.ts"
import { inPieces, Pace } from "../domain/pieces.ts"
import { dataImport } from "./dataImport.ts"
import { dataShow } from "./dataShow.ts"
import { count, json, warn } from "./output.ts"
import { repeatable } from "./repeatable.ts"
import { computing } from "./signals.ts"
import { table } from "./table.ts"

const heavy = Effect.promise(async () => ({
  ...(await import("../dataset/read.ts")),
  ...(await import("../dataset/fewData.ts")),
  ...(await import("../dataset/summary.ts")),
  ...(await import("../dataset/documents.ts")),
  ...(await import("../dataset/nearDuplicates.ts")),
  ...(await import("../dataset/byteSpool.ts")),
  ...(await import("./dataCheckView.ts")),
  ...(await import("./scoreMemory.ts"))
}))

/** By hand: what it takes to read a consultation out of its spool and to count what it holds. */
const stepsFor = ({ notes, transcript }: Consultation): number =>
  8 * notes.reduce((sum, { text }) => sum + text.length, transcript?.length ?? 0) + 2000

const joined = <A>(one: Iterable<A>, other: Iterable<A>): Iterable<A> => ({
  *[Symbol.iterator]() {
    yield* one
    yield* other
  }
})

const check = Command.make(
  "check",
  {
    file: Argument.String("file").pipe(Argument.withDescription("A dataset: JSON, one consultation a line")),
    against: Flag.String("against").pipe(
      Flag.withMetavar("FILE"),
      Flag.withDescription(
        "Another dataset, of which this one may hold consultations again; repeatable (default: none)"
      ),
      repeatable
    ),
    near: Flag.Finite("near").pipe(
      Flag.withMetavar("SIMILARITY"),
      Flag.withDescription(
        "From which similarity on, above 0 and up to 1, two consultations are near-duplicates (default 0.8)"
      ),
      Flag.withDefault(0.8)
    ),
    json: Flag.Boolean("json").pipe(
      Flag.withDescription("Print the counts and problems as JSON"),
      Flag.withDefault(false)
    )
  },
  Effect.fn(
    function* (input) {
      const {
        comparedCharacters,
        fewData,
        nearDuplicatesInPieces,
        nearDuplicatesText,
        openDataset,
        readDatasetReport,
        saveMemory,
        shortcutsText,
        SummaryTally,
        TooManyNearDuplicates
      } = yield* heavy
      if (!(input.near > 0 && input.near <= 1)) {
        return yield* inputError({
          field: "--near",
          what: "is not usable",
          found: String(input.near),
          expected: "a number above 0, up to 1"
        })
      }
      yield* saveMemory([input.file, ...input.against])
      const { consultations, errors, path, sha256, ...read } = yield* readDatasetReport(input.file)
      const tally = new SummaryTally()
      const ids: Array<string> = []
      let cut = false
      yield* inPieces(function* () {
        const pace = new Pace()
        for (const one of consultations) {
          tally.add(one)
          ids.push(one.id)
          cut ||= (one.transcript?.length ?? 0) > comparedCharacters
          if (pace.isFull(stepsFor(one))) yield
        }
      })
      const summary = yield* computing(() => tally.summary)
      const few = fewData("the dataset", { consultations: summary.paired, pairs: summary.pairs })
      const warnings = [...read.warnings, ...few.map((problem) => ({ ...problem, file: input.file }))]
      const others = yield* Effect.forEach(input.against, openDataset)
      const named = Effect.fnUntraced(function* (other?: Rows<Consultation>) {
        const all = other === undefined ? consultations : joined(consultations, other)
        const found = yield* inPieces(() =>
          nearDuplicatesInPieces(all, input.near, other === undefined ? undefined : consultations.size)
        ).pipe(
          Effect.catchDefect((defect) =>
            defect instanceof TooManyNearDuplicates
              ? inputError({
                  file: input.file,
                  what: `more than 1,000,000 pairs of its consultations are near-duplicates (--near ${input.near}): it is one text over and over`,
                  hint: "Take out the repeats, or ask for those that are alike all through: --near 1"
                })
              : Effect.die(defect)
          )
        )
        const names = other === undefined ? ids : [...ids, ...Array.from(other, ({ id }) => id)]
        return found.map(({ a, b, by, similarity }) => ({ a: names[a]!, b: names[b]!, similarity, by }))
      })
      const against = yield* Effect.forEach(input.against, (file, at) =>
        Effect.map(named(others[at]!.consultations), (pairs) => ({ file, pairs }))
      )
      const near = { threshold: input.near, cut, within: yield* named(), against }
      if (input.json) {
        yield* Console.log(
          json({ file: path, sha256, ok: errors.length === 0, summary, nearDuplicates: near, errors, warnings })
        )
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
        shortcutsText(shortcuts),
        "",
        nearDuplicatesText(near),
        `no errors, ${count(warnings.length, "warning")}`
      ]
      yield* Console.log(lines.join("\n"))
    },
    (checked) => Effect.flatMap(heavy, ({ catchSpoolFailure }) => catchSpoolFailure(checked))
  )
).pipe(
  Command.withDescription("Validate a dataset, say everything that is wrong with it, and count what it holds"),
  Command.withExamples([
    { command: "assize data check mine.jsonl", description: "All that is wrong, with line and field; then counts" },
    {
      command: "assize data check mine.jsonl --against published.jsonl",
      description: "And which consultations another dataset has, too"
    }
  ])
)

export const data = Command.make("data").pipe(
  Command.withDescription("Bring data in, validate and count it, look at a pair"),
  Command.withSubcommands([check, dataShow, dataImport])
)
