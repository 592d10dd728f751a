import type { Stretch } from "../dataset/difference.ts"
import type { Consultation, Pair } from "../domain/Dataset.ts"
import { factText, stratumOf } from "../domain/Dataset.ts"
import { columns } from "../terminal/columns.ts"
import { colourWanted, paint, plain } from "./output.ts"

/** Text wrapped at word boundaries; `mark` dresses each line's piece of a stretch after it was measured. */
const wrap = (
  stretches: ReadonlyArray<Stretch>,
  width: number,
  mark: (kind: Stretch["kind"], text: string) => string
): string => {
  const lines: Array<string> = []
  let line = ""
  let used = 0
  const end = () => {
    lines.push(line.replace(/ +$/, ""))
    line = ""
    used = 0
  }
  for (const { kind, text } of stretches) {
    let piece = ""
    const flush = () => {
      if (piece !== "") line += mark(kind, piece)
      piece = ""
    }
    for (const token of text.split(/(\n|[^\S\n]+)/)) {
      if (token === "\n") {
        flush()
        end()
        continue
      }
      const size = columns(token)
      if (used > 0 && used + size > width && token.trim() !== "") {
        piece = piece.trim() === "" ? piece : piece.trimEnd()
        flush()
        end()
      }
      piece += token
      used += size
    }
    flush()
  }
  end()
  return lines.join("\n")
}

const plainText = (text: string, width: number): string =>
  wrap([{ kind: "same", text: plain(text) }], width, (_, piece) => piece)

/** A pair for the terminal: what it is, the clean note turned into the flawed one, the fact and the residual mentions. */
export const pairView = (
  shown: { readonly consultation: Consultation; readonly pair: Pair; readonly difference: ReadonlyArray<Stretch> },
  options: { readonly width: number; readonly transcript: boolean }
): string => {
  const { consultation, difference, pair } = shown
  const colour = colourWanted()
  const ink = paint(colour)
  const mark = (kind: Stretch["kind"], text: string): string => {
    if (kind === "same") return text
    if (colour) return kind === "removed" ? ink.red(`\u001b[9m${text}\u001b[29m`) : ink.green(text)
    return kind === "removed" ? `[-${text}-]` : `{+${text}+}`
  }
  const about = [pair.class, pair.trace, pair.severity, pair.errorType, stratumOf(consultation, pair)].filter(
    (part) => part !== undefined
  )
  const fact = factText(consultation, pair)
  const evidence = consultation.facts?.find((one) => one.id === pair.fact)?.evidence
  const stretches = difference.map(({ kind, text }) => ({ kind, text: plain(text) }))
  // Marks that take columns are measured with the text.
  const marked: ReadonlyArray<Stretch> = colour
    ? stretches
    : stretches.map(({ kind, text }) => ({ kind: "same", text: mark(kind, text) }))
  const { width } = options
  return [
    ink.bold(plain(`${consultation.id} / ${pair.id}`)),
    plain(about.join(", ")),
    ink.dim(
      plain(
        `clean note ${pair.clean} -> flawed note ${pair.flawed}; ${colour ? "red: only in the clean note, green: only in the flawed one" : "[-only in the clean note-] {+only in the flawed one+}"}`
      )
    ),
    "",
    wrap(marked, width, mark),
    "",
    ...(fact === undefined ? [] : [plainText(`fact: ${fact}`, width)]),
    ...(evidence === undefined ? [] : [plainText(`said as: "${evidence}"`, width)]),
    ...(pair.residual ?? []).map((residual) =>
      plainText(
        `left in the flawed note${residual.section === undefined ? "" : ` (${residual.section})`}${residual.strength === undefined ? "" : `, ${residual.strength}`}: "${residual.quote}"`,
        width
      )
    ),
    ...(options.transcript ? ["", ink.bold("transcript"), plainText(consultation.transcript ?? "(none)", width)] : [])
  ].join("\n")
}
