import type { ReadOut } from "../confirm/readOut.ts"
import { isExploratory } from "../confirm/seenBefore.ts"
import { bounds, fixed, intervalRemarks, plural, pText, rate, type Section, signed } from "./scoreFormat.ts"

/** A finished confirmation, and how often its split's holdout has been opened by now; null where the ledger is not at hand or lacks lines. */
export interface KnownConfirmation {
  readonly readOut: ReadOut
  readonly openings: number | null
  /** The content hashes of its holdout's consultations; null where the split is not at hand. */
  readonly holdout: ReadonlySet<string> | null
}

/** What several splits' holdouts have in common: figures are comparable on the same notes alone. */
const severalSplits = (known: ReadonlyArray<KnownConfirmation>): ReadonlyArray<string> => {
  const bySplit = new Map(
    known.map(({ holdout, readOut }) => [readOut.preregistration.document.split.hash, holdout] as const)
  )
  if (bySplit.size < 2) return []
  const these = `these are of ${plural(bySplit.size, "split")}`
  const holdouts = [...bySplit.values()]
  if (!holdouts.every((one) => one !== null)) {
    return [
      `${these}; how many notes their holdouts share is not known, since a split is not at hand: figures of one row are comparable with those of another on the same notes alone; gains are, with care`
    ]
  }
  const all = holdouts.reduce((union, one) => union.union(one), new Set<string>())
  if (holdouts.every(({ size }) => size === all.size)) {
    return [`${these} whose holdouts are the same ${plural(all.size, "consultation")}`]
  }
  const shared = [...all].filter((one) => holdouts.filter((holdout) => holdout.has(one)).length > 1).length
  return [
    `${these}, whose holdouts ${shared === 0 ? "have no consultation in common" : `share ${shared} of ${plural(all.size, "consultation")}`}: figures of one row are not comparable with those of another; gains are, with care`
  ]
}

/** What of a confirmation is set beside others, unrounded. */
export const confirmationRow = ({ openings, readOut }: KnownConfirmation) => {
  const { document } = readOut.preregistration
  const { measured } = readOut.gates.find(({ part }) => part === "holdout")!
  const figures = readOut.holdout.judges.find(({ judge }) => judge === document.candidate.name)!.figures
  return {
    run: document.run,
    candidate: document.candidate.name,
    candidateId: document.candidate.id,
    against: document.baselines[0].name,
    split: document.split,
    model: readOut.model,
    opened: readOut.opening.time,
    status:
      openings === null && !isExploratory(readOut, 1)
        ? ("unknown: the ledger is not at hand, or lacks lines" as const)
        : isExploratory(readOut, openings ?? 1)
          ? ("exploratory" as const)
          : ("confirmatory" as const),
    openings,
    seen: readOut.opening.seen ?? [],
    measured,
    detection: figures.operating?.detection ?? null,
    falseAlarms: figures.operating?.falseAlarms ?? null,
    noise: readOut.noise,
    decision: readOut.decision,
    cost: readOut.cost
  }
}

/** Finished confirmations side by side. */
export const confirmationsTable = (known: ReadonlyArray<KnownConfirmation>): Section => {
  const found = known.map(confirmationRow)
  const rows = found.map(({ measured, ...one }) => [
    one.run,
    one.candidate,
    one.against,
    one.split.name,
    one.status,
    measured.measure.measure,
    fixed(measured.a),
    fixed(measured.b),
    signed(measured.difference),
    bounds(measured),
    measured.p === null ? "-" : pText(measured.p),
    `${measured.n} of ${measured.consultations}`,
    rate(one.detection),
    rate(one.falseAlarms),
    one.cost.unpriced > 0 ? "unknown" : `$${one.cost.usd.toFixed(4)}`,
    one.decision
  ])
  const splits = new Set(found.map(({ split }) => split.hash))
  return {
    title: "Finished confirmations",
    keys: 2,
    rows: [
      [
        "run",
        "candidate",
        "against",
        "split",
        "status",
        "measure",
        "candidate",
        "baseline",
        "gain",
        "95 %",
        "p",
        "n of cons.",
        "detected",
        "false alarms",
        "cost",
        "decision"
      ],
      ...rows
    ],
    remarks: [
      ...severalSplits(known),
      ...(found.length > splits.size
        ? [
            "several confirmations on one holdout: each p is that of one test, and the more there are the likelier one is small by chance"
          ]
        : []),
      ...(found.some(({ model }) => model.embedded)
        ? ["the embedded model is a stand-in: its figures say nothing about real models"]
        : []),
      ...intervalRemarks(rows)
    ]
  }
}
