import * as Console from "effect/Console"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { inputError } from "../domain/InputError.ts"
import { json } from "./output.ts"

const heavy = Effect.promise(async () => ({
  ...(await import("../dataset/read.ts")),
  ...(await import("../dataset/find.ts")),
  ...(await import("../dataset/difference.ts")),
  ...(await import("./dataPairView.ts"))
}))

export const dataShow = Command.make(
  "show",
  {
    file: Argument.String("file").pipe(Argument.withDescription("A dataset: JSON, one consultation a line")),
    pair: Flag.String("pair").pipe(
      Flag.withDescription(
        "A pair's id, or consultation/pair; the first pair, if neither this nor --consultation is given"
      ),
      Flag.optional
    ),
    consultation: Flag.String("consultation").pipe(
      Flag.withDescription("A consultation's id: all of its pairs"),
      Flag.optional
    ),
    transcript: Flag.Boolean("transcript").pipe(
      Flag.withDescription("Show the transcript too"),
      Flag.withDefault(false)
    ),
    width: Flag.Int("width").pipe(Flag.withDescription("Columns to wrap at; the terminal's, else 100"), Flag.optional),
    json: Flag.Boolean("json").pipe(Flag.withDescription("Print the pairs as JSON"), Flag.withDefault(false))
  },
  Effect.fn(function* (input) {
    const { findPairs, pairView, readDataset, wordDifference } = yield* heavy
    const { consultations } = yield* readDataset(input.file)
    const found = findPairs(consultations, {
      consultation: Option.getOrUndefined(input.consultation),
      pair: Option.getOrUndefined(input.pair)
    })
    if (Result.isFailure(found)) return yield* inputError({ ...found.failure, file: input.file })
    const shown = found.success.map(({ consultation, pair }) => {
      const text = (id: string) => consultation.notes.find((note) => note.id === id)!.text
      return { consultation, pair, difference: wordDifference(text(pair.clean), text(pair.flawed)) }
    })
    if (input.json) {
      yield* Console.log(
        json(
          shown.map(({ consultation, difference, pair }) => ({
            consultation: consultation.id,
            pair,
            fact: consultation.facts?.find((fact) => fact.id === pair.fact) ?? null,
            difference,
            ...(input.transcript ? { transcript: consultation.transcript } : {})
          }))
        )
      )
      return
    }
    const width = Math.max(
      20,
      Option.getOrElse(input.width, () => process.stdout.columns ?? 100)
    )
    yield* Console.log(shown.map((one) => pairView(one, { width, transcript: input.transcript })).join("\n\n"))
    const all = consultations.reduce((sum, one) => sum + one.pairs.length, 0)
    if (shown.length < all && Option.isNone(input.pair))
      yield* Console.error(
        `${shown.length} of ${all} pairs; --pair shows another${Option.isNone(input.consultation) ? ", --consultation all of one" : ""}`
      )
  })
).pipe(
  Command.withDescription("Show a pair with its difference highlighted, its fact and what is left of it"),
  Command.withExamples([
    { command: "assize data show mine.jsonl --pair p7", description: "One pair" },
    {
      command: "assize data show mine.jsonl --consultation v3 --transcript",
      description: "All pairs of a consultation, with what was said"
    }
  ])
)
