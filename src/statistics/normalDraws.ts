import { mulberry32 } from "../domain/Random.ts"

/** Seeded draws of the standard normal distribution. Box and Muller, Ann. Math. Stat. 29 (1958). */
export const normalDraws = (seed: number): (() => number) => {
  const next = mulberry32(seed)
  let kept = Number.NaN
  return () => {
    if (!Number.isNaN(kept)) {
      const draw = kept
      kept = Number.NaN
      return draw
    }
    const radius = Math.sqrt(-2 * Math.log(1 - next()))
    const angle = 2 * Math.PI * next()
    kept = radius * Math.sin(angle)
    return radius * Math.cos(angle)
  }
}
