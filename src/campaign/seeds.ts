import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { readTextFile } from "../dataset/textFile.ts"
import { DesignName } from "../domain/DesignName.ts"
import { InputError, type Problem, showValue } from "../domain/InputError.ts"
import { schemaProblems } from "../domain/schemaProblems.ts"
import type { Module } from "../judge/Design.ts"
import { designOf } from "../judge/designs/registry.ts"
import { hasPlaceholder, splitPrompt } from "../judge/prompt.ts"
import { readFrozen, sectionNamed } from "../optimise/frozen.ts"
import { parseYaml } from "./yamlDocument.ts"

/** What a seed file may say of itself before its text. */
export const SeedFrontMatter = Schema.Struct({
  name: Schema.optionalKey(Schema.NonEmptyString),
  /** The judge's design that the instruction was written for. */
  design: Schema.optionalKey(Schema.NonEmptyString),
  module: Schema.optionalKey(Schema.NonEmptyString),
  /** Where the wording comes from. */
  provenance: Schema.optionalKey(Schema.NonEmptyString),
  /** Headings of the sections that no descendant may change; passages can be marked in the text as well. */
  freeze: Schema.optionalKey(Schema.Array(Schema.NonEmptyString)),
  /** What a confirmation wrote of the instruction: for people, and for whoever checks it against the ledger. */
  confirmation: Schema.optionalKey(Schema.Unknown)
})
export type SeedFrontMatter = typeof SeedFrontMatter.Type

/** A starting instruction. It holds nothing of the design's fixed preamble and contract. */
export interface Seed {
  readonly file: string
  /** The front matter's, else the file's name without its extension. */
  readonly name: string
  /** The module of the judge that the instruction is for; `judge` for a judge of one module. */
  readonly module: string
  readonly instruction: string
  /** Passages of the instruction that no descendant may change. */
  readonly frozen?: ReadonlyArray<string>
  readonly provenance?: string
  /** Of a prompt that a confirmation wrote. */
  readonly confirmation?: unknown
  /** The design that it was read for. */
  readonly design: string
}

/** The fixed parts of the judge that the seeds are for. */
export interface SeedDesign {
  readonly name: string
  readonly modules: ReadonlyArray<Pick<Module, "contract" | "name" | "preamble">>
}

/** The one design of all seeds, or the design that a seed's front matter names, or names not; undefined where there is none such. */
export type SeedDesigns = SeedDesign | ((name: string | undefined) => SeedDesign | undefined)

const decode = Schema.decodeUnknownResult(SeedFrontMatter, { errors: "all", onExcessProperty: "error" })

const frontMatter = /^---[ \t]*\n(?:([\s\S]*?)\n)?---[ \t]*(?:\n|$)/

interface Head {
  readonly says: SeedFrontMatter
  readonly body: string
  readonly problems: ReadonlyArray<Problem>
}

const readFrontMatter = (text: string, file: string): Head => {
  const match = frontMatter.exec(text)
  if (match === null) {
    const open = /^---[ \t]*\n/.test(text)
    return {
      says: {},
      body: text,
      problems: open ? [{ file, line: 1, what: "the front matter has no closing line ---" }] : []
    }
  }
  const body = text.slice(match[0].length)
  const { document, problems } = parseYaml(match[1] ?? "", file, 1)
  if (document === undefined) return { says: {}, body, problems }
  if (document.value === null) return { says: {}, body, problems: [] }
  const decoded = decode(document.value)
  if (Result.isSuccess(decoded)) return { says: decoded.success, body, problems: [] }
  const found = schemaProblems(decoded.failure.issue, document.value, SeedFrontMatter.ast).map(
    ({ kind, path, problem }) => ({
      ...problem,
      file,
      ...(kind === "unknown" ? document.keyPlace(path) : document.valuePlace(path))
    })
  )
  return { says: {}, body, problems: found }
}

/** Whether the design that the seed names has the very module that it is read for, as the pipelines share theirs. */
const isOfSameParts = (says: SeedFrontMatter, module: SeedDesign["modules"][number] | undefined): boolean => {
  const named = DesignName.literals.find((name) => name === says.design)
  if (named === undefined || module === undefined) return false
  return designOf({ design: named, samples: 1 }).modules.some(
    ({ contract, name, preamble }) =>
      name === module.name && contract === module.contract && preamble === module.preamble
  )
}

const lineAt = (text: string, position: number): number => text.slice(0, position).split("\n").length

interface Body {
  readonly instruction: string
  /** Where the instruction begins, in the file. */
  readonly line: number
  readonly problems: ReadonlyArray<Problem>
}

/** The instruction of a seed's body: the whole of it, or what stands in its one instruction block. */
const readInstruction = (
  body: string,
  design: { readonly name: string; readonly preamble: string; readonly contract: string },
  file: string,
  firstLine: number
): Body => {
  if (!/^<instruction>$/m.test(body) || !/^<\/instruction>$/m.test(body)) {
    const instruction = body.trim()
    return {
      instruction,
      line: firstLine + (instruction === "" ? 0 : lineAt(body, body.search(/\S/)) - 1),
      problems: []
    }
  }
  const prompt = body.replace(/^\n+/, "")
  const line = firstLine + body.length - prompt.length
  const parts = splitPrompt(prompt)
  if (parts === undefined) {
    const what = "a prompt file must have exactly one instruction block"
    const hint = "Keep one <instruction> line and one </instruction> line"
    return { instruction: "", line, problems: [{ file, line, what, hint }] }
  }
  const problems: Array<Problem> = []
  const name = showValue(design.name)
  const hint = `Only the instruction may be written: leave it alone in the file, or take the fixed parts of the design ${name} as they are`
  const fixed = (what: "preamble" | "contract", own: string, wanted: string, at: number) => {
    if (own.trimEnd() !== wanted.trimEnd())
      problems.push({ file, line: at, what: `the ${what} is not that of the design ${name}`, hint })
  }
  fixed("preamble", parts.preamble, design.preamble, line)
  const start = line + lineAt(parts.preamble, parts.preamble.length) - 1
  fixed("contract", parts.contract, design.contract, start + lineAt(parts.instruction, parts.instruction.length))
  return { instruction: parts.instruction.trim(), line: start, problems }
}

const moduleProblem = (file: string, { modules, name }: SeedDesign, given: string | undefined): Problem => ({
  file,
  field: "module",
  what:
    given === undefined
      ? `the judge's design ${name} has several modules, and the seed does not say which it is for`
      : `the judge's design ${name} has no such module`,
  ...(given === undefined ? {} : { found: showValue(given) }),
  expected: modules.map((module) => showValue(module.name)).join(", ")
})

/** Reads the text of one seed file, line ends as line feeds. `stem` is its name where the file gives none. */
export const parseSeed = (
  text: string,
  file: string,
  stem: string,
  designs: SeedDesigns
): { readonly seed: Seed; readonly line: number; readonly problems: ReadonlyArray<Problem> } => {
  const { says, body, problems } = readFrontMatter(text, file)
  const design = typeof designs === "function" ? (designs(says.design) ?? designs(undefined)!) : designs
  const [first, ...more] = design.modules
  const given = says.module ?? (more.length === 0 ? first!.name : undefined)
  const module = design.modules.find(({ name }) => name === given)
  const parts = { name: design.name, preamble: module?.preamble ?? "", contract: module?.contract ?? "" }
  const read = readInstruction(
    module === undefined ? body.replace(/^<\/?instruction>$/gm, "") : body,
    parts,
    file,
    lineAt(text, text.length - body.length)
  )
  const marked = readFrozen(read.instruction)
  const frozen = [...marked.passages]
  const found: Array<Problem> = [
    ...problems,
    ...read.problems,
    ...marked.problems.map(({ line, ...problem }) => ({ file, line: read.line + line - 1, ...problem }))
  ]
  for (const name of says.freeze ?? []) {
    const section = sectionNamed(marked.instruction, name)
    if (section !== undefined) frozen.push(section)
    else
      found.push({
        file,
        field: "freeze",
        what: "the instruction has no section under this heading",
        found: showValue(name),
        expected: "the words of a Markdown heading of the instruction, such as Severity for a line ## Severity"
      })
  }
  if (marked.instruction === "" && read.problems.length === 0) {
    found.push({
      file,
      line: read.line,
      what: "the seed has no instruction",
      expected: "the text that tells the judge what to look for, after the front matter"
    })
  } else if (hasPlaceholder(marked.instruction)) {
    found.push({
      file,
      line: read.line,
      what: "the instruction holds a placeholder or a tag of the fixed prompt",
      hint: "Take out {{transcript}}, {{note}} and tags such as <note>: the design puts transcript and note before the instruction"
    })
  }
  if (says.design !== undefined && says.design !== design.name && !isOfSameParts(says, module)) {
    found.push({
      file,
      field: "design",
      what: "the seed is for another design of judge",
      found: showValue(says.design),
      expected:
        typeof designs === "function"
          ? DesignName.literals.map((name) => showValue(name)).join(", ")
          : showValue(design.name)
    })
  } else if (module === undefined) found.push(moduleProblem(file, design, says.module))
  const seed: Seed = {
    file,
    name: says.name ?? stem,
    module: given ?? "judge",
    design: design.name,
    instruction: marked.instruction,
    ...(frozen.length === 0 ? {} : { frozen: [...new Set(frozen)] }),
    ...(says.provenance === undefined ? {} : { provenance: says.provenance }),
    ...(says.confirmation === undefined ? {} : { confirmation: says.confirmation })
  }
  return { seed, line: read.line, problems: found }
}

/**
 * Reads seed files (Markdown with optional YAML front matter; the body is the instruction, or a whole prompt with one
 * instruction block). Fails with every problem of all files; that two seeds share an instruction or a name is one.
 */
export const loadSeeds = Effect.fn("loadSeeds")(function* (
  files: ReadonlyArray<string>,
  design: SeedDesigns
): Effect.fn.Return<ReadonlyArray<Seed>, InputError, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  const problems: Array<Problem> = []
  const seeds: Array<Seed> = []
  for (const file of files) {
    const text = yield* Effect.result(readTextFile(file, "the seed"))
    if (Result.isFailure(text)) {
      problems.push(...text.failure.problems)
      continue
    }
    const { seed, line, problems: found } = parseSeed(text.success, file, path.parse(file).name, design)
    problems.push(...found)
    const others = seeds.filter((other) => other.module === seed.module && other.design === seed.design)
    // Of a judge of several modules two starting points may well differ in another module.
    const alone = typeof design === "function" || design.modules.length === 1
    const same = alone
      ? others.find((other) => other.instruction === seed.instruction && seed.instruction !== "")
      : undefined
    const namesake = others.find((other) => other.name === seed.name)
    if (same !== undefined) {
      problems.push({
        file,
        line,
        what: `the instruction is the same as that of ${same.file}`,
        hint: "Leave one of the two out"
      })
    } else if (namesake !== undefined) {
      problems.push({
        file,
        field: "name",
        what: `two seeds are named ${showValue(seed.name)}: ${namesake.file} is the other`
      })
    }
    seeds.push(seed)
  }
  if (problems.length > 0) return yield* new InputError({ problems })
  return seeds
})
