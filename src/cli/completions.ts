import * as Console from "effect/Console"
import * as Completions from "effect/cli/Completions"
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

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

/** Stands for the runs of the store until the script is written: shells ask for those when they are wanted. */
const runsToken = "ASSIZE-RUNS"
const anyRun = { _tag: "Choice", values: [runsToken] } as const

/** Arguments that name a run, and what else they may name. */
const runArguments: ReadonlySet<string> = new Set(["run", "target"])

/** Completes files where files are meant and runs where runs are; leaves out the `--no-…` of each flag, which only hide the others. */
const refined = (command: Descriptor): Descriptor => ({
  ...command,
  flags: command.flags.map((flag) => ({
    ...flag,
    negation: flag.name === "judgements" ? flag.negation : false,
    type:
      flag.type._tag !== "String"
        ? flag.type
        : pathFlags.has(flag.name)
          ? path
          : flag.name === "run"
            ? anyRun
            : flag.type
  })),
  arguments: command.arguments.map((argument) => ({
    ...argument,
    type: argument.type._tag !== "String" ? argument.type : runArguments.has(argument.name) ? anyRun : path
  })),
  subcommands: command.subcommands.map(refined)
})

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
  Completions.generate(command.name, shell, refined(Completions.fromCommand(command))).replaceAll(...asking[shell])

/** `--completions SHELL` */
export const completions: typeof GlobalFlag.Completions = GlobalFlag.Action({
  flag: Flag.ChoiceWithValue("completions", [
    ["bash", "bash"],
    ["zsh", "zsh"],
    ["fish", "fish"],
    ["powershell", "powershell"]
  ] as const).pipe(
    Flag.optional,
    Flag.withMetavar("SHELL"),
    Flag.withDescription("Print a script that completes commands, flags, files and runs in this shell")
  ),
  run: (shell, { command }) =>
    Option.isNone(shell) ? Effect.void : Console.log(completionScript(command, shell.value))
})
