import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as TestConsole from "effect/testing/TestConsole"
import { score } from "../../src/cli/score.ts"
import type { ScoreReport } from "../../src/measure/scoreReport.ts"

/** Runs `assize score` in the test's process. `out` and `errors` are what it printed; a failure is in `result`. */
export const runScore = (...args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const [before, beforeErrors] = [(yield* TestConsole.logLines).length, (yield* TestConsole.errorLines).length]
    const result = yield* Effect.result(Command.runWith(score, { version: "test" })(args))
    return {
      result,
      out: (yield* TestConsole.logLines).slice(before).join("\n"),
      errors: (yield* TestConsole.errorLines).slice(beforeErrors).join("\n")
    }
  })

/** The report of a run that must not fail. */
export const scored = (...args: ReadonlyArray<string>) =>
  Effect.flatMap(runScore(...args, "--json"), ({ out, result }) =>
    result._tag === "Failure" ? Effect.die(result.failure) : Effect.sync(() => JSON.parse(out) as ScoreReport)
  )

export const header = "consultation,note,clean,class,trace,severity,stratum,judge,replicate,score"

/** Two invented judges on three consultations; `b` could not read one note. */
export const twoJudges = `${header}
x,c,,,,,gp,a,11,9
x,o,c,omission,complete,critical,gp,a,11,4
x,w,c,alteration,,supporting,gp,a,11,9
y,c,,,,,ward,a,11,8
y,o,c,omission,fragment,peripheral,ward,a,11,8
z,c,,,,,ward,a,11,7
z,o,c,omission,restated,critical,ward,a,11,9
x,c,,,,,gp,b,11,6
x,o,c,omission,complete,critical,gp,b,11,7
x,w,c,alteration,,supporting,gp,b,11,2
y,c,,,,,ward,b,11,5
y,o,c,omission,fragment,peripheral,ward,b,11,
z,c,,,,,ward,b,11,7
z,o,c,omission,restated,critical,ward,b,11,6
`
