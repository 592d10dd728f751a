import * as CliConfig from "effect/cli/CliConfig"
import * as CliOutput from "effect/cli/CliOutput"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import type { FlagDoc, HelpDoc } from "effect/cli/HelpDoc"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { columns } from "../terminal/columns.ts"
import { wrapText } from "../terminal/wrap.ts"
import { completions } from "./completions.ts"
import { colourWanted, paint, terminalColumns } from "./output.ts"

type Row = readonly [left: string, right: string]
type Section = readonly [title: string, rows: ReadonlyArray<Row>]

/** What holds for all commands. */
const more: ReadonlyArray<Section> = [
  [
    "EXIT CODES",
    [
      ["0", "done"],
      ["1", "something unexpected, or a model that gives nothing usable"],
      ["2", "what was given cannot be used: command line, campaign, data"],
      ["3", "a check or a gate said no"],
      ["4", "stopped by a budget; the same command goes on once it is raised"],
      ["130", "interrupted; the same command goes on, and buys nothing twice"]
    ]
  ],
  [
    "ENVIRONMENT",
    [
      ["ASSIZE_STORE", "the store's file, where --store does not name one"],
      ["OPENAI_API_KEY, …", "keys, read from the variable that apiKeyEnv of a model names, and from nowhere else"],
      ["HTTPS_PROXY, NO_PROXY", "the way to the models; NODE_EXTRA_CA_CERTS for an authority of your own"],
      ["NO_COLOR", "no colours; every mark is told apart without them"],
      ["CI, TERM=dumb", "one line an event instead of the live view"]
    ]
  ],
  [
    "SHELL COMPLETIONS",
    [
      ["bash", "assize --completions bash >> ~/.bashrc"],
      ["zsh", "assize --completions zsh > DIR/_assize, with DIR in your fpath"],
      ["fish", "assize --completions fish > ~/.config/fish/completions/assize.fish"]
    ]
  ]
]

/** Lines longer than this are hard to read, however wide the terminal is. */
const mostColumns = 110

/** Help for a terminal of so many columns; where nobody says how many, each entry keeps its line, which can be searched. */
export const wrapHelp = (text: string, width: number | undefined): string =>
  wrapText(text, width === undefined ? undefined : Math.min(width, mostColumns))

/** Two columns under one another, `most` wide at the left. */
const rowsOf = (rows: ReadonlyArray<Row>, dress: (text: string) => string, most: number): string =>
  rows.map(([left, right]) => `  ${dress(left)}${" ".repeat(most - columns(left) + 3)}${right}`).join("\n")

const widest = (rows: ReadonlyArray<Row>): number => Math.max(0, ...rows.map(([left]) => columns(left)))

const globalRow = ({ aliases, description, name, type }: FlagDoc): Row => [
  // The choices of a flag stand in its description, too.
  [`--${name}`, ...aliases].join(", ") + (type === "boolean" ? "" : type.startsWith("<") ? " LEVEL" : ` ${type}`),
  Option.getOrElse(description, () => "")
]

/** The whole tool on a page: commands by what one does, then how to begin, then what holds for all of them. */
const rootHelp = (doc: HelpDoc, { bold, cyan, dim }: ReturnType<typeof paint>): string => {
  const groups = (doc.subcommands ?? []).map(({ commands, group }) => ({
    title: group ?? "COMMANDS",
    rows: commands.map(({ description, name, shortDescription }): Row => [name, shortDescription ?? description])
  }))
  const left = widest(groups.flatMap(({ rows }) => rows))
  const examples = (doc.examples ?? []).map(({ command, description }) =>
    [...(description === undefined ? [] : [`  ${dim(`# ${description}`)}`]), `  ${cyan(command)}`].join("\n")
  )
  const global: Section = ["FLAGS OF EVERY COMMAND", (doc.globalFlags ?? []).map(globalRow)]
  const commandHelp = `  ${cyan(`${doc.commandPath?.[0] ?? ""} <command> --help`)}`
  return [
    doc.description,
    `${bold("USAGE")}\n  ${cyan(doc.usage)}\n${commandHelp}`,
    ...groups.map(({ rows, title }) => `${bold(title)}\n${rowsOf(rows, cyan, left)}`),
    `${bold("EXAMPLES")}\n${examples.join("\n\n")}`,
    ...[global, ...more].map(([title, rows]) => `${bold(title)}\n${rowsOf(rows, (text) => text, widest(rows))}`)
  ].join("\n\n")
}

/** `--reason string`, for each flag that a command cannot do without. */
const requiredOf = (doc: HelpDoc): ReadonlyArray<string> =>
  doc.flags.filter(({ required }) => required).map(({ name, type }) => `--${name} ${type}`)

/** How a command is used, with the flags that it cannot do without. */
export const usageOf = (doc: HelpDoc): string => doc.usage.replace("[flags]", ["[flags]", ...requiredOf(doc)].join(" "))

/** The same, saying of these flags that they are required. */
const withRequired = (doc: HelpDoc): HelpDoc => ({
  ...doc,
  usage: usageOf(doc),
  flags: doc.flags.map((flag) => ({
    ...flag,
    description: flag.required ? Option.map(flag.description, (text) => `${text} (required)`) : flag.description
  }))
})

const formatter = (): CliOutput.Formatter => {
  const colours = colourWanted()
  const base = CliOutput.defaultFormatter({ colors: colours, globalFlags: "summary" })
  return {
    ...base,
    formatHelpDoc: (doc) =>
      wrapHelp(
        doc.commandPath?.length === 1 ? rootHelp(doc, paint(colours)) : base.formatHelpDoc(withRequired(doc)),
        terminalColumns()
      )
  }
}

/** How help is printed, and the flags that every command has. */
export const helpLayer = Layer.mergeAll(
  CliConfig.layer({
    builtIns: [GlobalFlag.Help, GlobalFlag.Version, completions, GlobalFlag.LogLevel]
  }),
  Layer.sync(CliOutput.Formatter, formatter)
)
