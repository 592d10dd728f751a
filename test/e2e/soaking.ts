import { readFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { Outcome } from "../../src/domain/Judgement.ts"
import type { RunEvent } from "../../src/domain/RunEvent.ts"
import type { ServerStats } from "../../src/model/simulate/Counters.ts"
import { atEndpoint, eventsOf, type Finished, quickstartCopy, simulate, start, temporaryFolder } from "./cli.ts"

export interface Soak {
  /** For `assize simulate`. */
  readonly server: ReadonlyArray<string>
  /** Of each note, so that a short campaign makes many calls. */
  readonly samples: number
  readonly iterations: number
  readonly concurrency: number
  readonly timeout: string
}

export interface Soaked {
  readonly ended: Finished
  readonly ms: number
  readonly stats: ServerStats
  /** With the server's address taken out. */
  readonly events: ReadonlyArray<RunEvent>
  /** Of every judgement in the events. */
  readonly outcomes: ReadonlyArray<Outcome>
  /** How many calls ended how, as the store has it: `sent` are those of which it does not know. */
  readonly calls: Readonly<Record<string, number>>
  /** Answers stored, and the different keys among the calls that were answered. */
  readonly stored: number
  readonly answeredKeys: number
  /** Resident memory of the client in MB, every quarter of a second; empty where the system does not say. */
  readonly memory: ReadonlyArray<number>
}

/** Pages of 4 kB, as Linux has them. */
const residentMb = (pid: number): number | undefined => {
  try {
    return (Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * 4096) / 2 ** 20
  } catch {
    return undefined
  }
}

/** The quickstart with many samples of each note, run by the built command line against the built simulated server. */
export const soak = async ({ concurrency, iterations, samples, server: args, timeout }: Soak): Promise<Soaked> => {
  using folder = temporaryFolder()
  const server = await simulate(args)
  try {
    const yaml = quickstartCopy(folder.path, (text) =>
      atEndpoint(
        server.url,
        `concurrency: ${concurrency}, timeout: ${timeout}, temperature: 1, maxOutputTokens: 2000`
      )(text)
        .replace("iterations: 30", `iterations: ${iterations}`)
        .replace("samples: 1", `samples: ${samples}`)
        .replace(/^budget:.*$/m, "")
    )
    const from = performance.now()
    const running = start(["run", yaml, "--quiet"], { cwd: folder.path })
    const memory: Array<number> = []
    const sampling = setInterval(() => {
      const mb = residentMb(running.child.pid!)
      if (mb !== undefined) memory.push(mb)
    }, 250)
    const ended = await running.finished
    clearInterval(sampling)
    const ms = performance.now() - from
    const stats = await server.stats()
    const raw = await eventsOf(folder.path, join(folder.path, "out"))
    const events = JSON.parse(JSON.stringify(raw).replaceAll(server.url, "ADDRESS")) as ReadonlyArray<RunEvent>
    const database = new DatabaseSync(join(folder.path, ".assize/store.sqlite"), { readOnly: true })
    const rows = database.prepare("SELECT outcome, count(*) AS n FROM calls GROUP BY outcome").all()
    const count = (sql: string) => Number(database.prepare(sql).get()?.["n"])
    const soaked: Soaked = {
      ended,
      ms,
      stats,
      events,
      outcomes: events.flatMap((event) => ("outcomes" in event ? Object.values(event.outcomes) : [])),
      calls: Object.fromEntries(rows.map(({ n, outcome }) => [String(outcome), Number(n)])),
      stored: count("SELECT count(*) AS n FROM judgements"),
      answeredKeys: count(
        `SELECT count(DISTINCT key) AS n FROM calls WHERE role <> 'preflight'
         AND outcome IN ('ok', 'empty', 'refusal', 'content-filter', 'truncated', 'tool-calls')`
      ),
      memory
    }
    database.close()
    return soaked
  } finally {
    await server.stop()
  }
}

/** The mean of a quarter of the samples. */
export const quarterMb = (memory: ReadonlyArray<number>, quarter: 0 | 1 | 2 | 3): number => {
  const part = memory.slice(Math.floor((quarter * memory.length) / 4), Math.floor(((quarter + 1) * memory.length) / 4))
  return part.reduce((sum, mb) => sum + mb, 0) / part.length
}
