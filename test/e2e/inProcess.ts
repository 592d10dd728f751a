import { format } from "node:util"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { program } from "../../src/cli/main.ts"
import { exitCodeOf, report } from "../../src/cli/runMain.ts"
import type { CliOptions, Finished } from "./cli.ts"

type Write = typeof process.stdout.write

let last: Promise<unknown> = Promise.resolve()

/** Makes both outputs a terminal of so many columns, or pipes; gives back what they were. */
const asTerminal = (columns: number | undefined): (() => void) => {
  const streams = [process.stdout, process.stderr]
  const before = streams.map(({ columns, isTTY }) => ({ columns, isTTY }))
  for (const stream of streams) Object.assign(stream, { columns: columns ?? 0, isTTY: columns !== undefined })
  return () => {
    for (const [at, stream] of streams.entries()) Object.assign(stream, before[at])
  }
}

const run = async (args: ReadonlyArray<string>, { columns, cwd, env }: CliOptions): Promise<Finished> => {
  const said = { stdout: "", stderr: "" }
  const into = (name: keyof typeof said) => (text: unknown) => {
    said[name] += String(text)
    return true
  }
  const line =
    (name: keyof typeof said) =>
    (...parts: ReadonlyArray<unknown>) =>
      void into(name)(`${format(...parts)}\n`)
  const console: Console.Console = {
    ...globalThis.console,
    log: line("stdout"),
    info: line("stdout"),
    error: line("stderr"),
    warn: line("stderr")
  }
  const before = {
    cwd: process.cwd(),
    env: { ...process.env },
    stdout: process.stdout.write,
    stderr: process.stderr.write
  }
  process.chdir(cwd)
  const asBefore = asTerminal(columns)
  const changed = { NO_COLOR: "1", ASSIZE_STORE: undefined, VITEST: undefined, NODE_ENV: undefined, ...env }
  for (const [name, value] of Object.entries(changed)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  process.stdout.write = into("stdout") as Write
  process.stderr.write = into("stderr") as Write
  try {
    const exit = await Effect.runPromiseExit(
      program(args, { drain: undefined }).pipe(
        Effect.provideService(Console.Console, console),
        // What the environment is now: otherwise it is what it was for the first that asked.
        Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv())
      )
    )
    report(exit)
    return { code: exitCodeOf(exit), ...said }
  } finally {
    process.stdout.write = before.stdout
    process.stderr.write = before.stderr
    process.chdir(before.cwd)
    asBefore()
    for (const name of Object.keys(changed)) delete process.env[name]
    Object.assign(process.env, before.env)
  }
}

/**
 * Runs a command line to its end as a process of its own would, but inside this one, which takes a tenth of the time:
 * for commands whose being a process is not what is tested. One at a time.
 */
export const assizeHere = (args: ReadonlyArray<string>, options: CliOptions): Promise<Finished> => {
  const next = last.then(() => run(args, options))
  last = next.catch(() => {})
  return next
}
