import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { checkNewFolder, ofText, type PutFile, writeTogether } from "../dataset/writeTogether.ts"
import type { Candidate, CandidateId } from "../domain/Candidate.ts"
import { type Figures, proposalKey, type RunEvent } from "../domain/RunEvent.ts"
import type { Rescues } from "../measure/rescues.ts"
import { foldRun } from "../optimise/RunState.ts"
import type { Remark } from "../optimise/remarks.ts"
import { CallLog } from "../store/CallLog.ts"
import { EventLog, type LoggedEvent } from "../store/EventLog.ts"
import { Findings } from "../store/Findings.ts"
import type { Run } from "../store/Runs.ts"
import { usageTotals } from "../store/roleUsage.ts"
import { type UsedJudgement, Uses } from "../store/Uses.ts"
import { version } from "../version.ts"
import { candidateFiles } from "./candidateFiles.ts"
import { candidateRescues } from "./candidateRescues.ts"

/** One seed or proposal as `lineage.jsonl` has it: everything that was tried, with what became of it. */
interface LineageLine {
  readonly iteration: number
  /** From 1, in a run with several proposals an iteration. */
  readonly proposal?: number
  readonly id: string | null
  readonly name: string | null
  readonly origin: string
  readonly parents: ReadonlyArray<string>
  readonly accepted: boolean
  readonly reason: string | null
  readonly detail: string
  readonly parentReward: number | null
  readonly childReward: number | null
  readonly figures: Figures | null
  /** On the acceptance part, of a candidate of a design with a second look. */
  readonly rescues?: Rescues
  /** Of a candidate whose evaluation was cut short: how many notes its figures are of. */
  readonly judged?: number
  readonly instruction: string | null
  readonly prompt: string | null
  readonly reply: string | null
  /** Of a candidate that a person wrote; the reason is the `detail`. */
  readonly author?: string
  /** Who keeps it among the parents, or ruled it out, and why. */
  readonly pinned?: Remark
  readonly vetoed?: Remark
}

const lineageOf = (
  events: ReadonlyArray<RunEvent>,
  rescued: ReadonlyMap<string, Rescues>
): ReadonlyArray<LineageLine> => {
  const figures = new Map(
    events.flatMap((event) =>
      event._tag === "evaluated" || event._tag === "rejudged" || event._tag === "raced"
        ? [[event.candidate, event.figures] as const]
        : []
    )
  )
  const raced = new Map(
    events.flatMap((event) => (event._tag === "raced" ? [[event.candidate as string, event.judged] as const] : []))
  )
  const candidates = events.flatMap((event) =>
    event._tag === "candidate" || event._tag === "added" ? [event.candidate] : []
  )
  const born = new Map<string, Candidate>(candidates.map((candidate) => [candidate.id, candidate]))
  const seeds = events.flatMap((event): ReadonlyArray<LineageLine> => {
    if (event._tag !== "candidate" || event.candidate.origin !== "seed") return []
    const { id, instructions, name, origin, parents } = event.candidate
    return [
      {
        iteration: 0,
        id,
        name,
        origin,
        parents,
        accepted: true,
        reason: null,
        detail: "seed",
        parentReward: null,
        childReward: null,
        figures: figures.get(id) ?? null,
        instruction: Object.values(instructions).join("\n\n"),
        prompt: null,
        reply: null
      }
    ]
  })
  const proposals = new Map(
    events.flatMap((event) => (event._tag === "proposed" ? [[proposalKey(event), event] as const] : []))
  )
  const children = new Map(
    events.flatMap((event) => (event._tag === "childJudged" ? [[proposalKey(event), event.child] as const] : []))
  )
  const merges = new Map(
    events.flatMap((event) => (event._tag === "merge" ? [[proposalKey(event), event] as const] : []))
  )
  /** What a swap put together, also where it was not accepted. */
  const swapped = (choices: Readonly<Record<string, string>> | null | undefined): string | null =>
    choices === null || choices === undefined
      ? null
      : Object.entries(choices)
          .map(([module, from]) => born.get(from)?.instructions[module] ?? "")
          .join("\n\n")
  const decided = events.flatMap((event): ReadonlyArray<LineageLine> => {
    if (event._tag !== "decided") return []
    const key = proposalKey(event)
    const proposal = proposals.get(key)
    const merge = merges.get(key)
    const id = children.get(key) ?? null
    const candidate = event.accepted && id !== null ? born.get(id) : undefined
    const judged = id === null ? undefined : raced.get(id)
    return [
      {
        iteration: event.iteration,
        ...(event.proposal === undefined ? {} : { proposal: event.proposal }),
        id,
        name: candidate?.name ?? null,
        origin: merge === undefined ? "reflection" : "merge",
        parents: merge?.parents ?? [event.parent],
        accepted: event.accepted,
        reason: event.reason,
        detail: event.detail,
        parentReward: event.parentReward,
        childReward: event.childReward,
        figures: (candidate === undefined ? undefined : figures.get(candidate.id)) ?? null,
        ...(candidate === undefined || judged === undefined ? {} : { judged }),
        instruction: proposal?.instruction ?? swapped(merge?.choices),
        prompt: proposal?.prompt ?? null,
        reply: proposal?.reply ?? null
      }
    ]
  })
  const written = events.flatMap((event): ReadonlyArray<LineageLine> => {
    if (event._tag !== "added") return []
    const { id, instructions, iteration, name, origin, parents } = event.candidate
    return [
      {
        iteration,
        id,
        name,
        origin,
        parents,
        accepted: true,
        reason: null,
        detail: event.reason,
        parentReward: null,
        childReward: null,
        figures: figures.get(id) ?? null,
        instruction: Object.values(instructions).join("\n\n"),
        prompt: null,
        reply: null,
        author: event.author
      }
    ]
  })
  const { remarks } = foldRun(events)
  return [...seeds, ...decided, ...written].map((line) => {
    const id = line.accepted ? (line.id as CandidateId | null) : null
    const [pinned, vetoed] = id === null ? [] : [remarks.pinOf(id), remarks.vetoOf(id)]
    const rescues = id === null ? undefined : rescued.get(id)
    return {
      ...line,
      ...(rescues === undefined ? {} : { rescues }),
      ...(pinned === undefined ? {} : { pinned }),
      ...(vetoed === undefined ? {} : { vetoed })
    }
  })
}

const lines = (values: Iterable<unknown>): string => [...values].map((value) => `${JSON.stringify(value)}\n`).join("")

/**
 * Writes a run as plain files into a folder that is new or empty: `manifest.json`, `events.jsonl`, `lineage.jsonl`,
 * `candidates/*.md` and, unless left out, `judgements.jsonl`, which holds the notes' texts, every answer with its stage, and
 * with the first answer of a judgement the facts, questions or criteria that its score is made of. Gives the
 * names written, and how many judgements are missing since they are no longer stored.
 */
export const exportRun = Effect.fn("exportRun")(function* (
  run: Run,
  folder: string,
  options: { readonly judgements: boolean }
) {
  const log = yield* EventLog
  const uses = yield* Uses
  const findings = yield* Findings
  const roles = yield* CallLog.use((calls) => calls.usage(run.id))
  yield* checkNewFolder(folder)
  const logged: ReadonlyArray<LoggedEvent> = yield* Stream.runCollect(log.read(run.id))
  const events = logged.map(({ event }) => event)
  const state = foldRun(events)
  const manifest = {
    format: "assize-run/1",
    version,
    run: run.id,
    campaign: run.campaign,
    created: new Date(run.created).toISOString(),
    settings: run.settings,
    settingsHash: run.settingsHash,
    events: events.length,
    iterations: state.iteration,
    candidates: state.members.length,
    stopped: state.stopped ?? null,
    winner: state.winner?.candidate.id ?? null,
    hypervolumes: state.hypervolumes,
    human: state.remarks.all,
    usage: { ...usageTotals(roles), roles }
  }
  let last = ""
  /** What the judgement that the answer belongs to is made of, with the first of its answers. */
  const outcomeOf = Effect.fnUntraced(function* ({ candidate, item, role }: UsedJudgement) {
    const judgement = JSON.stringify([candidate, item])
    if (role !== "judge" || judgement === last) return {}
    last = judgement
    return Option.match(yield* findings.find(run.id, candidate, item), {
      onNone: () => ({}),
      onSome: (outcome) => ({ outcome })
    })
  })
  const judgements = uses.read(run.id).pipe(
    Stream.mapEffect((use) =>
      Effect.map(
        outcomeOf(use),
        (outcome) => `${JSON.stringify({ ...use, request: JSON.parse(use.request) as unknown, ...outcome })}\n`
      )
    ),
    Stream.encodeText
  )
  const write = Effect.fnUntraced(function* (put: PutFile) {
    yield* put("manifest.json", ofText(`${JSON.stringify(manifest, undefined, 2)}\n`))
    const dated = logged.map(({ event, sequence, time }) => ({ sequence, time: new Date(time).toISOString(), event }))
    yield* put("events.jsonl", ofText(lines(dated)))
    yield* put("lineage.jsonl", ofText(lines(lineageOf(events, yield* candidateRescues(run, events)))))
    for (const { candidate, ...one } of [...state.members, ...state.raced]) {
      const circumstances = {
        human: state.remarks.authorOf(candidate.id),
        cut: "notes" in one ? one : undefined
      }
      for (const [name, text] of candidateFiles(candidate, run.id, run.settings.judge.design, circumstances))
        yield* put(`candidates/${name}`, ofText(text))
    }
    if (options.judgements)
      yield* put("judgements.jsonl", (file) => FileSystem.FileSystem.use((fs) => Stream.run(judgements, fs.sink(file))))
  })
  return yield* writeTogether(folder, write, (files) =>
    Effect.map(options.judgements ? uses.missing(run.id) : Effect.succeed(0), (missing) => ({ files, missing }))
  )
})
