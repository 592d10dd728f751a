/**
 * The built command line at a built simulated server that allows 10 requests a second, over real HTTP: how much of the
 * allowance is used and how many requests are refused after the first ten seconds, by the server's own counts.
 */
import { atEndpoint, quickstartCopy, simulate, start, temporaryFolder } from "../e2e/cli.ts"

const allowed = 10
const seconds = 75
const first = 10

const storm = async (concurrency: number, retryAfter: string, latencyMs: number): Promise<string> => {
  using folder = temporaryFolder()
  const server = await simulate([
    ...["--rate-limit", `${allowed}/s`, "--retry-after", retryAfter],
    ...["--latency", String(latencyMs), "--jitter", String(latencyMs / 2)]
  ])
  const yaml = quickstartCopy(folder.path, (text) =>
    atEndpoint(server.url, `concurrency: ${concurrency}`)(text).replace("samples: 1", "samples: 16")
  )
  const running = start(["run", yaml, "--quiet"], { cwd: folder.path })
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  const { from, rateLimited, served } = (await server.stats()).perSecond
  running.child.kill("SIGKILL")
  await running.finished
  await server.stop()
  // The bench's own start-up is no part of the storm; the last second is not over.
  const begun = served.findIndex((n) => n > 1) + first - from
  const after = (counts: ReadonlyArray<number>) => counts.slice(begun, -1).reduce((sum, n) => sum + n, 0)
  const length = served.slice(begun, -1).length
  const refused = after(rateLimited)
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`
  return `${concurrency} at once, ${latencyMs} ms, retry-after ${retryAfter}: ${percent(after(served) / (length * allowed))} of the allowance, ${percent(refused / (refused + after(served)))} refused, over ${length} s after the first ${first}`
}

const storms = [16, 64].flatMap((concurrency) =>
  ["alternate", "seconds", "date", "none"].map((retryAfter) => storm(concurrency, retryAfter, 200))
)
for (const line of await Promise.all(storms)) console.log(line)
