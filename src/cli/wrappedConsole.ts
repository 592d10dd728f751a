import { format } from "node:util"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { wrapText } from "../terminal/wrap.ts"
import { errorColumns, terminalColumns } from "./output.ts"

/** What `--json` prints goes out as it is, since somebody may copy it. */
const isJson = (text: string): boolean => /^(?:[[{]\n|\[\]$|\{\}$)/.test(text)

const line = (width: number | undefined, parts: ReadonlyArray<unknown>): ReadonlyArray<unknown> => {
  if (width === undefined) return parts
  const text = format(...parts)
  return [isJson(text) ? text : wrapText(text, width)]
}

/**
 * What a person reads on a terminal is broken between words, here for all commands: `log` and `error` at the width of
 * the terminal that each of them is. A pipe or a file gets whole lines. `info` leaves its text as it is, for scripts
 * that the user is given.
 */
export const wrappedConsole = <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Console.consoleWith((console) => {
    const wrapping: Console.Console = Object.assign(Object.create(console) as Console.Console, {
      log: (...parts: ReadonlyArray<unknown>) => console.log(...line(terminalColumns(), parts)),
      error: (...parts: ReadonlyArray<unknown>) => console.error(...line(errorColumns(), parts))
    })
    return Effect.provideService(program, Console.Console, wrapping)
  })
