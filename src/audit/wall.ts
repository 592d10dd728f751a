import { operatingFigure, type Rate } from "../measure/operatingFigure.ts"
import type { Wall, WallPoint } from "./Audit.ts"
import { type Judged, type Measured, scoresOf } from "./judged.ts"
import { ownThreshold } from "./separation.ts"

interface Rates {
  readonly detection: Rate
  readonly falseAlarms: Rate
}

/** The point with the greatest detection; of equals the one with fewer false alarms, then the earlier. */
const best = (points: ReadonlyArray<WallPoint>, of: (point: WallPoint) => Rates | null): string | null => {
  let found: { readonly candidate: string; readonly detection: number; readonly falseAlarms: number } | undefined
  for (const point of points) {
    const at = of(point)
    if (at === null) continue
    const [detection, falseAlarms] = [at.detection.rate ?? 0, at.falseAlarms.rate ?? 0]
    const ahead =
      found === undefined ||
      detection > found.detection ||
      (detection === found.detection && falseAlarms < found.falseAlarms)
    if (ahead) found = { candidate: point.candidate, detection, falseAlarms }
  }
  return found?.candidate ?? null
}

const feasible = ({ falseAlarms }: Rates, cap: number): boolean => falseAlarms.count <= cap * falseAlarms.n + 1e-9

/**
 * Every candidate on the plane of detection against false alarms, at one threshold for all (the seed's operating point)
 * and at its own: the first shows what a deployed threshold would do, the second what each could do. Method §7.3.
 */
export const wallOf = (measured: Measured, seed: Judged, candidates: ReadonlyArray<Judged>, cap: number): Wall => {
  const threshold = ownThreshold(measured, seed, cap)
  const points = candidates.map((judged): WallPoint => {
    const [flawed, clean] = [scoresOf(judged, measured.flawed), scoresOf(judged, measured.clean)]
    const fixed = threshold === null ? null : operatingFigure(flawed, clean, cap, threshold)
    const own = operatingFigure(flawed, clean, cap)
    return {
      candidate: judged.candidate.id,
      fixed:
        fixed === null
          ? null
          : { detection: fixed.detection, falseAlarms: fixed.falseAlarms, feasible: feasible(fixed, cap) },
      own: own === null ? null : { threshold: own.threshold, detection: own.detection, falseAlarms: own.falseAlarms }
    }
  })
  const placed = points.filter(({ fixed }) => fixed !== null)
  return {
    cap,
    threshold,
    points,
    feasible: placed.filter(({ fixed }) => fixed!.feasible).length,
    of: placed.length,
    bestFixed: best(points, ({ fixed }) => (fixed?.feasible === true ? fixed : null)),
    bestOwn: best(points, ({ own }) => own)
  }
}
