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
import { json, plain } from "./output.ts"
import { existingStore, storeFlag } from "./store.ts"
import { table } from "./table.ts"
import { meaningless } from "./together.ts"

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

/**
 * How a candidate of a run judged the notes of the pairs; with `first`, of the first pair alone of which it judged both
 * notes, or else one.
 */
const judgementsOf = Effect.fnUntraced(function* (
  run: string,
  candidate: string,
  store: Option.Option<string>,
  pairs: ReadonlyArray<FoundPair>,
  first: boolean
) {
  const { judgedBy } = yield* Effect.promise(() => import("../campaign/judgementOf.ts"))
  const { layer } = yield* Effect.promise(() => import("../store/store.ts"))
  const file = yield* existingStore(store)
  return yield* Effect.gen(function* () {
    const { member, outcomeOf, run: id } = yield* judgedBy(run, candidate)
    const of = (consultation: string, note: string) =>
      Effect.map(outcomeOf(itemId(consultation, note)), (outcome) => outcome ?? null)
    const judged = ({
      consultation,
      pair
    }: FoundPair): Effect.Effect<JudgedPair, Effect.Error<ReturnType<typeof of>>> =>
      Effect.all({ clean: of(consultation.id, pair.clean), flawed: of(consultation.id, pair.flawed) })
    const { id: candidateId, name } = member.candidate
    const by = { run: id, candidate: candidateId, name }
    if (!first) return { by, found: pairs, pairs: yield* Effect.forEach(pairs, judged) }
    let half: { readonly found: FoundPair; readonly outcomes: JudgedPair } | undefined
    for (const found of pairs) {
      const outcomes = yield* judged(found)
      if (outcomes.clean !== null && outcomes.flawed !== null) return { by, found: [found], pairs: [outcomes] }
      if (half === undefined && (outcomes.clean !== null || outcomes.flawed !== null)) half = { found, outcomes }
    }
    if (half !== undefined) return { by, found: [half.found], pairs: [half.outcomes] }
    return yield* inputError({
      field: "--run",
      what: `${name} (${candidateId}) of run ${id} has judged no pair of this dataset`,
      hint: "It judges the train and the acceptance part of its campaign's dataset: show that one, or name another --candidate"
    })
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
    ...(rows.length === 0 ? [] : ["", table(rows, { maxCell: 80 })])
  ].join("\n")
}

export const dataShow = Command.make(
  "show",
  {
    file: Argument.String("file").pipe(Argument.withDescription("A dataset: JSON, one consultation a line")),
    pair: Flag.String("pair").pipe(
      Flag.withDescription(
        "A pair's id, or consultation/pair; the first pair, if neither this nor --consultation is given; with --run, the first that was judged"
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
    const problems = [
      ...(Option.isNone(input.run)
        ? [
            ...meaningless(
              input,
              ["candidate"],
              "is of a run, and none is named; name it with --run, such as --run latest"
            ),
            ...meaningless(input, ["store"], "is looked at for --run alone, and none is named")
          ]
        : []),
      ...(input.json ? meaningless(input, ["width"], "has no meaning with --json, which wraps nothing") : [])
    ]
    if (problems.length > 0) return yield* inputError(...problems)
    const { findPairs, pairView, readDataset, wordDifference } = yield* heavy
    const { consultations } = yield* readDataset(input.file)
    const any = Option.isNone(input.pair) && Option.isNone(input.consultation)
    const asked = findPairs(consultations, {
      consultation: Option.getOrUndefined(input.consultation),
      pair: Option.getOrUndefined(input.pair)
    })
    if (Result.isFailure(asked)) return yield* inputError({ ...asked.failure, file: input.file })
    const all = consultations.flatMap((consultation) => consultation.pairs.map((pair) => ({ consultation, pair })))
    const judged = Option.isNone(input.run)
      ? undefined
      : yield* judgementsOf(
          input.run.value,
          Option.getOrElse(input.candidate, () => "winner"),
          input.store,
          any ? all : asked.success,
          any
        )
    const shown = (judged?.found ?? asked.success).map(({ consultation, pair }) => {
      const text = (id: string) => consultation.notes.find((note) => note.id === id)!.text
      return { consultation, pair, difference: wordDifference(text(pair.clean), text(pair.flawed)) }
    })
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
    if (shown.length < all.length && Option.isNone(input.pair))
      yield* Console.error(
        `${shown.length} of ${all.length} pairs; --pair shows another${Option.isNone(input.consultation) ? ", --consultation all of one" : ""}`
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
