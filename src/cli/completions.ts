import * as Console from "effect/Console"
import * as Completions from "effect/cli/Completions"
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { ErrorClass } from "../domain/Dataset.ts"
import { DesignName } from "../domain/DesignName.ts"

type Descriptor = Completions.CommandDescriptor
type Shell = Completions.Shell

const path = { _tag: "Path", pathType: "either" } as const

/** Flags whose value is a file or a folder. */
const pathFlags: ReadonlySet<string> = new Set([
  "against",
  "answers",
  "baseline-scores",
  "campaign",
  "csv",
  "dataset",
  "exclude",
  "file",
  "html",
  "judge",
  "labels",
  "lineage",
  "log",
  "markdown",
  "out",
  "questions",
  "scores",
  "scores-out",
  "seed-prompt",
  "split",
  "store",
  "threshold-from",
  "transcripts",
  "verdicts",
  "write-scores"
])

/** Flags and arguments whose values are known beforehand, or some of them: one table for all shells. */
const knownValues: Readonly<Record<string, ReadonlyArray<string>>> = {
  candidate: ["winner"],
  class: ErrorClass.literals,
  classes: ErrorClass.literals,
  designs: ["all", ...DesignName.literals],
  part: ["acceptance", "train", "all"]
}

/** Flags of every command, which a command does not have among its own. */
const everywhere: ReadonlyArray<Completions.FlagDescriptor> = [
  { name: "help", aliases: ["h"], description: "Show help", type: { _tag: "Boolean" } },
  {
    name: "log-level",
    aliases: [],
    description: "Sets the minimum log level",
    type: { _tag: "Choice", values: ["all", "trace", "debug", "info", "warn", "error", "fatal", "none"] }
  }
].map((flag) => ({ ...flag, negation: false }) as Completions.FlagDescriptor)

const shells = ["bash", "zsh", "fish", "powershell"] as const

/** Flags of the command line itself. */
const atRoot: ReadonlyArray<Completions.FlagDescriptor> = [
  { name: "version", aliases: ["v"], description: "Show version information", type: { _tag: "Boolean" } },
  {
    name: "completions",
    aliases: [],
    description: "Print a completion script",
    type: { _tag: "Choice", values: shells }
  }
].map((flag) => ({ ...flag, negation: false }) as Completions.FlagDescriptor)

/** Stands for the runs of the store until the script is written: shells ask for those when they are wanted. */
const runsToken = "ASSIZE-RUNS"
const anyRun = { _tag: "Choice", values: [runsToken] } as const

/** Flags and arguments that name a run, and what else they may name. */
const runNames: ReadonlySet<string> = new Set(["run", "target"])

type Value = Completions.FlagDescriptor["type"] & Completions.ArgumentDescriptor["type"]

/** What may stand where a text of this name is wanted; undefined where nobody can know. */
const valueOf = (name: string): Value | undefined =>
  runNames.has(name) ? anyRun : name in knownValues ? { _tag: "Choice", values: knownValues[name]! } : undefined

/** Completes files where files are meant, runs where runs are, and what is known; leaves out the `--no-…` of each flag, which only hide the others. */
const refined = (command: Descriptor): Descriptor => ({
  ...command,
  flags: [
    ...command.flags.map((flag) => ({
      ...flag,
      negation: flag.name === "judgements" || flag.name === "texts" ? flag.negation : (false as const),
      type:
        flag.type._tag !== "String" ? flag.type : pathFlags.has(flag.name) ? path : (valueOf(flag.name) ?? flag.type)
    })),
    ...everywhere
  ],
  arguments: command.arguments.map((argument) => ({
    ...argument,
    type: argument.type._tag !== "String" ? argument.type : (valueOf(argument.name) ?? path)
  })),
  subcommands: command.subcommands.map(refined)
})

/** The whole command line as completion scripts know it. */
const described = (command: GlobalFlag.HandlerContext["command"]): Descriptor => {
  const root = refined(Completions.fromCommand(command))
  return { ...root, flags: [...root.flags, ...atRoot] }
}

const listed = "assize runs list --ids 2>/dev/null"

/** How each shell asks for the runs, in place of the token in its quotes. */
const asking: Readonly<Record<Shell, readonly [token: string, instead: string]>> = {
  bash: [`'${runsToken}'`, `latest $(${listed})`],
  zsh: [`(${runsToken})`, `{compadd - latest \${(f)"$(${listed})"}}`],
  fish: [`'${runsToken}'`, `'latest (${listed})'`],
  powershell: [runsToken, "latest"]
}

/** A script that completes `assize` and its subcommands, flags, choices, files and runs. */
export const completionScript = (command: GlobalFlag.HandlerContext["command"], shell: Shell): string =>
  Completions.generate(command.name, shell, described(command)).replaceAll(...asking[shell])

/** `--completions SHELL` */
export const completions: typeof GlobalFlag.Completions = GlobalFlag.Action({
  flag: Flag.Literals("completions", shells).pipe(
    Flag.optional,
    Flag.withMetavar("SHELL"),
    Flag.withDescription("Print a script that completes commands, flags, files and runs in this shell")
  ),
  run: (shell, { command }) =>
    Option.isNone(shell) ? Effect.void : Console.info(completionScript(command, shell.value))
})
