import type { CallStretch } from "../../store/callSeries.ts"
import type { LoggedEvent } from "../../store/EventLog.ts"
import type { CostPoint } from "./ReportData.ts"

/** What was bought by the time of each evaluation and each decision, and in all. */
export const costCourse = (
  logged: ReadonlyArray<LoggedEvent>,
  series: ReadonlyArray<CallStretch>
): ReadonlyArray<CostPoint> => {
  const points: Array<CostPoint> = []
  let next = 0
  let sum = { calls: 0, tokens: 0, usd: 0, unpriced: 0 }
  let iteration = 0
  const take = (time: number) => {
    for (; next < series.length && series[next]!.until <= time; next++) {
      const { calls, tokens, unpriced, usd } = series[next]!
      sum = {
        calls: sum.calls + calls,
        tokens: sum.tokens + tokens,
        usd: sum.usd + usd,
        unpriced: sum.unpriced + unpriced
      }
    }
  }
  for (const { event, time } of logged) {
    if (event._tag === "started") points.push({ iteration, time: Math.min(time, series[0]?.until ?? time), ...sum })
    if (event._tag !== "evaluated" && event._tag !== "decided") continue
    if (event._tag === "decided") iteration = event.iteration
    take(time)
    points.push({ iteration, time, ...sum })
  }
  const last = logged.at(-1)?.time
  const end = series.at(-1)?.until
  if (end !== undefined && last !== undefined && next < series.length) {
    take(end)
    points.push({ iteration, time: Math.max(last, end), ...sum })
  }
  return points
}
