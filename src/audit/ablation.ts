import type { AblatedParagraph, Ablation } from "./Audit.ts"
import type { AuditInput } from "./AuditInput.ts"
import { changeOfMean, shown } from "./change.ts"
import { judgedOf, measuredOf } from "./judged.ts"
import type { Sizer } from "./lineage.ts"
import { placeOf } from "./place.ts"

/** A paragraph of an instruction that its seed has not, and the instruction without it. */
export interface AddedParagraph {
  readonly module: string
  readonly start: number
  readonly end: number
  readonly text: string
  readonly without: Readonly<Record<string, string>>
}

const pieces = (text: string, separator: RegExp): ReadonlyArray<{ readonly start: number; readonly end: number }> => {
  const found: Array<{ readonly start: number; readonly end: number }> = []
  let start = 0
  const add = (end: number) => {
    const own = text.slice(start, end)
    const from = start + own.length - own.trimStart().length
    if (own.trim() !== "") found.push({ start: from, end: from + own.trim().length })
  }
  for (const match of text.matchAll(separator)) {
    add(match.index)
    start = match.index + match[0].length
  }
  add(text.length)
  return found
}

const same = (text: string): string => text.replace(/\s+/g, " ").trim()

/** Paragraphs; where there is but one, its lines; where there is but one of those, its sentences. */
const paragraphsOf = (text: string) => {
  const ways = [/\n[ \t]*\n\s*/g, /\n/g, /(?<=[.!?])\s+/g].map((separator) => pieces(text, separator))
  return ways.find((some) => some.length > 1) ?? ways[0]!
}

/**
 * The paragraphs of a candidate that none of its seeds has, white space aside, each with the candidate without it. One
 * whose loss would leave a module empty is left out.
 */
export const addedParagraphs = (
  instructions: Readonly<Record<string, string>>,
  seeds: ReadonlyArray<string>
): ReadonlyArray<AddedParagraph> =>
  Object.entries(instructions).flatMap(([module, text]) =>
    paragraphsOf(text).flatMap(({ end, start }) => {
      const own = text.slice(start, end)
      if (seeds.some((seed) => same(seed).includes(same(own)))) return []
      const without =
        `${text.slice(0, start).trimEnd()}${text.slice(0, start).trim() === "" ? "" : "\n\n"}${text.slice(end).trimStart()}`.trim()
      return without === "" ? [] : [{ module, start, end, text: own, without: { ...instructions, [module]: without } }]
    })
  )

/** The audit's ablation, from what the judge made of the acceptance part without each paragraph. */
export const ablationOf = (
  input: Pick<AuditInput, "table" | "settings" | "subject" | "candidates">,
  paragraphs: ReadonlyArray<{
    readonly paragraph: AddedParagraph
    readonly outcomes: NonNullable<AuditInput["candidates"][number]["outcomes"]>
  }>,
  size: Sizer
): Ablation | null => {
  const { settings, subject, table } = input
  const whole = input.candidates.find(({ id }) => id === subject.candidate)
  if (table === null || whole === undefined || whole.outcomes === null) return null
  const classes = subject.objective?.primary.classes
  const measured = measuredOf(table, classes)
  const cluster = measured.pairs.map((pair) => measured.index.pairs[pair]!.cluster)
  const own = judgedOf(measured, whole, whole.outcomes)
  const ablated = paragraphs.map(({ outcomes, paragraph }): AblatedParagraph => {
    const without = judgedOf(measured, whole, outcomes)
    const carries = changeOfMean({ before: without.outcomes, after: own.outcomes, cluster }, settings)
    const rise = shown(carries)
    return {
      place: placeOf(
        { candidate: whole.id, module: paragraph.module, text: whole.instructions[paragraph.module]! },
        paragraph.start,
        paragraph.end
      ),
      text: paragraph.text,
      size: size(paragraph.text),
      carries,
      verdict: rise === 1 ? "carries" : rise === -1 ? "harms" : "not shown"
    }
  })
  const known = own.outcomes.filter((outcome) => !Number.isNaN(outcome))
  return {
    candidate: whole.id,
    measure: { measure: "paired-discrimination", ...(classes === undefined ? {} : { classes }) },
    value: known.length === 0 ? null : known.reduce((sum, outcome) => sum + outcome, 0) / known.length,
    paragraphs: ablated.sort((a, b) => (b.carries.difference ?? -1) - (a.carries.difference ?? -1)),
    failed: paragraphs.reduce(
      (sum, { outcomes }) => sum + Object.values(outcomes).filter(({ _tag }) => _tag === "failed").length,
      0
    )
  }
}
