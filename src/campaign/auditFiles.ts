import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Result from "effect/Result"
import type { AuditSubject, NotKnown } from "../audit/Audit.ts"
import type { AuditCandidate, AuditInput } from "../audit/AuditInput.ts"
import { type ForeignLineage, isReadable, type NotReadable } from "../audit/foreign/ForeignLineage.ts"
import { readGepaFolder } from "../audit/foreign/gepaFolder.ts"
import { readJsonLines } from "../audit/foreign/jsonLines.ts"
import { defaultCap } from "../audit/judged.ts"
import { parseJson } from "../dataset/parseJson.ts"
import { readTextFile } from "../dataset/textFile.ts"
import { candidateId } from "../domain/Candidate.ts"
import { InputError, inputError, type Problem, showValue } from "../domain/InputError.ts"
import { contract, preamble } from "../judge/wholeNoteScore.ts"
import { tokenCounter } from "../model/tokens.ts"
import { realPath } from "../store/realPath.ts"
import { type AuditData, dataOfSplit, dataWithoutSplit } from "./auditData.ts"
import type { AuditChoices } from "./auditRun.ts"
import { judgeConfigs, seedDesigns } from "./judgeConfigs.ts"
import { parseSeed } from "./seeds.ts"

/** The data that instructions are held against. */
export interface AuditDataset {
  readonly dataset: string
  readonly split: string | undefined
}

const noData: AuditData = { indices: [], ids: new Map(), notes: null, facts: null, split: undefined, warnings: [] }

const dataOf = Effect.fnUntraced(function* (given: AuditDataset | undefined, campaigns: ReadonlyArray<string>) {
  if (given === undefined) return noData
  return given.split === undefined
    ? yield* dataWithoutSplit(given.dataset, campaigns)
    : yield* dataOfSplit(given.split, given.dataset)
})

const inputOf = Effect.fnUntraced(function* (
  subject: Omit<AuditSubject, "seed" | "campaign" | "objective" | "embedded">,
  { candidates, notKnown, rejected }: Pick<ForeignLineage, "candidates" | "rejected" | "notKnown">,
  data: AuditData,
  { resamples, seed }: AuditChoices
) {
  return {
    subject: { ...subject, campaign: null, objective: null, embedded: false },
    candidates,
    rejected,
    table: null,
    notes: data.notes,
    facts: data.facts,
    indices: data.indices,
    ids: data.ids,
    tokens: yield* Effect.promise(tokenCounter),
    fixed: { preamble, contract },
    usage: new Map(),
    ablation: null,
    settings: { seed, resamples, cap: defaultCap },
    notKnown: [
      ...notKnown,
      ...(data.indices.length === 0
        ? [{ section: "leakage", why: "no dataset is named to look for its words: --dataset FILE" } as const]
        : [])
    ]
  } satisfies AuditInput
})

/** The instruction of a prompt file from anywhere: what stands in its instruction block, else all of it but the front matter. */
const readPrompt = Effect.fnUntraced(function* (file: string) {
  const path = yield* Path.Path
  const text = yield* readTextFile(file, "the prompt file")
  const stem = path.basename(file, path.extname(file))
  const { problems, seed } = parseSeed(text, file, stem, seedDesigns(judgeConfigs(undefined, undefined)))
  const instruction = seed.instruction === "" ? text.trim() : seed.instruction
  if (instruction === "") return yield* inputError({ file, what: "the prompt file has no text" })
  return {
    name: seed.name,
    module: seed.module,
    instruction,
    // A placeholder is a finding of the audit, and said there.
    warnings: problems.filter(({ what }) => !what.includes("placeholder"))
  }
})

const unjudged: ReadonlyArray<NotKnown> = [
  ...(["separation", "wall", "optimism", "flips"] as const).map((section) => ({
    section,
    why: "a prompt file has no judgements; assize score judges with it, and assize audit RUN audits a run's candidates"
  })),
  { section: "cost", why: "nothing was judged with it; its length is known" }
]

/** The audit of a prompt file: what it shares with the data, what it holds that no instruction should, its growth on a seed. */
export const loadAuditedPrompt = Effect.fn("loadAuditedPrompt")(function* (
  file: string,
  options: AuditChoices & {
    readonly data: AuditDataset
    readonly seedPrompt: string | undefined
    readonly campaigns: ReadonlyArray<string>
  }
) {
  const prompt = yield* readPrompt(file)
  const seed = options.seedPrompt === undefined ? undefined : yield* readPrompt(options.seedPrompt)
  if (seed !== undefined && seed.instruction === prompt.instruction) {
    return yield* inputError({ file, field: "--seed-prompt", what: "is the same instruction as the prompt" })
  }
  const data = yield* dataOf(options.data, options.campaigns)
  const module = prompt.module
  const asCandidate = (
    { instruction, name }: typeof prompt,
    origin: AuditCandidate["origin"],
    parents: ReadonlyArray<string>
  ): AuditCandidate => ({
    id: candidateId({ [module]: instruction }),
    name,
    origin,
    parents,
    iteration: origin === "seed" ? 0 : 1,
    instructions: { [module]: instruction },
    outcomes: null
  })
  const first = seed === undefined ? [] : [asCandidate(seed, "seed", [])]
  const own = asCandidate(
    prompt,
    seed === undefined ? "seed" : "reflection",
    first.map(({ id }) => id)
  )
  return {
    input: yield* inputOf(
      { kind: "prompt", name: file, candidate: own.id },
      { candidates: [...first, own], rejected: [], notKnown: unjudged },
      data,
      options
    ),
    warnings: [...prompt.warnings, ...(seed?.warnings ?? []), ...data.warnings]
  }
})

const readJson = Effect.fnUntraced(function* (file: string, what: string) {
  const text = yield* readTextFile(file, what)
  const parsed = parseJson(text)
  if (Result.isSuccess(parsed)) return parsed.success
  return yield* inputError({ ...parsed.failure, file })
})

/** The candidate that is meant by name or id; else the one with the best primary, then secondary; else the last. */
const chosen = (
  file: string,
  candidates: ReadonlyArray<AuditCandidate>,
  name: string | undefined
): Effect.Effect<string, InputError> => {
  if (name === undefined || name === "winner") {
    const ranked = candidates.filter(({ primary }) => primary !== undefined && primary !== null)
    const best = ranked.reduce<AuditCandidate | undefined>((first, one) => {
      if (first === undefined) return one
      const ahead = one.primary! - first.primary! || (one.secondary ?? 0) - (first.secondary ?? 0)
      return ahead > 1e-9 ? one : first
    }, undefined)
    return Effect.succeed((best ?? candidates.at(-1)!).id)
  }
  const found = candidates.filter((one) => one.id === name || one.name === name)
  if (found.length === 1) return Effect.succeed(found[0]!.id)
  return Effect.fail(
    inputError({
      file,
      field: "--candidate",
      what: found.length === 0 ? "has no such candidate" : "has several candidates of this name",
      found: showValue(name),
      expected: `one of ${candidates
        .slice(0, 12)
        .map((one) => `${one.name} (${one.id})`)
        .join(", ")}${candidates.length > 12 ? ", …" : ""}`
    })
  )
}

/** A file of a folder that somebody else may have made: it must lie in it, wherever links lead. */
const withinFolder = Effect.fnUntraced(function* (folder: string, name: string) {
  const path = yield* Path.Path
  const file = path.join(folder, name)
  const real = realPath(file)
  const way = path.relative(realPath(folder), real)
  if (!path.isAbsolute(way) && way.split(path.sep)[0] !== "..") return file
  return yield* inputError({
    file,
    what: "is a symbolic link that leads out of the run folder, and is not followed",
    found: real,
    expected: "a file of the folder",
    hint: "Copy what is meant into the folder"
  })
})

/** The audit of another tool's search: JSON Lines, or a run folder of gepa-ai/gepa. */
export const loadAuditedLineage = Effect.fn("loadAuditedLineage")(function* (
  file: string,
  options: AuditChoices & {
    readonly candidate: string | undefined
    readonly leg: string | undefined
    readonly data: AuditDataset | undefined
    readonly campaigns: ReadonlyArray<string>
  }
) {
  const fs = yield* FileSystem.FileSystem
  const isFolder = yield* fs.stat(file).pipe(
    Effect.map(({ type }) => type === "Directory"),
    Effect.orElseSucceed(() => false)
  )
  if (isFolder && options.leg !== undefined) {
    return yield* inputError({ field: "--leg", what: "has no meaning for a run folder of gepa" })
  }
  const read: ForeignLineage | NotReadable = isFolder
    ? readGepaFolder(
        yield* readJson(yield* withinFolder(file, "candidates.json"), "the folder's candidates.json"),
        yield* readJson(yield* withinFolder(file, "run_log.json"), "the folder's run_log.json")
      )
    : readJsonLines(yield* readTextFile(file, "the lineage file"), options.leg)
  if (!isReadable(read)) {
    return yield* new InputError({ problems: read.problems.map((problem): Problem => ({ file, ...problem })) })
  }
  const candidate = yield* chosen(file, read.candidates, options.candidate)
  const data = yield* dataOf(options.data, options.campaigns)
  return {
    input: yield* inputOf({ kind: isFolder ? "gepa" : "lineage", name: file, candidate }, read, data, options),
    warnings: [...read.warnings.map((problem): Problem => ({ file, ...problem })), ...data.warnings]
  }
})
