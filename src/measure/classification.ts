/** Notes by truth and verdict; "positive" is a flagged note. */
export interface Confusion {
  /** Flawed and flagged. */
  readonly tp: number
  /** Clean and flagged. */
  readonly fp: number
  /** Flawed, not flagged. */
  readonly fn: number
  /** Clean, not flagged. */
  readonly tn: number
}

/** Shares in [0, 1], MCC in [-1, 1]; null wherever the definition is 0/0, never a 0 in its place. */
export interface ClassificationMetrics {
  readonly precision: number | null
  readonly recall: number | null
  readonly specificity: number | null
  /** 2 tp / (2 tp + fp + fn): 0 when nothing was right, null only when tp = fp = fn = 0. */
  readonly f1: number | null
  /** Mean of recall and specificity; null unless both exist. */
  readonly balancedAccuracy: number | null
  /** Matthews correlation; null when a margin is empty. */
  readonly mcc: number | null
  readonly accuracy: number | null
  /** Share of all notes that were flagged. */
  readonly flagRate: number | null
}

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

/** Counts of flags on flawed and on clean notes. */
export const confusion = (flawedFlagged: ReadonlyArray<boolean>, cleanFlagged: ReadonlyArray<boolean>): Confusion => {
  const tp = flawedFlagged.filter(Boolean).length
  const fp = cleanFlagged.filter(Boolean).length
  return { tp, fp, fn: flawedFlagged.length - tp, tn: cleanFlagged.length - fp }
}

/** Pointwise metrics of the four counts [BCR §3.4.1]. */
export const classificationMetrics = ({ tp, fp, fn, tn }: Confusion): ClassificationMetrics => {
  const recall = share(tp, tp + fn)
  const specificity = share(tn, tn + fp)
  // Roots before products: the product of four margins of a few million is beyond what a double holds exactly.
  const margins = Math.sqrt(tp + fp) * Math.sqrt(tp + fn) * Math.sqrt(tn + fp) * Math.sqrt(tn + fn)
  return {
    precision: share(tp, tp + fp),
    recall,
    specificity,
    f1: share(2 * tp, 2 * tp + fp + fn),
    balancedAccuracy: recall === null || specificity === null ? null : (recall + specificity) / 2,
    mcc: margins === 0 ? null : Math.max(-1, Math.min(1, (tp * tn - fp * fn) / margins)),
    accuracy: share(tp + tn, tp + fp + fn + tn),
    flagRate: share(tp + fp, tp + fp + fn + tn)
  }
}
