import type { Span, Tone } from "./line.ts"

const bold = [1, 22] as const
const styles: Readonly<Record<Tone, ReadonlyArray<readonly [on: number, off: number, colour?: true]>>> = {
  bold: [bold],
  dim: [[2, 22]],
  good: [[32, 39, true]],
  bad: [[31, 39, true]],
  warn: [bold, [33, 39, true]],
  accent: [[36, 39, true]],
  inverse: [[7, 27]]
}

/** A piece of a line with the codes of its tone. Its text must be safe to draw. */
export const styled = ({ text, tone }: Span, colour: boolean): string =>
  tone === undefined
    ? text
    : styles[tone].reduce(
        (inner, [on, off, isColour]) => (isColour && !colour ? inner : `\u001b[${on}m${inner}\u001b[${off}m`),
        text
      )
