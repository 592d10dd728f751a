import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import { itemSet } from "../dataset/itemSet.ts"
import { type Campaign, type Measure, searchDefaults } from "../domain/Campaign.ts"
import { type Candidate, candidateId } from "../domain/Candidate.ts"
import { count } from "../domain/count.ts"
import type { ErrorClass } from "../domain/Dataset.ts"
import { InputError, inputError, type Problem, showValue } from "../domain/InputError.ts"
import type { ItemSet } from "../domain/Item.ts"
import type { RunSettings } from "../domain/RunEvent.ts"
import type { PartName, SplitManifest } from "../domain/Split.ts"
import { designProblems } from "../judge/designProblems.ts"
import { designOf } from "../judge/designs/registry.ts"
import { judgePin, promptHash } from "../judge/judgePin.ts"
import { modelPin } from "../model/key.ts"
import type { Task } from "../optimise/engine.ts"
import { type MinibatchSize, minibatches } from "../optimise/minibatch.ts"
import { loadOptimisationParts } from "../split/parts.ts"
import { type SeedGroup, seedGroups, targetModules, targetProblems } from "./candidates.ts"
import { loadCampaign } from "./load.ts"
import { loadSeeds } from "./seeds.ts"

/** The first epoch's minibatches against what the campaign asks for: a small train part cuts them. */
const smallMinibatch = (
  file: string,
  train: ItemSet<"train">,
  size: MinibatchSize,
  seed: number
): ReadonlyArray<Problem> => {
  const consultations = new Set(train.items.map((item) => item.consultation)).size
  const taken = Math.min(size.consultations, consultations)
  const batchOf = minibatches(train, size, seed)
  const notes = Array.from({ length: Math.ceil(consultations / taken) }, (_, at) => batchOf(at).items.length)
  const [least, most] = [Math.min(...notes), Math.max(...notes)]
  if (taken === size.consultations && most >= size.notes) return []
  return [
    {
      file,
      field: "search.minibatch",
      what: `minibatches are smaller than asked for: ${least === most ? most : `${least} to ${most}`} notes of ${count(taken, "consultation")}, not ${size.notes} of ${size.consultations}`,
      hint: `The train part has ${count(consultations, "consultation")}; each gives one clean note and as many flawed ones as it has, up to its share`
    }
  ]
}

/** A campaign with everything read and checked that it takes to run it. Holds no holdout note. */
export interface Prepared {
  readonly campaign: Campaign
  readonly task: Task
  readonly manifest: SplitManifest
  readonly warnings: ReadonlyArray<Problem>
}

/** The classes of error that the search judges: those of its measures; undefined means all. */
export const classesOf = (measures: ReadonlyArray<Measure | undefined>): ReadonlyArray<ErrorClass> | undefined => {
  const classes = new Set<ErrorClass>()
  for (const measure of measures) {
    if (measure === undefined) continue
    if (measure.classes === undefined) return undefined
    for (const one of measure.classes) classes.add(one)
  }
  return [...classes]
}

const seedCandidates = (groups: ReadonlyArray<SeedGroup>): ReadonlyArray<Candidate> =>
  groups.map(({ instructions, name, seeds }) => {
    const frozen = Object.fromEntries(
      seeds.flatMap((seed) => (seed.frozen === undefined ? [] : [[seed.module, seed.frozen] as const]))
    )
    return {
      id: candidateId(instructions),
      name,
      origin: "seed",
      parents: [],
      iteration: 0,
      instructions,
      ...(Object.keys(frozen).length === 0 ? {} : { frozen })
    }
  })

/** A part without a pair to judge gives nothing to search by. */
const emptyParts = (
  campaign: Campaign,
  manifest: SplitManifest,
  sets: Readonly<Partial<Record<PartName, ItemSet>>>
) => {
  const classes = classesOf([campaign.objective.primary])
  return Object.entries(sets).flatMap(([part, set]): ReadonlyArray<Problem> => {
    const pairs = set.pairs.filter((pair) => classes === undefined || classes.includes(pair.class))
    if (pairs.length > 0) return []
    return [
      {
        file: campaign.split,
        field: part,
        what: `the ${part} part has no pair of the classes of the primary measure`,
        found: `${count(manifest.counts[part as PartName].pairs, "pair")}: ${JSON.stringify(manifest.counts[part as PartName].class)}`,
        expected: `pairs of ${classes?.join(", ") ?? "any class"}`,
        hint: "Change objective.primary.classes, or make a split of a data set that has such pairs"
      }
    ]
  })
}

/** Objectives that the acceptance part has no pairs for say nothing: a frontier of objectives goes by the others. */
const emptyObjectives = (campaign: Campaign, acceptance: ItemSet<"acceptance">): ReadonlyArray<Problem> => {
  if (campaign.search.frontier !== "objectives") return []
  const omissions = acceptance.pairs.filter((pair) => pair.class === "omission").length
  const missing = [
    ...(omissions === 0 ? ["omissions"] : []),
    ...(omissions === acceptance.pairs.length ? ["commissions"] : [])
  ]
  return missing.map((kind) => ({
    file: campaign.file,
    field: "search.frontier",
    what: `the frontier of objectives goes without ${kind}: the acceptance part has no pair of them among the classes of the objective`,
    hint: "Leave objective.primary.classes or objective.secondary.classes out, or name both kinds between them"
  }))
}

/** Reads and checks a campaign, its seeds, its split and the train and acceptance parts of its data set. */
export const prepareCampaign = Effect.fn("prepareCampaign")(function* (
  file: string
): Effect.fn.Return<Prepared, InputError, FileSystem.FileSystem | Path.Path> {
  const { campaign, warnings } = yield* loadCampaign(file)
  const design = designOf(campaign.judge)
  const [seeds, parts] = yield* Effect.all([
    Effect.result(loadSeeds(campaign.seeds, design)),
    Effect.result(loadOptimisationParts(campaign.split, campaign.dataset))
  ])
  const failed = [seeds, parts].flatMap((result) => (result._tag === "Failure" ? result.failure.problems : []))
  if (seeds._tag === "Failure" || parts._tag === "Failure") return yield* new InputError({ problems: failed })

  const targets = targetModules(design, campaign.target, seeds.success)
  const strangers = targetProblems(campaign.file, design, seeds.success, targets)
  if (strangers.length > 0) return yield* inputError(...strangers)

  const { acceptance: acceptanceMembers, manifest, train: trainMembers } = parts.success
  const classes = classesOf([campaign.objective.primary, campaign.objective.secondary])
  const train = itemSet(trainMembers, classes)
  const acceptance = itemSet(acceptanceMembers, classes)
  const empty = emptyParts(campaign, manifest, { train, acceptance })
  if (empty.length > 0) return yield* inputError(...empty)
  const unfit = designProblems(campaign.dataset, design, [...train.items, ...acceptance.items])
  if (unfit.length > 0) return yield* inputError(...unfit)

  const candidates = seedCandidates(seedGroups(design, seeds.success, targets))
  const twins = candidates.filter(({ id }, at) => candidates.findIndex((other) => other.id === id) !== at)
  if (twins.length > 0) {
    return yield* inputError({
      file: campaign.file,
      field: "seeds",
      what: `two starting points have the same instructions: ${twins.map(({ name }) => showValue(name)).join(", ")}`,
      hint: "Leave one of the two out"
    })
  }
  const contracts = Object.fromEntries(design.modules.map(({ contract, name }) => [name, contract]))
  const frozen = candidates.flatMap(({ frozen, id }) => (frozen === undefined ? [] : [[id, frozen] as const]))
  const strange = campaign.branch?.candidates.filter((id) => !candidates.some((candidate) => candidate.id === id)) ?? []
  if (strange.length > 0) {
    return yield* inputError({
      file: campaign.file,
      field: "branch.candidates",
      what: "the campaign says that it was branched from candidates that are not among its seeds",
      found: strange.join(", "),
      expected: `the seeds' own: ${candidates.map(({ id }) => id).join(", ")}`,
      hint: "Restore the seed's text, or take the branch out where the campaign has become another"
    })
  }
  const { accept, frontier, maxInstructionLength, merge, minibatch, proposals, racing, seed, selector } =
    campaign.search
  const settings: RunSettings = {
    campaign: campaign.name,
    models: { judge: modelPin(campaign.models.judge), reflection: modelPin(campaign.models.reflection) },
    judge: judgePin(campaign.judge),
    objective: campaign.objective,
    search: {
      minibatch,
      maxInstructionLength,
      seed,
      merge,
      // Left out where they change nothing, so that runs that were begun before they were known go on.
      ...(proposals === 1 ? {} : { proposals }),
      ...(accept === "strict" ? {} : { accept }),
      ...(racing ? { racing } : {}),
      ...(frontier === searchDefaults.frontier ? {} : { frontier }),
      ...(selector === searchDefaults.selector ? {} : { selector })
    },
    split: manifest.hash,
    prompt: promptHash(design),
    seeds: candidates.map(({ id }) => id),
    // A judge of one module has nothing to choose from, and its runs of old have no such field.
    ...(design.modules.length === 1 ? {} : { modules: targets }),
    ...(frozen.length === 0 ? {} : { frozen: Object.fromEntries(frozen) }),
    ...(campaign.branch === undefined ? {} : { branch: campaign.branch })
  }
  return {
    campaign,
    manifest,
    warnings: [
      ...warnings,
      ...smallMinibatch(campaign.file, train, minibatch, seed),
      ...emptyObjectives(campaign, acceptance)
    ],
    task: {
      settings,
      train,
      acceptance,
      seeds: candidates,
      contracts,
      modules: targets,
      scale: design.scale,
      limits: {
        iterations: campaign.search.iterations,
        stall: campaign.search.stall,
        brokenAfter: campaign.search.brokenAfter
      }
    }
  }
})
