import { type Check, note, ok, type Section, warning } from "./Check.ts"

/** What there is to know of the process and its terminal. */
export interface MachineFacts {
  readonly node: string
  readonly platform: string
  readonly stdinIsTty: boolean
  readonly stdoutIsTty: boolean
  readonly columns: number | undefined
  readonly rows: number | undefined
  /** Bits a pixel that the terminal says it can show: 1 for no colour. */
  readonly colourDepth: number
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The facts of this process. */
export const machineFacts = (): MachineFacts => ({
  node: process.versions.node,
  platform: process.platform,
  stdinIsTty: process.stdin.isTTY === true,
  stdoutIsTty: process.stdout.isTTY === true,
  columns: process.stdout.columns,
  rows: process.stdout.rows,
  colourDepth: process.stdout.isTTY === true ? process.stdout.getColorDepth() : 1,
  env: process.env
})

/** What the live view of a run needs to show more than its most important lines. */
const comfortable = { columns: 80, rows: 24 }

/** Whether characters beyond ASCII come out, as the locale says; undefined where it says nothing. */
export const showsUnicode = ({ env, platform }: Pick<MachineFacts, "env" | "platform">): boolean | undefined => {
  if (platform === "win32" || platform === "darwin") return true
  const locale = [env["LC_ALL"], env["LC_CTYPE"], env["LANG"]].find((one) => one !== undefined && one !== "")
  return locale === undefined ? undefined : /utf-?8/i.test(locale)
}

const terminal = (facts: MachineFacts): ReadonlyArray<Check> => {
  const { columns, env, rows } = facts
  if (!facts.stdoutIsTty || !facts.stdinIsTty)
    return [note("standard input and output are no terminal: runs are shown as one line an event")]
  const kind = env["TERM"] === undefined || env["TERM"] === "" ? "" : ` (${env["TERM"]})`
  const size = columns === undefined || rows === undefined ? "of unknown size" : `${columns} × ${rows}`
  const small = (columns ?? 0) < comfortable.columns || (rows ?? 0) < comfortable.rows
  const noColour = (env["NO_COLOR"] ?? "") !== ""
  const unicode = showsUnicode(facts)
  return [
    small
      ? note(
          `a terminal${kind} of ${size}`,
          `The live view shows more from ${comfortable.columns} × ${comfortable.rows} on`
        )
      : ok(`a terminal${kind} of ${size}`),
    noColour
      ? ok("no colours, as NO_COLOR asks")
      : facts.colourDepth > 1
        ? ok(`${2 ** facts.colourDepth} colours`)
        : note("the terminal shows no colours"),
    unicode === true
      ? ok("characters beyond ASCII are shown")
      : warning(
          "the locale is not UTF-8: letters beyond ASCII may come out wrong",
          "export LANG=C.UTF-8 or another UTF-8 locale"
        )
  ]
}

/** Host and port of a proxy's address, without what may stand in it of a user and a password. */
const proxyHost = (address: string): string => {
  try {
    return new URL(/^[a-z]+:\/\//i.test(address) ? address : `http://${address}`).host
  } catch {
    return "an address that cannot be read"
  }
}

const network = ({ env }: MachineFacts): ReadonlyArray<Check> => {
  const set = (name: string) => (env[name] ?? "") !== ""
  // Lower case goes first, as in the client.
  const proxies = ["https_proxy", "http_proxy"].flatMap((name) => {
    const used = [name, name.toUpperCase()].find(set)
    return used === undefined ? [] : [note(`${used} sends requests through ${proxyHost(env[used] ?? "")}`)]
  })
  const bypass = ["no_proxy", "NO_PROXY"].find(set)
  return [
    ...(proxies.length === 0 ? [ok("no proxy is set")] : proxies),
    ...(bypass !== undefined && proxies.length > 0 ? [note(`${bypass}: ${env[bypass]} is asked directly`)] : []),
    ...(set("NODE_EXTRA_CA_CERTS") ? [note("NODE_EXTRA_CA_CERTS names further certificate authorities")] : []),
    ...(env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0"
      ? [
          warning(
            "NODE_TLS_REJECT_UNAUTHORIZED=0: certificates are not checked, so anybody on the way can read keys and notes",
            "Unset it, and name the authority in NODE_EXTRA_CA_CERTS"
          )
        ]
      : [])
  ]
}

/** Node, terminal and network settings. None of it keeps anybody from working. */
export const machineSection = (facts: MachineFacts): Section => ({
  name: "this machine",
  // An older Node never comes this far: the entry point refuses it.
  checks: [ok(`Node ${facts.node}`), ...terminal(facts), ...network(facts)]
})
