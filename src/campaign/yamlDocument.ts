import { isAlias, isMap, isNode, isPair, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from "yaml"
import type { Problem } from "../domain/InputError.ts"
import type { DocumentPath } from "../domain/schemaProblems.ts"

/** 1-based. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** A YAML text as plain values, with the place of each. */
export interface YamlDocument {
  readonly value: unknown
  /** Where the value at a path stands; where there is none, the nearest thing around it. */
  readonly valuePlace: (path: DocumentPath) => Place
  /** Where the name of the field at a path stands. */
  readonly keyPlace: (path: DocumentPath) => Place
}

const maxAliases = 20

/**
 * Parses YAML 1.2 (core schema). Syntax errors, duplicate keys, several documents in one file, and aliases in numbers
 * that serve no campaign are problems. `offset` is how many lines of the file stand before the text.
 */
export const parseYaml = (
  text: string,
  file: string,
  offset = 0
): { readonly document?: YamlDocument; readonly problems: ReadonlyArray<Problem> } => {
  const counter = new LineCounter()
  const parsed = parseDocument(text, { lineCounter: counter, prettyErrors: false, uniqueKeys: true, logLevel: "error" })
  const place = (position: number | undefined): Place => {
    const { line, col } = counter.linePos(position ?? 0)
    return { line: Math.max(line, 1) + offset, column: Math.max(col, 1) }
  }

  const problems: Array<Problem> = [...parsed.errors, ...parsed.warnings].map((error) => ({
    file,
    ...place(error.pos[0]),
    what:
      error.code === "DUPLICATE_KEY"
        ? `the field ${/^[\w-]+/.exec(text.slice(error.pos[0], error.pos[0] + 40))?.[0] ?? ""} is given twice`
        : `not YAML: ${error.message.split("\n")[0]!.slice(0, 200)}`
  }))
  let aliases = 0
  visit(parsed, {
    Alias: () => {
      aliases += 1
    }
  })
  if (aliases > maxAliases)
    problems.push({ file, what: "too many YAML aliases", found: `${aliases}`, expected: `at most ${maxAliases}` })
  if (problems.length > 0) return { problems }

  let value: unknown
  try {
    value = parsed.toJS({ maxAliasCount: 1000 })
  } catch (error) {
    return { problems: [{ file, what: `not YAML: ${error instanceof Error ? error.message : String(error)}` }] }
  }

  const resolved = (node: unknown): Node | undefined =>
    isAlias(node) ? node.resolve(parsed) : isNode(node) ? node : undefined
  const pairAt = (node: Node | undefined, name: PropertyKey) =>
    isMap(node)
      ? node.items.find((pair) => isPair(pair) && isScalar(pair.key) && String(pair.key.value) === String(name))
      : undefined

  const locate = (path: DocumentPath, wanted: "key" | "value"): Place => {
    let node = resolved(parsed.contents)
    let position = node?.range?.[0]
    for (const [index, part] of path.entries()) {
      const pair = pairAt(node, part)
      const key = pair === undefined ? undefined : (pair.key as Node).range?.[0]
      const next =
        pair !== undefined ? pair.value : isSeq(node) && typeof part === "number" ? node.items[part] : undefined
      if (pair === undefined && next === undefined) break
      const value = isNode(next) ? next.range?.[0] : undefined
      const last = index === path.length - 1
      position = (last && wanted === "value" ? (value ?? key) : (key ?? value)) ?? position
      node = resolved(next)
    }
    return place(position)
  }
  return {
    document: { value, valuePlace: (path) => locate(path, "value"), keyPlace: (path) => locate(path, "key") },
    problems: []
  }
}
