import * as Argument from "effect/cli/Argument"

/** Which run a command is about. */
export const runArgument = Argument.String("run").pipe(
  Argument.withDescription("A run's id, the beginning of one, or latest"),
  Argument.withDefault("latest")
)
