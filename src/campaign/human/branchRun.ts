import * as Effect from "effect/Effect"
import * as Path from "effect/Path"
import { parseDocument } from "yaml"
import { readTextFile } from "../../dataset/textFile.ts"
import { checkNewFolder, ofText, writeTogether } from "../../dataset/writeTogether.ts"
import type { EventOf } from "../../optimise/Journal.ts"
import type { Remark } from "../../optimise/remarks.ts"
import { candidateFiles } from "../../report/candidateFiles.ts"
import { loadCampaign } from "../load.ts"
import { candidateNamed } from "../members.ts"
import { prepareCampaign } from "../prepare.ts"
import { type HeldRun, say } from "./holdRun.ts"

export interface BranchOptions extends Remark {
  /** The first is the one that is branched from. */
  readonly candidates: readonly [string, ...ReadonlyArray<string>]
  /** A new or empty folder. */
  readonly folder: string
  readonly name: string | undefined
}

/**
 * Writes a campaign that begins with candidates of the run: the run's own campaign, comments and all, with the candidates
 * as its only seeds, and where it comes from. It may be edited before it is run.
 */
export const branchRun = Effect.fn("branchRun")(function* (held: HeldRun, options: BranchOptions) {
  const path = yield* Path.Path
  const { run, state } = held
  const { author, folder, reason } = options
  const named = yield* Effect.forEach(options.candidates, (name) => candidateNamed(state, name, "candidate"))
  const candidates = new Map(named.map((candidate) => [candidate.id, candidate]))
  const ids = [...candidates.keys()]
  const { campaign } = yield* loadCampaign(run.campaignFile)
  const text = yield* readTextFile(run.campaignFile, "the run's campaign")

  yield* checkNewFolder(folder)
  const files = new Map<string, string>()
  const { design } = run.settings.judge
  const evolving = run.settings.modules
  for (const [at, candidate] of [...candidates.values()].entries()) {
    // Modules that do not evolve are the same in all candidates, and a campaign takes one seed for them.
    const own = Object.entries(candidate.instructions).filter(
      ([module]) => at === 0 || evolving === undefined || evolving.includes(module)
    )
    const some = { ...candidate, instructions: Object.fromEntries(own) }
    for (const [name, content] of candidateFiles(some, run.id, design, {
      human: state.remarks.authorOf(candidate.id)
    })) {
      files.set(`seeds/${name}`, content)
    }
  }
  const seeds = [...files.keys()]
  const from = (file: string) => path.relative(path.resolve(folder), file).split(path.sep).join("/")
  const name = options.name ?? `${campaign.name}-branch`
  const document = parseDocument(text)
  document.set("name", name)
  document.set("dataset", from(campaign.dataset))
  document.set("split", from(campaign.split))
  document.set("seeds", seeds)
  // Without a target, every module that has a seed would evolve.
  if (evolving !== undefined && !document.has("target") && !document.hasIn(["search", "target"]))
    document.set("target", { modules: [...evolving] })
  document.set("branch", { run: run.id, candidates: ids, author, reason })
  const file = path.join(folder, "campaign.yaml")
  files.set("campaign.yaml", document.toString({ lineWidth: 120 }))
  const event: EventOf<"branched"> = { _tag: "branched", candidates: ids, campaign: name, author, reason }
  yield* writeTogether(
    folder,
    (put) => Effect.forEach(files, ([name, content]) => put(name, ofText(content)), { discard: true }),
    () => Effect.andThen(prepareCampaign(file), say(held, event))
  )
  return { event, file, seeds, candidates: [...candidates.values()] }
})
