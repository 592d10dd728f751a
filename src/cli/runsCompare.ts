import * as Console from "effect/Console"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { inputError, showValue } from "../domain/InputError.ts"
import { json } from "./output.ts"
import { existingStore, storeFlag } from "./store.ts"

const load = Effect.promise(async () => ({
  ...(await import("../campaign/knownConfirmations.ts")),
  ...(await import("../report/confirmationsTable.ts")),
  ...(await import("./sections.ts")),
  storeLayer: (await import("../store/store.ts")).layer
}))

export const compare = Command.make(
  "compare",
  {
    runs: Argument.String("run").pipe(
      Argument.withDescription("Runs by id or the beginning of one; all that have been confirmed, if none is named"),
      Argument.atLeast(0)
    ),
    json: Flag.Boolean("json").pipe(
      Flag.withDescription("Print every figure, unrounded, as JSON"),
      Flag.withDefault(false)
    ),
    store: storeFlag
  },
  Effect.fn(function* (input) {
    const tools = yield* load
    const file = yield* existingStore(input.store)
    const known = yield* tools.knownConfirmations(input.runs).pipe(Effect.provide(tools.storeLayer(file)))
    if (known.length === 0) {
      return yield* inputError({
        what: input.runs.length === 0 ? "no run has been confirmed yet" : "none of these runs has been confirmed",
        ...(input.runs.length === 0 ? {} : { found: showValue(input.runs.join(" ")) }),
        hint: "Confirm one with: assize confirm RUN"
      })
    }
    yield* Console.log(
      input.json
        ? json(known.map(tools.confirmationRow))
        : tools.sectionsText([], [tools.confirmationsTable(known)]).trim()
    )
  })
).pipe(Command.withDescription("Set finished confirmations side by side"))
