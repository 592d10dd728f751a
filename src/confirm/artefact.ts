import { stringify } from "yaml"
import type { Rate } from "../measure/operatingFigure.ts"
import type { ReadOut } from "./readOut.ts"
import { seenText } from "./seenBefore.ts"

const rate = ({ count, interval, n }: Rate) => ({ count, n, interval })

/**
 * The confirmed instruction as files by module: a seed file that campaigns and `score` read, whose front matter says
 * where it comes from, what was found, and which threshold was calibrated on what. `openings`: how often the split's
 * holdout has been opened.
 */
export const artefactFiles = (
  { holdout, model, opening, preregistration, transfer, gates }: ReadOut,
  openings: number
): ReadonlyMap<string, string> => {
  const { document, hash } = preregistration
  const { candidate, judge, run, split } = document
  const { replicates } = holdout.judges.find(({ judge: name }) => name === candidate.name)!
  const sum = (of: "wins" | "ties" | "losses") => replicates.reduce((total, { paired }) => total + paired[of], 0)
  const threshold = transfer.find(({ judge: name }) => name === candidate.name)
  const { seen = [] } = opening
  const { measured } = gates.find(({ part }) => part === "holdout")!
  const confirmation = {
    status:
      openings > 1
        ? `exploratory: the holdout was opened ${openings} times`
        : seen.length > 0
          ? `exploratory: of the holdout, ${seen.map(seenText).join("; ")}`
          : "confirmatory",
    run,
    candidate: candidate.id,
    split: split.hash,
    preregistration: hash,
    opening: opening.hash,
    model: document.model,
    servedBy: model.name,
    embedded: model.embedded,
    samples: judge.samples,
    holdout: {
      against: document.baselines[0].name,
      measure: document.primary,
      candidate: measured.a,
      baseline: measured.b,
      difference: measured.difference,
      interval: measured.interval,
      p: measured.p,
      n: measured.n,
      consultations: measured.consultations,
      // Over all replicates, like the figures above.
      pairs: { replicates: replicates.length, wins: sum("wins"), ties: sum("ties"), losses: sum("losses") }
    },
    ...(threshold === undefined
      ? {}
      : {
          threshold: {
            flagBelow: threshold.threshold,
            calibratedOn: `the clean notes of the acceptance part of split ${split.name}`,
            falseAlarms: rate(threshold.calibrated.falseAlarms),
            onHoldout: {
              falseAlarms: rate(threshold.held.falseAlarms),
              detection: rate(threshold.held.detection)
            },
            warning:
              "a threshold belongs to a deployment: calibrate it on clean notes of your own with assize calibrate"
          }
        })
  }
  const modules = Object.entries(candidate.instructions)
  return new Map(
    modules.map(([module, instruction]) => {
      const head = stringify(
        {
          name: candidate.name,
          design: judge.design,
          module,
          provenance: `candidate ${candidate.name} (${candidate.id}) of run ${run}, confirmed on the holdout of split ${split.name}`,
          confirmation
        },
        { lineWidth: 100 }
      )
      return [modules.length === 1 ? "" : `.${module}`, `---\n${head}---\n${instruction}\n`]
    })
  )
}
