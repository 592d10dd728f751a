import type { Figures } from "../domain/RunEvent.ts"

const tie = 1e-9

/** Above 0 where `a` is better by primary, then secondary; without pairs to measure, by mean reward. 0 for a tie. */
const compareFigures = (a: Figures, b: Figures): number => {
  const primary = (a.primary ?? a.reward ?? 0) - (b.primary ?? b.reward ?? 0)
  if (Math.abs(primary) > tie) return primary
  const secondary = (a.secondary ?? 0) - (b.secondary ?? 0)
  return Math.abs(secondary) > tie ? secondary : 0
}

interface Ranked {
  readonly figures: Figures
}

/**
 * The best: greatest primary measure, then secondary, then the earlier one [method §5.10]. One whose evaluation has failed
 * calls is compared on other notes than the rest, so it is the best only when all have some. Undefined of none.
 */
export const bestOf = <A extends Ranked>(members: ReadonlyArray<A>): A | undefined => {
  const whole = members.filter(({ figures }) => figures.failed === 0)
  return (whole.length > 0 ? whole : members).reduce<A | undefined>(
    (best, member) => (best === undefined || compareFigures(member.figures, best.figures) > 0 ? member : best),
    undefined
  )
}

/** All of them, the best first by the rule that names it. */
export const bestFirst = <A extends Ranked>(members: ReadonlyArray<A>): ReadonlyArray<A> => {
  const best = bestOf(members)
  const first = (member: A) => Number(member === best)
  const whole = ({ figures }: A) => Number(figures.failed === 0)
  return members.toSorted((a, b) => first(b) - first(a) || whole(b) - whole(a) || compareFigures(b.figures, a.figures))
}
