import { chopped, columns } from "./columns.ts"

const sgr = /\u001b\[[0-9;]*m/g
/** Of a line's width, the most that what follows may be indented. */
const mostIndent = 0.5

/** Where what follows of a line stands: under the second of its columns, else two further in than the line itself. */
const hangOf = (line: string, width: number): number => {
  const bare = line.replace(sgr, "")
  const [indent = ""] = /^ */.exec(bare) ?? []
  const column = /^ *[^\s].*? {2,}(?=\S)/.exec(bare)?.[0]
  const under = column === undefined ? Number.POSITIVE_INFINITY : columns(column)
  return Math.min(under <= width * mostIndent ? under : indent.length + 2, Math.floor(width * mostIndent))
}

/** Letters between which a line may be broken, since their scripts write no spaces. */
const spaceless = /[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef]/

/**
 * A line in lines of at most so many columns, broken at spaces and, in a word that is too long for a line, between wide
 * letters; any other word stays whole, so that it can be copied. What follows is indented by `hang` columns.
 */
export const wrapLine = (line: string, width: number, hang = hangOf(line, width)): ReadonlyArray<string> => {
  if (columns(line) <= width) return [line]
  const indent = " ".repeat(hang)
  const lines: Array<string> = []
  let current = ""
  let used = 0
  const add = (word: string, own: number) => {
    current += word
    used += own
  }
  const end = () => {
    lines.push(current.trimEnd())
    current = indent
    used = hang
  }
  // A word with the spaces before it, which go where the line is broken. A number keeps its %.
  for (const word of line.split(/(?<=\S)(?= (?!%))/)) {
    const own = columns(word)
    if (used + own <= width) {
      add(word, own)
      continue
    }
    if (spaceless.test(word) && columns(word.trimStart()) > width - hang) {
      const [head, ...rest] = chopped(word, width - hang, Math.max(2, width - used))
      add(head!, columns(head!))
      for (const piece of rest) {
        end()
        add(piece, columns(piece))
      }
      continue
    }
    if (current.trim() === "") {
      add(word, own)
      continue
    }
    end()
    const bare = word.trimStart()
    add(bare, columns(bare))
  }
  return [...lines, current.trimEnd()]
}

/** Each line of a text by `wrapLine`; where there is no width, as for a pipe or a file, the text as it is. */
export const wrapText = (text: string, width: number | undefined): string =>
  width === undefined
    ? text
    : text
        .replaceAll("\t", "    ")
        .split("\n")
        .flatMap((line) => wrapLine(line, width))
        .join("\n")

/** Running text, such as an instruction: what follows of a paragraph is not indented, of a list's point under its words. */
export const wrapProse = (text: string, width: number | undefined): string =>
  width === undefined
    ? text
    : text
        .split("\n")
        .flatMap((line) => wrapLine(line, width, /^\s*(?:(?:[-*•]|\d+[.)])\s+)?/.exec(line)![0].length))
        .join("\n")
