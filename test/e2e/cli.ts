import { spawn } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { RunEvent } from "../../src/domain/RunEvent.ts"
import type { ServerStats } from "../../src/model/simulate/Counters.ts"
import { assizeHere } from "./inProcess.ts"

export const root = fileURLToPath(new URL("../..", import.meta.url))
const bin = join(root, "dist/bundle/bin.js")

export interface Finished {
  /** Null when a signal ended the process. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CliOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The width of the terminal that both outputs are; pipes, if not given. Inside this process only. */
  readonly columns?: number
}

/** Starts the built command line. The environment is the test's own, without what would change how it shows things. */
export const start = (args: ReadonlyArray<string>, options: CliOptions) => {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: options.cwd,
    env: {
      ...process.env,
      NO_COLOR: "1",
      ASSIZE_STORE: undefined,
      VITEST: undefined,
      NODE_ENV: undefined,
      ...options.env
    },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let stdout = ""
  let stderr = ""
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()))
  const finished = new Promise<Finished>((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })))
  return { child, finished, stdout: () => stdout, stderr: () => stderr }
}

/** Runs the built command line to its end. */
export const assize = (args: ReadonlyArray<string>, options: CliOptions): Promise<Finished> =>
  start(args, options).finished

/** A folder that `dispose` removes. */
export const temporaryFolder = (): { readonly path: string; readonly [Symbol.dispose]: () => void } => {
  const path = mkdtempSync(join(tmpdir(), "assize-e2e-"))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** The quickstart in a folder of its own, with changes to its campaign file. Gives the campaign file's path. */
export const quickstartCopy = (folder: string, change: (yaml: string) => string = (yaml) => yaml): string => {
  for (const part of ["seeds", "splits"]) cpSync(join(root, part), join(folder, part), { recursive: true })
  const target = join(folder, "campaigns/quickstart")
  for (const file of ["campaign.yaml", "dataset.jsonl"])
    cpSync(join(root, "campaigns/quickstart", file), join(target, file))
  const yaml = join(target, "campaign.yaml")
  writeFileSync(yaml, change(readFileSync(yaml, "utf8")))
  return yaml
}

/** Points a campaign's two models at an endpoint. */
export const atEndpoint =
  (url: string, more = "concurrency: 4") =>
  (yaml: string): string =>
    yaml.replaceAll(
      "{ provider: embedded, model: lexical-1 }",
      `{ provider: openai, model: lexical-1, baseUrl: "${url}", price: { input: 0, output: 0 }, ${more} }`
    )

export interface Server {
  readonly url: string
  readonly stats: () => Promise<ServerStats>
  readonly stop: () => Promise<void>
}

const line = /listening on (\S+)/

/** `assize simulate` on a free port, as a process of its own. */
export const simulate = async (args: ReadonlyArray<string> = []): Promise<Server> => {
  const running = start(["simulate", "--port", "0", ...args], { cwd: root })
  const url = await new Promise<string>((resolve, reject) => {
    running.child.stdout.on("data", () => {
      const found = line.exec(running.stdout())?.[1]
      if (found !== undefined) resolve(found)
    })
    void running.finished.then(({ stderr }) => reject(new Error(`simulate ended: ${stderr}`)))
  })
  return {
    url,
    stats: async () => (await fetch(`${url}/stats`)).json() as Promise<ServerStats>,
    stop: async () => {
      running.child.kill("SIGTERM")
      await running.finished
    }
  }
}

/** The events of the newest run in the folder's store, without their times. */
export const eventsOf = async (cwd: string, out: string): Promise<ReadonlyArray<RunEvent>> => {
  const { code, stderr } = await assizeHere(["runs", "export", "latest", "--no-judgements", "--out", out], { cwd })
  if (code !== 0) throw new Error(stderr)
  return readFileSync(join(out, "events.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((text) => (JSON.parse(text) as { event: RunEvent }).event)
}
