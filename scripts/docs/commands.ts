/**
 * Writes docs/commands.md: every command's help, as it is printed. With `--check` it writes nothing, and fails where the
 * page is not what it would write. Build first.
 */
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assize } from "../../src/cli/commands.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const page = join(root, "docs/commands.md")

interface Named {
  readonly name: string
  readonly subcommands: ReadonlyArray<{ readonly commands: ReadonlyArray<Named> }>
}

const paths = (command: Named, before: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> =>
  command.subcommands
    .flatMap(({ commands }) => commands)
    .flatMap((one) => [[...before, one.name], ...paths(one, [...before, one.name])])

const help = (words: ReadonlyArray<string>) =>
  execFileSync(process.execPath, [join(root, "dist/bundle/bin.js"), ...words, "--help"], {
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1", COLUMNS: "100" }
  })
    .replace(/\n+FLAGS OF EVERY COMMAND\n(?: .*\n?)*/, "\n")
    .trim()

const section = (words: ReadonlyArray<string>) =>
  `${"#".repeat(words.length + 1)} assize ${words.join(" ")}\n\n\`\`\`text\n${help(words)}\n\`\`\`\n`

const text = [
  "# Commands\n\nEach as `assize COMMAND --help` prints it; made by `npm run docs:commands`.\n",
  `\`\`\`text\n${help([])}\n\`\`\`\n`,
  ...paths(assize as unknown as Named, []).map(section)
].join("\n")

if (process.argv.includes("--check")) {
  if (readFileSync(page, "utf8") !== text) {
    process.stderr.write("docs/commands.md is not what the commands say: npm run docs:commands\n")
    process.exit(3)
  }
} else writeFileSync(page, text)
