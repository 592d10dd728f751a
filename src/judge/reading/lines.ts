import type { Value } from "./values.ts"

/** What a part of an answer without JSON says of an id: a line's words, or the fields in the lines below it. */
export interface IdLine {
  readonly id: string
  readonly said: Value
}

const bullet = /^[ >#]{0,8}(?:[-•*+–] |\d{1,4}[.)] )?/
const separator = / ?(?:[:：=|–—]|->|=>|→) ?| - /
const idLine = /^["'*_`]{0,3}(?:fact[ _-]?)?id["'*_`]{0,3} ?[:=] ?(.{1,200})$/i
const fieldLine = /^["'*_`]{0,3}([a-z][a-z _]{2,24})["'*_`]{0,3} ?[:=] ?(.*)$/i

/** What may be an id that was never asked for: a letter or a few and a number. */
const looksLikeId = (text: string): boolean => /^[*_`"'[(]{0,3}[A-Za-z]{1,4}[-_]?\d{1,4}[*_`"'\])]{0,3}$/.test(text)

const longestLine = 2000
const longestId = 200

/** The ids of "F1, F2 and F3", which share what is said behind them; none unless all of them were asked for, and are two or more. */
const severalIds = (text: string, asked: (written: string) => string | undefined): ReadonlyArray<string> => {
  if (text.length > longestLine) return []
  const parts = text
    .replace(/^facts? /i, "")
    .split(/, and |, | and | & | ?\/ ?/)
    .filter((part) => part !== "")
  return parts.length > 1 && parts.every((part) => asked(part) !== undefined) ? parts : []
}

const cellsOf = (line: string): ReadonlyArray<string> | undefined => {
  const cells = line.split("|").map((cell) => cell.trim())
  if (cells.length < 3) return undefined
  return cells.filter((cell, index) => cell !== "" || (index > 0 && index < cells.length - 1))
}

/** A text without the marks that close a line of JSON or of a YAML map. */
const withoutTail = (text: string, marks: string): string => {
  let end = text.length
  while (end > 0 && marks.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}

/** The parts of a text that begin with an id, as lines, table rows or blocks in the manner of YAML. */
export const linesOf = (text: string, asked: (written: string) => string | undefined): ReadonlyArray<IdLine> => {
  const found: Array<IdLine> = []
  const known = (id: string) => id.length <= longestId && (asked(id) !== undefined || looksLikeId(id))
  let block: { readonly id: string; readonly fields: Array<readonly [string, Value]> } | undefined
  const start = (id: string) => {
    block = { id, fields: [] }
    found.push({ id, said: block })
  }
  /** Whether the words were taken. */
  const take = (body: string): boolean => {
    const named = idLine.exec(body)
    const alone = withoutTail(named?.[1] ?? body, ": ")
    if (known(alone)) {
      start(alone)
      return true
    }
    if (named !== null) {
      block = undefined
      return true
    }
    const cut = separator.exec(body)
    const several = cut === null ? [] : severalIds(body.slice(0, cut.index), asked)
    if (several.length > 0) {
      for (const id of several) found.push({ id, said: body.slice(cut!.index + cut![0].length) })
      block = undefined
      return true
    }
    const space = body.indexOf(" ")
    const ends = [cut === null ? undefined : ([cut.index, cut[0].length] as const), [space, 1] as const]
    for (const end of ends) {
      if (end === undefined || end[0] <= 0) continue
      const id = body.slice(0, end[0])
      // After a mere space only an id that was asked: "BP 120" is none.
      if (!(end[0] === space && end !== ends[0] ? id.length <= longestId && asked(id) !== undefined : known(id)))
        continue
      found.push({ id, said: body.slice(end[0] + end[1]) })
      block = undefined
      return true
    }
    const field = fieldLine.exec(body)
    if (field === null || block === undefined) return false
    block.fields.push([field[1]!, field[2]!])
    return true
  }
  for (const given of text.split("\n")) {
    const line = given.slice(0, longestLine).replace(/\s+/g, " ")
    if (line.trim() === "") continue
    const cells = cellsOf(line)
    if (cells !== undefined) {
      const [first, ...others] = cells
      if (first !== undefined && known(first)) found.push({ id: first, said: others.join(" | ") })
      continue
    }
    const content = withoutTail(line.slice(bullet.exec(line)![0].length), " ,{}")
    // "1. full" may be the id 1: the number is a bullet first.
    if (!take(content)) take(line.trim())
  }
  return found.filter(({ said }) => typeof said === "string" || (said as { fields: Array<unknown> }).fields.length > 0)
}
