import * as Effect from "effect/Effect"

/** Work that can be left after each of its pieces, of which each takes some ten milliseconds. */
export type Pieces<A> = Generator<void, A>

/** Steps of the smallest kind that make a piece: some ten milliseconds of them. */
const stepsInPiece = 2 ** 20

/** Counts steps of work, and says when a piece is full. */
export class Pace {
  #steps = 0

  /** Whether the piece is full with so many steps more; the next one then begins. */
  isFull(steps: number): boolean {
    this.#steps += steps
    if (this.#steps < stepsInPiece) return false
    this.#steps = 0
    return true
  }
}

/** Does all of it at once. */
export const allAtOnce = <A>(work: Pieces<A>): A => {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

/** Does one piece after the other, and lets signals and others have their turn in between. What it throws is a defect. */
export const inPieces = <A>(begin: () => Pieces<A>): Effect.Effect<A> =>
  Effect.acquireUseRelease(
    Effect.sync(begin),
    (work) =>
      Effect.gen(function* () {
        for (;;) {
          const step = work.next()
          if (step.done === true) return step.value
          yield* Effect.yieldNow
        }
      }),
    (work) => Effect.sync(() => work.return(undefined as never))
  )
