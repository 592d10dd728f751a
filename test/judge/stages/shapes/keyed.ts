/** What is read of an answer keyed by ids: `F1 full, F2 absent`, and what is odd about it behind a bar. */
export const summary = (
  verdicts: Iterable<readonly [string, string]>,
  odd: Readonly<Record<string, ReadonlyArray<string> | number>>
): string => {
  const noted = Object.entries(odd).flatMap(([name, what]) =>
    typeof what === "number"
      ? what === 0
        ? []
        : [`${name} ${what}`]
      : what.length === 0
        ? []
        : [`${name} ${what.join(" ")}`]
  )
  return [[...verdicts].map(([id, verdict]) => `${id} ${verdict}`).join(", "), ...noted].join(" | ")
}
