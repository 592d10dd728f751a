/** A fact's id in the form in which it is compared: `**f1**`, `(F1)`, `Fact F1:` and `F1` are one. */
const plainId = (id: string): string =>
  id.length > 200
    ? id
    : id
        .normalize("NFKC")
        .replace(/[*_`"'“”‘’[\](){}<>\s]/g, "")
        .replace(/[.:,]$/, "")
        .toUpperCase()
        .replace(/^(?:FACTID|FACT|ID)[:=#]?(?=.)/, "")

/**
 * Finds which of the asked ids a written id is: itself, or the only one that is the same but for case and marks around it.
 * Never a guess: what could be two ids is none.
 */
export const idReader = (asked: ReadonlyArray<string>): ((written: string) => string | undefined) => {
  const exact = new Set(asked)
  const loose = new Map<string, string | undefined>()
  for (const id of exact) {
    const plain = plainId(id)
    loose.set(plain, loose.has(plain) ? undefined : id)
  }
  return (written) => (exact.has(written) ? written : loose.get(plainId(written)))
}
