/** `1 pair`, `2 pairs`; `1,234 pairs` where `shown` writes the number. */
export const count = (
  number: number,
  singular: string,
  plural = `${singular}s`,
  shown: (number: number) => string = String
): string => `${shown(number)} ${number === 1 ? singular : plural}`
