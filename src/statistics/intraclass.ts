/**
 * Intraclass correlation of one-way random effects, ICC(1), of groups of unequal sizes, by analysis of variance:
 * (MSB - MSW) / (MSB + (n0 - 1) MSW) with n0 = (N - Σ n² / N) / (k - 1). Below nought where members of a group differ more
 * than groups do. Null without two groups, without a group of two, and where nothing varies. Donner, Int. Stat. Rev. 54
 * (1986).
 */
export const intraclass = (groups: ReadonlyArray<ReadonlyArray<number>>): number | null => {
  const used = groups.filter((group) => group.length > 0)
  const total = used.reduce((sum, { length }) => sum + length, 0)
  if (used.length < 2 || total === used.length) return null
  const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length
  const grand = mean(used.flat())
  let between = 0
  let within = 0
  for (const group of used) {
    const own = mean(group)
    between += group.length * (own - grand) ** 2
    for (const value of group) within += (value - own) ** 2
  }
  between /= used.length - 1
  within /= total - used.length
  const size = (total - used.reduce((sum, { length }) => sum + length ** 2, 0) / total) / (used.length - 1)
  const below = between + (size - 1) * within
  return below <= 0 ? null : (between - within) / below
}
