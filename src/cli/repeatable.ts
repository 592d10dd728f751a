import * as Flag from "effect/cli/Flag"

/** A flag that may be given any number of times, also not at all. Help would call one of `atLeast(0)` alone required. */
export const repeatable = <A>(flag: Flag.Flag<A>): Flag.Flag<ReadonlyArray<A>> =>
  flag.pipe(Flag.atLeast(0), Flag.withDefault<ReadonlyArray<A>>([]))
