import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { notRegular } from "../dataset/regularFile.ts"
import { readTextFile } from "../dataset/textFile.ts"
import { type Campaign, CampaignFile, type JudgeConfig, type ModelConfig, searchDefaults } from "../domain/Campaign.ts"
import { count } from "../domain/count.ts"
import { InputError, type Problem, showValue } from "../domain/InputError.ts"
import { type DocumentPath, fieldPath, schemaProblems } from "../domain/schemaProblems.ts"
import { designOf } from "../judge/designs/registry.ts"
import { gatherable } from "../judge/requests.ts"
import { secretProblems, withoutSecrets } from "./secrets.ts"
import { parseYaml, type YamlDocument } from "./yamlDocument.ts"

export interface LoadedCampaign {
  readonly campaign: Campaign
  /** What was read but does nothing, or may surprise. */
  readonly warnings: ReadonlyArray<Problem>
}

const decode = Schema.decodeUnknownResult(CampaignFile, { errors: "all", onExcessProperty: "error" })

const isSensitive = (problem: Problem): boolean => /key|token|secret|password|headers/i.test(problem.field ?? "")

/** The problem without what was found, where that may be a secret. */
export const discreet = (problem: Problem): Problem => {
  if (problem.found === undefined) return problem
  return { ...problem, found: isSensitive(problem) ? "a value that is not shown" : withoutSecrets(problem.found) }
}

const byPlace = (one: Problem, other: Problem): number =>
  (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0)

const decodeDocument = (document: YamlDocument, file: string): Result.Result<CampaignFile, ReadonlyArray<Problem>> => {
  const decoded = decode(document.value)
  if (Result.isSuccess(decoded)) return Result.succeed(decoded.success)
  return Result.fail(
    schemaProblems(decoded.failure.issue, document.value, CampaignFile.ast).map(({ kind, path, problem }) => {
      const place =
        kind === "missing"
          ? document.keyPlace(path.slice(0, -1))
          : kind === "unknown"
            ? document.keyPlace(path)
            : document.valuePlace(path)
      return discreet({ ...problem, file, ...place })
    })
  )
}

type Place = Pick<Problem, "column" | "field" | "file" | "line">

/** Options of one design that are given to another, and members of one name. */
const judgeProblems = (
  { judge, search, target }: CampaignFile,
  at: (path: DocumentPath) => Place
): ReadonlyArray<Problem> => {
  const only = (option: "criteria" | "join" | "members", design: string): ReadonlyArray<Problem> =>
    judge[option] === undefined || judge.design === design
      ? []
      : [
          {
            ...at(["judge", option]),
            what: `is an option of the design ${design} alone`,
            found: showValue(judge.design),
            hint: `Leave it out, or write design: ${design}`
          }
        ]
  const names = (judge.members ?? []).map(({ name }, index) => name ?? String(index + 1))
  const namesake = names.findIndex((name, index) => names.indexOf(name) < index)
  return [
    ...only("criteria", "rubric"),
    ...only("members", "consensus"),
    ...only("join", "consensus"),
    ...(namesake === -1
      ? []
      : [
          {
            ...at(["judge", "members", namesake]),
            what: "two members have one name",
            found: showValue(names[namesake]),
            hint: "Name them: their modules are told apart by it"
          }
        ]),
    ...(target === undefined || search.target === undefined
      ? []
      : [
          {
            ...at(["search", "target"]),
            what: "and target beside search both say what evolves",
            expected: "one of the two"
          }
        ])
  ]
}

/** What the schema cannot see: fields that do not go together, and files that are not there. */
const crossProblems = Effect.fn("crossProblems")(function* (
  campaign: Campaign,
  document: YamlDocument,
  written: CampaignFile
): Effect.fn.Return<ReadonlyArray<Problem>, never, FileSystem.FileSystem> {
  const fs = yield* FileSystem.FileSystem
  const at = (path: DocumentPath) => ({ file: campaign.file, ...document.valuePlace(path), field: fieldPath(path) })
  const problems: Array<Problem> = []
  const { notes, consultations } = campaign.search.minibatch
  if (notes < 2 * consultations) {
    problems.push({
      ...at(["search", "minibatch"]),
      what: "a minibatch needs a clean and a flawed note of each of its consultations",
      found: `${count(notes, "note")} over ${count(consultations, "consultation")}`,
      expected:
        "at least twice as many notes as consultations; three times as many for a clean note and two flawed ones each"
    })
  }
  const { accept } = campaign.search
  if (typeof accept === "object" && "paired" in accept) {
    const least = 2 ** -(accept.paired.repeats * consultations)
    if (least > accept.paired.alpha) {
      problems.push({
        ...at(["search", "accept", "paired"]),
        what: "no child could ever be accepted: even when it is better in every repeat of every consultation, p is not small enough",
        found: `alpha ${accept.paired.alpha} with ${count(accept.paired.repeats, "repeat")} of ${count(consultations, "consultation")}`,
        expected: `alpha of at least ${least}, or repeats of at least ${Math.ceil(-Math.log2(accept.paired.alpha) / consultations)}`
      })
    }
  }
  problems.push(...judgeProblems(written, at))
  const isFile = Effect.fnUntraced(function* (
    path: DocumentPath,
    what: string,
    asWritten: string,
    absolute: string,
    hint: string
  ) {
    const info = yield* Effect.result(fs.stat(absolute))
    if (Result.isFailure(info)) {
      problems.push({
        ...at(path),
        what: `${what} is not there`,
        found: showValue(asWritten),
        expected: `a file at ${absolute}`,
        hint
      })
    } else if (info.success.type === "Directory") {
      problems.push({ ...at(path), what: `${what} is a folder`, found: showValue(asWritten), expected: "a file" })
    } else {
      const problem = notRegular(absolute, what, info.success.type)
      if (problem !== undefined)
        problems.push({ ...at(path), what: problem.what, found: showValue(asWritten), expected: "a file" })
    }
  })
  const relative = "Paths are relative to the campaign file"
  yield* isFile(["dataset"], "the dataset", written.dataset, campaign.dataset, relative)
  yield* isFile(
    ["split"],
    "the split",
    written.split,
    campaign.split,
    `${relative}. Make a split with: assize split create`
  )
  for (const [index, seed] of written.seeds.entries()) {
    yield* isFile(["seeds", index], "the seed", seed, campaign.seeds[index]!, relative)
  }
  return problems
})

const withoutEffect = ["temperature", "reasoningEffort"] as const

/** Whether the judge, or a member of it, asks something that can be known before anything is answered. */
const takesBatches = (judge: JudgeConfig): boolean => {
  const design = designOf(judge)
  const own = design.members ?? [{ design, judge }]
  return own.some((one) => gatherable(one.design, [], one.judge.samples) !== undefined)
}

/** What is allowed and hardly meant. */
const oddities = ({ file, judge, models, search }: Campaign, document: YamlDocument): ReadonlyArray<Problem> => {
  const at = (path: DocumentPath) => ({ file, ...document.keyPlace(path), field: fieldPath(path) })
  const asksForBatches = (model: ModelConfig) => model.provider === "openai" && model.batch === true
  return [
    ...(search.racing && asksForBatches(models.judge)
      ? [
          {
            ...at(["search", "racing"]),
            what: "a race is judged a few consultations at a time, and with models.judge.batch each of these waits for a batch",
            hint: "A batch may take a day: leave out one of the two"
          }
        ]
      : []),
    ...(asksForBatches(models.reflection)
      ? [
          {
            ...at(["models", "reflection", "batch"]),
            what: "has no effect: reflections are asked one by one, since each follows from the one before",
            hint: "Leave it out"
          }
        ]
      : []),
    ...(asksForBatches(models.judge) && !takesBatches(judge)
      ? [
          {
            ...at(["models", "judge", "batch"]),
            what: `has no effect: the questions of the design ${judge.design} follow from answers, or are several a note, and are asked one by one`,
            hint: "Leave it out, or use a design of one question a note"
          }
        ]
      : []),
    ...(["judge", "reflection"] as const).flatMap((role) =>
      withoutEffect
        .filter((option) => models[role].provider === "embedded" && models[role][option] !== undefined)
        .map((option) => ({
          ...at(["models", role, option]),
          what: "has no effect on the embedded model, whose only source of variety is the seed",
          hint: "Leave it out; other providers heed it"
        }))
    )
  ]
}

/** The campaign with its defaults and absolute paths. */
const complete = (written: CampaignFile, file: string, path: Path.Path): Campaign => {
  const resolve = (relative: string) => path.resolve(path.dirname(file), relative)
  const { merge, target: inSearch, ...search } = written.search
  const target = written.target ?? inSearch
  return {
    name: written.name,
    file,
    dataset: resolve(written.dataset),
    split: resolve(written.split),
    seeds: written.seeds.map(resolve),
    models: written.models,
    judge: { ...written.judge, samples: written.judge.samples ?? 1 },
    ...(target === undefined ? {} : { target }),
    objective: written.objective,
    search: { ...searchDefaults, ...search, merge: { ...searchDefaults.merge, ...merge } },
    budget: written.budget ?? {},
    ...(written.branch === undefined ? {} : { branch: written.branch })
  }
}

/**
 * Reads `campaign.yaml`. Fails with every problem of the file, each with line and column; what it names (dataset,
 * split, seeds) is only looked for, not read. Nothing that looks like a key is repeated in an error.
 */
export const loadCampaign = Effect.fn("loadCampaign")(function* (
  file: string
): Effect.fn.Return<LoadedCampaign, InputError, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  const text = yield* readTextFile(file, "the campaign file")
  const secrets = secretProblems(text, file)
  const { document, problems } = parseYaml(text, file)
  if (document === undefined) return yield* new InputError({ problems: [...secrets, ...problems.map(discreet)] })
  const decoded = decodeDocument(document, file)
  if (Result.isFailure(decoded))
    return yield* new InputError({ problems: [...secrets, ...decoded.failure].sort(byPlace) })
  const written = decoded.success
  const campaign = complete(written, path.resolve(file), path)
  const cross = yield* crossProblems({ ...campaign, file }, document, written)
  if (secrets.length + cross.length > 0)
    return yield* new InputError({ problems: [...secrets, ...cross.map(discreet)].sort(byPlace) })
  return { campaign, warnings: oddities({ ...campaign, file }, document) }
})
