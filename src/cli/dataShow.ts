import * as Console from "effect/Console"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { FoundPair } from "../dataset/find.ts"
import { inputError } from "../domain/InputError.ts"
import { itemId } from "../domain/Item.ts"
import type { Outcome } from "../domain/Judgement.ts"
import { outcomeWords, twinRows } from "../report/findingsText.ts"
import { json, plain, table } from "./output.ts"
import { existingStore, storeFlag } from "./store.ts"

const heavy = Effect.promise(async () => ({
  ...(await import("../dataset/read.ts")),
  ...(await import("../dataset/find.ts")),
  ...(await import("../dataset/difference.ts")),
  ...(await import("./dataPairView.ts"))
}))

interface JudgedPair {
  /** Null where the candidate has not judged the note. */
  readonly clean: Outcome | null
  readonly flawed: Outcome | null
}

/** How a candidate of a run judged the notes of the pairs. */
const judgementsOf = Effect.fnUntraced(function* (
  run: string,
  candidate: string,
  store: Option.Option<string>,
  pairs: ReadonlyArray<FoundPair>
) {
  const { judgedBy } = yield* Effect.promise(() => import("../campaign/judgementOf.ts"))
  const { layer } = yield* Effect.promise(() => import("../store/store.ts"))
  const file = yield* existingStore(store)
  return yield* Effect.gen(function* () {
    const { member, outcomeOf, run: id } = yield* judgedBy(run, candidate)
    const of = (consultation: string, note: string) =>
      Effect.map(outcomeOf(itemId(consultation, note)), (outcome) => outcome ?? null)
    return {
      by: { run: id, candidate: member.candidate.id, name: member.candidate.name },
      pairs: yield* Effect.forEach(pairs, ({ consultation, pair }) =>
        Effect.all({ clean: of(consultation.id, pair.clean), flawed: of(consultation.id, pair.flawed) })
      )
    }
  }).pipe(Effect.provide(layer(file)))
})

const judgedText = (
  { candidate, name, run }: { readonly run: string; readonly candidate: string; readonly name: string },
  { clean, flawed }: JudgedPair
): string => {
  const rows = twinRows(clean ?? undefined, flawed ?? undefined)
  return [
    plain(`judged by ${name} (${candidate}) of run ${run}`).replaceAll("\n", " "),
    ...(
      [
        ["clean note", clean],
        ["flawed note", flawed]
      ] as const
    ).map(([what, outcome]) => plain(`${what}: ${outcomeWords(outcome ?? undefined)}`).replaceAll("\n", " ")),
    ...(rows.length === 0 ? [] : ["", table(rows, 80)])
  ].join("\n")
}

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
    run: Flag.String("run").pipe(
      Flag.withMetavar("RUN"),
      Flag.withDescription(
        "Show too how a candidate of this run judged the two notes, with the facts, questions or criteria that its scores are made of: a run's id, the beginning of one, or latest"
      ),
      Flag.optional
    ),
    candidate: Flag.String("candidate").pipe(
      Flag.withDescription("The candidate of --run: a name, an id, or winner (the default)"),
      Flag.optional
    ),
    store: storeFlag,
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
    if (Option.isSome(input.candidate) && Option.isNone(input.run)) {
      return yield* inputError({
        field: "--candidate",
        what: "is of a run, and none is named",
        hint: "Name it with --run, such as --run latest"
      })
    }
    const judged = Option.isNone(input.run)
      ? undefined
      : yield* judgementsOf(
          input.run.value,
          Option.getOrElse(input.candidate, () => "winner"),
          input.store,
          found.success
        )
    if (input.json) {
      yield* Console.log(
        json(
          shown.map(({ consultation, difference, pair }, at) => ({
            consultation: consultation.id,
            pair,
            fact: consultation.facts?.find((fact) => fact.id === pair.fact) ?? null,
            difference,
            ...(input.transcript ? { transcript: consultation.transcript } : {}),
            ...(judged === undefined ? {} : { judged: { ...judged.by, ...judged.pairs[at] } })
          }))
        )
      )
      return
    }
    const width = Math.max(
      20,
      Option.getOrElse(input.width, () => process.stdout.columns ?? 100)
    )
    yield* Console.log(
      shown
        .map((one, at) =>
          [
            pairView(one, { width, transcript: input.transcript }),
            ...(judged === undefined ? [] : ["", judgedText(judged.by, judged.pairs[at]!)])
          ].join("\n")
        )
        .join("\n\n")
    )
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
