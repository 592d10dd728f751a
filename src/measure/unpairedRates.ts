import { boschloo } from "../statistics/boschloo.ts"
import { fisherExact } from "../statistics/fisher.ts"

/** Above this many tables Boschloo's test takes too long. */
const mostTables = 4e6

/** Two unpaired rates by Boschloo's exact test, or Fisher's where the notes are too many for it. Two-sided. */
export const unpairedRates = (
  a: { readonly count: number; readonly n: number },
  b: { readonly count: number; readonly n: number }
): { readonly test: "boschloo" | "fisher"; readonly p: number } => {
  const table = { x1: a.count, n1: a.n, x2: b.count, n2: b.n }
  const test = a.n * b.n > mostTables ? "fisher" : "boschloo"
  return { test, p: (test === "boschloo" ? boschloo(table) : fisherExact(table)).twoSided }
}
