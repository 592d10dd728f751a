import * as Effect from "effect/Effect"
import * as Path from "effect/Path"
import * as Stream from "effect/Stream"
import { ledgerPath, readLedger } from "../confirm/ledgerFile.ts"
import type { ReadOut } from "../confirm/readOut.ts"
import { type SeenBefore, type SharedNotes, sharedNotes } from "../confirm/seenBefore.ts"
import { openings } from "../confirm/verifyLedger.ts"
import type { CandidateId } from "../domain/Candidate.ts"
import type { LedgerLine } from "../domain/Ledger.ts"
import type { RunEvent } from "../domain/RunEvent.ts"
import type { SplitManifest } from "../domain/Split.ts"
import { Confirmations } from "../store/Confirmations.ts"
import { EventLog } from "../store/EventLog.ts"
import { Runs } from "../store/Runs.ts"
import { realPath } from "../store/realPath.ts"
import type { Subject } from "./confirmSubject.ts"
import { type KnownSplit, knownSplits } from "./knownSplits.ts"

/** A split, where it lies, and the dataset that it is of. */
export interface OwnSplit {
  readonly file: string
  readonly manifest: SplitManifest
  readonly dataset: string
}

/** Another split that has consultations of a split's holdout. */
export interface SharingSplit extends KnownSplit {
  readonly shared: SharedNotes
}

/** The known splits that have consultations of this split's holdout, in whatever part. */
export const sharingSplits = Effect.fn("sharingSplits")(function* (
  { dataset, file, manifest }: OwnSplit,
  campaigns: ReadonlyArray<string>
) {
  const path = yield* Path.Path
  const own = realPath(file)
  return (yield* knownSplits(dataset, campaigns, [path.dirname(path.resolve(file))]))
    .filter((other) => realPath(other.file) !== own)
    .map((other): SharingSplit => {
      const its = path.resolve(path.dirname(other.file), other.manifest.dataset.path)
      return { ...other, shared: sharedNotes(manifest, other.manifest, realPath(its) === realPath(dataset)) }
    })
    .filter(({ shared }) => shared.holdout + shared.optimised > 0)
})

const linesOf = (manifestFile: string) =>
  readLedger(ledgerPath(manifestFile)).pipe(
    Effect.map(({ lines }) => lines),
    // What another split's ledger cannot tell is no reason to refuse this one.
    Effect.orElseSucceed((): ReadonlyArray<LedgerLine> => [])
  )

interface KnownOpening {
  readonly split: string
  readonly hash: string
  readonly time: string
}

/** What of a split's holdout was opened under others, by their ledgers and by the read-outs that are known. */
export const openedBefore = Effect.fn("openedBefore")(function* (
  { file, manifest }: Pick<OwnSplit, "file" | "manifest">,
  sharing: ReadonlyArray<SharingSplit>,
  readOuts: ReadonlyArray<KnownOpening>
) {
  const own = new Set((yield* linesOf(file)).map(({ hash }) => hash))
  const found = yield* Effect.forEach(
    sharing.filter(({ shared }) => shared.holdout > 0),
    Effect.fnUntraced(function* ({ file: its, manifest: other, shared }) {
      const times = [
        ...openings(yield* linesOf(its), other.hash),
        ...readOuts.filter(({ split }) => split === other.hash)
      ]
        // A copy of this very split may have a copy of its ledger.
        .filter(({ hash }) => !own.has(hash))
        .map(({ time }) => time)
        .sort()
      return times.slice(0, 1).map(
        (time): SeenBefore => ({
          how: "opened",
          split: { name: other.name, hash: other.hash },
          consultations: shared.holdout,
          of: manifest.holdout.length,
          time
        })
      )
    })
  )
  return found.flat()
})

type Born = Extract<RunEvent, { readonly _tag: "candidate" }>["candidate"]

const bornIn = (events: ReadonlyArray<RunEvent>): ReadonlyArray<Born> =>
  events.flatMap((event) => (event._tag === "candidate" ? [event.candidate] : []))

/** What a candidate comes from that its own run did not make: seeds, and what people added. */
const broughtIn = (events: ReadonlyArray<RunEvent>, candidate: CandidateId): ReadonlySet<CandidateId> => {
  const born = new Map(bornIn(events).map((one) => [one.id, one]))
  const seen = new Set<CandidateId>()
  const visit = (id: CandidateId): void => {
    if (seen.has(id)) return
    seen.add(id)
    for (const parent of born.get(id)?.parents ?? []) visit(parent)
  }
  visit(candidate)
  return new Set([...seen].filter((id) => ["seed", "human"].includes(born.get(id)?.origin ?? "seed")))
}

/** Whether a run made a candidate: a seed it was given, and what a person wrote from nothing was read off no note. */
const wasMade = ({ origin, parents }: Born): boolean =>
  origin !== "seed" && !(origin === "human" && parents.length === 0)

/**
 * Earlier runs on other splits that made what a candidate comes from, through however many runs: an instruction is known
 * by its text's hash.
 */
const searchedBefore = Effect.fn("searchedBefore")(function* (
  { events, manifest, run }: Subject,
  candidate: CandidateId,
  sharing: ReadonlyArray<SharingSplit>
) {
  const searched = sharing.filter(({ manifest: other, shared }) => shared.optimised > 0 && other.hash !== manifest.hash)
  if (searched.length === 0) return []
  const log = yield* EventLog
  const earlier = (yield* Runs.use((runs) => runs.list())).filter(({ created }) => created < run.created)
  const brought = new Set(broughtIn(events, candidate))
  const made = new Set<string>()
  // The newest first: what a run was given was made before it.
  for (const one of earlier.toSorted((a, b) => b.created - a.created)) {
    const its = (yield* Stream.runCollect(log.read(one.id))).map(({ event }) => event)
    const own = bornIn(its).filter((born) => wasMade(born) && brought.has(born.id))
    if (own.length === 0) continue
    made.add(one.id)
    for (const { id } of own) for (const from of broughtIn(its, id)) brought.add(from)
  }
  return searched.flatMap(({ manifest: other, shared }) =>
    earlier
      .filter(({ id, settings }) => settings.split === other.hash && made.has(id))
      .map(
        (one): SeenBefore => ({
          how: "searched",
          split: { name: other.name, hash: other.hash },
          consultations: shared.optimised,
          of: manifest.holdout.length,
          time: new Date(one.created).toISOString(),
          run: one.id
        })
      )
  )
})

/**
 * What of a run's holdout was no news: consultations that were opened under another known split of the same notes, or
 * that a search read which the candidate comes from. With `until`, what was opened before that time (ISO 8601, UTC).
 */
export const seenBefore = Effect.fn("seenBefore")(function* (
  subject: Subject,
  candidate: CandidateId,
  until: string | undefined
) {
  const { campaign, dataset, manifest } = subject
  const campaigns = (yield* Runs.use((runs) => runs.list())).map(({ campaignFile }) => campaignFile)
  const own = { file: campaign.split, manifest, dataset }
  const sharing = yield* sharingSplits(own, [...new Set(campaigns)])
  const readOuts = (yield* Confirmations.use((kept) => kept.list())).map(({ opening, readOut, split }) => ({
    split,
    hash: opening,
    time: (JSON.parse(readOut) as ReadOut).opening.time
  }))
  return [
    ...(yield* openedBefore(own, sharing, readOuts)),
    ...(yield* searchedBefore(subject, candidate, sharing))
  ].filter(({ time }) => until === undefined || time < until)
})
