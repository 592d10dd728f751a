/** What a frame offers to be moved through: how far, and by how much a page is. */
export interface Scrolling {
  /** The last row that can be the first shown; 0 where everything is seen. */
  readonly max: number
  readonly page: number
  /** Candidates from top to bottom, where the arrows choose one. */
  readonly candidates?: ReadonlyArray<string>
  /** Which of them is chosen, or stands for a choice; -1 for none. */
  readonly chosen?: number
  /** Columns that can be moved through sideways. */
  readonly across?: { readonly max: number; readonly page: number }
  /** Rows worth jumping to, in order. */
  readonly marks?: ReadonlyArray<number>
  /** Whether the shown candidate has another parent to be held against. */
  readonly otherParent?: boolean
}

export const still: Scrolling = { max: 0, page: 1 }

export interface Window {
  readonly first: number
  readonly max: number
  readonly page: number
}

/** The rows to show of so many, such that the chosen one is among them. */
export const windowOf = (rows: number, page: number, first: number, chosen = -1): Window => {
  const max = Math.max(0, rows - page)
  const from = Math.min(max, Math.max(0, first))
  if (chosen < 0) return { first: from, max, page }
  return { first: Math.min(max, Math.max(Math.min(from, chosen), chosen - page + 1)), max, page }
}

/** ` 3–12 of 40`; empty where everything is seen. */
export const whereOf = ({ first, max, page }: Window, rows: number): string =>
  max === 0 ? "" : ` ${first + 1}–${Math.min(rows, first + page)} of ${rows}`
