/** What is taken for granted about a baseline and a candidate that is compared with it, all as shares in [0, 1]. */
export interface Assumptions {
  /** Pairs that the baseline wins and ties; it loses the others. */
  readonly wins: number
  readonly ties: number
  /** Pairs whose outcome differs between two judges that are equally good. */
  readonly discordance: number
  /** Correlation of the two judges' differences on two pairs of one consultation. */
  readonly icc: number
  /** Flawed notes that the baseline flags under the cap on false alarms. */
  readonly detection: number
  /** Correlation of the two judges' scores of one note. */
  readonly scoreCorrelation: number
  /** Correlation of the two judges' differences in score on two notes of one consultation. */
  readonly scoreIcc: number
}

export interface SimulationOptions {
  readonly seed: number
  /** Simulated confirmations; fewer where a part is so large that they would take seconds. */
  readonly trials: number
}

/** Confirmations of one part that are simulated with the same random numbers at every gain. */
export interface Simulation {
  readonly trials: number
  /** The largest gain that a candidate could have over this baseline. */
  readonly ceiling: number
  /** In how many trials a true gain of this size is found: the difference is above nought and p is at most `alpha`. */
  detected(gain: number, alpha: number): number
}

/** Random numbers that a simulation keeps are bounded, so that a large part takes no longer than a small one. */
export const trialsFor = (asked: number, cases: number, least = 200): number =>
  Math.max(least, Math.min(asked, Math.floor(1e6 / Math.max(1, cases))))

/** The same allowance for rounding as the gate's. */
export const tolerance = 1e-9

/** The x in [0, 1] at which a rising function reaches the wanted value, to 1e-6; the nearer end where it does not. */
export const rootOf = (rising: (x: number) => number, wanted: number): number => {
  let low = 0
  let high = 1
  for (let step = 0; step < 20; step++) {
    const middle = (low + high) / 2
    if (rising(middle) < wanted) low = middle
    else high = middle
  }
  return (low + high) / 2
}
