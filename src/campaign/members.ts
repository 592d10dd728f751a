import * as Effect from "effect/Effect"
import type { Candidate } from "../domain/Candidate.ts"
import { type InputError, inputError, showValue } from "../domain/InputError.ts"
import type { RunState } from "../optimise/RunState.ts"

const describe = ({ id, name }: Candidate): string => `${name} (${id})`

const most = 12

/** A candidate by its name, its id or the start of it. */
const named = <A>(all: ReadonlyArray<A>, of: (one: A) => Candidate, name: string, field: string) => {
  const exact = all.filter((one) => of(one).name === name || of(one).id === name)
  const found = exact.length > 0 || name === "" ? exact : all.filter((one) => of(one).id.startsWith(name))
  if (found.length === 1) return Effect.succeed(found[0]!)
  const some = all.slice(0, most).map((one) => describe(of(one)))
  return Effect.fail<InputError>(
    inputError({
      field,
      what: found.length === 0 ? "the run has no such candidate" : "more than one candidate is meant",
      found: showValue(name),
      expected:
        some.length === 0
          ? "a candidate; none is evaluated yet"
          : `winner, or one of ${some.join(", ")}${all.length > most ? ", …" : ""}`
    })
  )
}

/** An evaluated candidate by its name, its id or the start of it, or `winner`. */
export const memberNamed = (state: RunState, name: string, field: string) =>
  name === "winner" && state.winner !== undefined
    ? Effect.succeed(state.winner)
    : named(state.members, ({ candidate }) => candidate, name, field)

/** A candidate by its name, its id or the start of it, or `winner`; also one that a person added and nobody evaluated yet. */
export const candidateNamed = (state: RunState, name: string, field: string): Effect.Effect<Candidate, InputError> => {
  if (name === "winner" && state.winner !== undefined) return Effect.succeed(state.winner.candidate)
  const waiting = state.waiting.filter(({ origin }) => origin === "human")
  return named([...state.members.map(({ candidate }) => candidate), ...waiting], (one) => one, name, field)
}
