import { isDeepStrictEqual } from "node:util"
import type * as SchemaAST from "effect/SchemaAST"
import type { Issue } from "effect/SchemaIssue"
import { type Problem, showValue } from "./InputError.ts"
import { nearest } from "./nearest.ts"

export type DocumentPath = ReadonlyArray<PropertyKey>

/** A problem of a decoded document. It names no file: the caller knows file, line and column. */
export interface SchemaProblem {
  /** From the root; for a missing field, of the field that is missing. */
  readonly path: DocumentPath
  readonly kind: "missing" | "unknown" | "invalid"
  readonly problem: Problem
}

/** `pairs[3].clean`; names that are no plain words are quoted: `content["a b"]`. */
export const fieldPath = (path: DocumentPath): string =>
  path
    .map((part, index) => {
      if (typeof part === "number") return `[${part}]`
      const name = String(part)
      if (!/^[\p{L}\p{N}_-]+$/u.test(name)) return `[${showValue(name, 40)}]`
      return index === 0 ? name : `.${name}`
    })
    .join("")

/** The value at a path of a document; undefined where there is none. */
export const valueAt = (document: unknown, path: DocumentPath): unknown => {
  let value = document
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<PropertyKey, unknown>)[part]
  }
  return value
}

const checkExpectation = (ast: SchemaAST.AST): string | undefined => {
  const expected = ast.checks?.at(-1)?.annotations?.expected
  if (typeof expected !== "string") return undefined
  if (expected !== "a value with a length of at least 1") return expected
  return ast._tag === "Arrays" ? "at least one entry" : "text that is not empty"
}

/** What a schema accepts, in a few plain words. */
const expectation = (ast: SchemaAST.AST): string => {
  const checked = checkExpectation(ast)
  if (checked !== undefined) return checked
  switch (ast._tag) {
    case "String":
      return "text"
    case "Number":
      return "a number"
    case "Boolean":
      return "true or false"
    case "Null":
      return "null"
    case "Literal":
      return JSON.stringify(ast.literal)
    case "Objects":
      return "an object"
    case "Arrays":
      return "a list"
    case "Union":
      return [...new Set(ast.types.map(expectation))].join(" or ")
    default:
      return "another value"
  }
}

const describe = (value: unknown): string => {
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list"
  if (typeof value === "object" && value !== null) return "an object"
  return showValue(value)
}

const literals = (ast: SchemaAST.AST): ReadonlyArray<unknown> =>
  ast._tag === "Literal" ? [ast.literal] : ast._tag === "Union" ? ast.types.flatMap(literals) : []

/** The field by which the structs of a union are told apart: the first that holds literals in each of them. */
const discriminator = (
  union: SchemaAST.Union
): { readonly name: PropertyKey; readonly values: ReadonlyArray<unknown> } | undefined => {
  const structs = union.types.filter((type) => type._tag === "Objects")
  if (structs.length !== union.types.length) return undefined
  const names = structs[0]?.propertySignatures.map((signature) => signature.name) ?? []
  for (const name of names) {
    const values = structs.map((struct) => {
      const type = struct.propertySignatures.find((signature) => signature.name === name)?.type
      return type === undefined ? [] : literals(type)
    })
    if (values.every((some) => some.length > 0)) return { name, values: values.flat() }
  }
  return undefined
}

const accepts = (ast: SchemaAST.AST, name: PropertyKey, value: unknown): boolean => {
  if (ast._tag !== "Objects") return false
  const type = ast.propertySignatures.find((signature) => signature.name === name)?.type
  return type !== undefined && literals(type).includes(value)
}

/**
 * Every problem of a document that a schema refused, one a field. `document` is what was decoded: it gives the values
 * that are shown as found. `root` is the schema's AST: it gives what was expected of fields that are missing.
 */
export const schemaProblems = (
  failure: Issue,
  document: unknown,
  root: SchemaAST.AST
): ReadonlyArray<SchemaProblem> => {
  const problems: Array<SchemaProblem> = []

  const add = (kind: SchemaProblem["kind"], path: DocumentPath, problem: Problem) => {
    const field = fieldPath(path)
    // A value that fails several checks is one problem: NaN is neither a whole number nor above 0.
    const isKnown = (one: SchemaProblem) =>
      one.kind === kind &&
      fieldPath(one.path) === field &&
      isDeepStrictEqual({ ...one.problem, field }, { ...problem, field })
    if (problems.length < 1000 && problems.some(isKnown)) return
    problems.push({ kind, path, problem: field === "" ? problem : { ...problem, field } })
  }

  const invalid = (path: DocumentPath, expected: string, choices: ReadonlyArray<unknown> = []) => {
    const value = valueAt(document, path)
    const close =
      typeof value === "string"
        ? nearest(
            value,
            choices.filter((choice) => typeof choice === "string")
          )
        : undefined
    add("invalid", path, {
      what: "is not usable",
      found: describe(value),
      expected,
      ...(close === undefined ? {} : { hint: `Did you mean ${JSON.stringify(close)}?` })
    })
  }

  const unionProblem = (issue: Issue & { readonly _tag: "AnyOf" }, path: DocumentPath) => {
    const value = valueAt(document, path)
    const by = discriminator(issue.ast)
    if (by === undefined || typeof value !== "object" || value === null || Array.isArray(value)) {
      invalid(path, expectation(issue.ast), literals(issue.ast))
      return
    }
    const tag = valueAt(value, [by.name])
    const expected = by.values.map((one) => JSON.stringify(one)).join(" or ")
    if (tag === undefined) add("missing", [...path, by.name], { what: "is missing", expected })
    else if (!by.values.includes(tag)) invalid([...path, by.name], expected, by.values)
    else {
      for (const member of issue.issues) {
        if (member._tag === "Composite" && accepts(member.ast, by.name, tag)) walk(member, path, member.ast)
      }
    }
  }

  const walk = (issue: Issue, path: DocumentPath, around: SchemaAST.AST): void => {
    switch (issue._tag) {
      case "Pointer":
        walk(issue.issue, [...path, ...issue.path], around)
        return
      case "Composite":
        for (const child of issue.issues) walk(child, path, issue.ast)
        return
      case "Encoding":
        walk(issue.issue, path, around)
        return
      case "AnyOf":
        unionProblem(issue, path)
        return
      case "MissingKey": {
        const name = path.at(-1)
        if (around._tag === "Arrays") {
          invalid(path.slice(0, -1), "at least one entry")
          return
        }
        const type =
          around._tag === "Objects" ? around.propertySignatures.find((field) => field.name === name)?.type : undefined
        add("missing", path, { what: "is missing", ...(type === undefined ? {} : { expected: expectation(type) }) })
        return
      }
      case "UnexpectedKey": {
        const name = String(path.at(-1))
        const known = around._tag === "Objects" ? around.propertySignatures.map((field) => String(field.name)) : []
        const close = nearest(name, known)
        add("unknown", path, {
          what: "unknown field",
          ...(close === undefined ? { expected: `one of ${known.join(", ")}` } : { hint: `Did you mean "${close}"?` })
        })
        return
      }
      case "Filter": {
        const expected = issue.filter.annotations?.expected
        invalid(path, checkExpectation(around) ?? (typeof expected === "string" ? expected : "another value"))
        return
      }
      case "InvalidType":
        invalid(path, expectation(issue.ast))
        return
      default:
        invalid(path, "another value")
    }
  }

  walk(failure, [], root)
  return problems
}
