import * as Console from "effect/Console"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import type { ConfirmedFile } from "../campaign/confirmedFiles.ts"
import { inputError } from "../domain/InputError.ts"
import { confirmAsked, confirmFlags, confirmProblems } from "./confirmFlags.ts"
import { judging } from "./judging.ts"
import { count, json, plain, warn } from "./output.ts"
import { RunEnded } from "./RunEnded.ts"

const load = Effect.promise(async () => ({
  ...(await import("../campaign/confirmChecks.ts")),
  ...(await import("../campaign/confirmLedger.ts")),
  ...(await import("../campaign/confirmPromise.ts")),
  ...(await import("../campaign/confirmRun.ts")),
  ...(await import("../campaign/confirmSubject.ts")),
  ...(await import("../campaign/confirmedFiles.ts")),
  ...(await import("../campaign/seenBefore.ts")),
  ...(await import("../confirm/leastP.ts")),
  ...(await import("../confirm/ledgerFile.ts")),
  ...(await import("../confirm/ledgerText.ts")),
  ...(await import("../confirm/preregistration.ts")),
  ...(await import("../confirm/seenBefore.ts")),
  ...(await import("../dataset/write.ts")),
  ...(await import("../report/readOutSections.ts")),
  ...(await import("../report/scoreMarkdown.ts")),
  ...(await import("./confirmOutputs.ts")),
  ...(await import("./sections.ts")),
  Holdout: (await import("../confirm/holdout.ts")).Holdout
}))

export const confirm = Command.make(
  "confirm",
  confirmFlags,
  Effect.fn(function* (input) {
    const path = yield* Path.Path
    const problems = confirmProblems(input)
    if (problems.length > 0) return yield* inputError(...problems)
    const tools = yield* load
    const { asked, asking } = confirmAsked(input)

    yield* judging(
      input,
      Effect.fnUntraced(function* ({ begin, patienceMs, storeFile }) {
        const request = { ...asking, patienceMs }
        const subject = yield* tools.loadSubject(input.run, Option.getOrUndefined(input.campaign))
        const { campaign, manifest } = subject
        const outside = path.relative(path.dirname(path.dirname(storeFile)), campaign.file).startsWith("..")
        yield* warn([
          ...subject.warnings,
          ...(outside && Option.isNone(input.campaign)
            ? [
                {
                  file: campaign.file,
                  what: "the run's campaign, split and ledger lie outside of this workspace",
                  hint: "Where the workspace was copied or moved, name the campaign that is meant with --campaign"
                }
              ]
            : [])
        ])
        const ledgerFile = tools.ledgerPath(campaign.split)
        yield* tools.holdLedger(ledgerFile, manifest.name)
        yield* warn(tools.tornWarnings(yield* tools.readLedger(ledgerFile), ledgerFile))

        const show = Effect.fnUntraced(function* (
          readOut: Parameters<typeof tools.readOutSections>[0],
          openings: number,
          files: ReadonlyArray<ConfirmedFile>
        ) {
          const head = tools.readOutHead(readOut, openings)
          if (Option.isSome(input.markdown)) {
            const text = tools.markdownText(
              "Confirmation on the holdout",
              head,
              tools.readOutSections(readOut, { whole: true })
            )
            yield* tools.writeNewFile(input.markdown.value, "the Markdown file", text, { force: input.force })
          }
          yield* Console.log(
            input.json
              ? json({
                  ...readOut,
                  confirmatory: !tools.isExploratory(readOut, openings),
                  openings,
                  artefacts: tools.asConfirmed(files)
                })
              : [
                  tools.sectionsText(head, tools.readOutSections(readOut, { whole: false })),
                  "",
                  ...(readOut.decision === "passed" ? files.map(tools.confirmedLine) : ["no prompt was written"]).map(
                    plain
                  )
                ].join("\n")
          )
          if (readOut.decision === "failed") return yield* new RunEnded({ code: 3 })
        })

        const place = { campaignFile: campaign.file, out: Option.getOrUndefined(input.out) }
        const reads = [
          ["the dataset", subject.dataset],
          ["the split", campaign.split],
          ["the split's ledger", ledgerFile],
          ["the campaign", campaign.file],
          ["the store", storeFile],
          ...campaign.seeds.map((seed) => ["a seed of the campaign", seed] as const)
        ] as const

        if (!input.preregister && !asked && request.again === undefined) {
          const finished = yield* tools.finishedReadOut(subject)
          const { lines } = yield* tools.soundLedger(ledgerFile)
          const open = tools.hasOpenPromise(subject, lines)
          if (finished !== undefined && !open) {
            const { openings, readOut } = finished
            yield* Console.error(
              plain(
                `run ${subject.run.id} was confirmed on ${readOut.opening.time}, and that is finished: this is its read-out, and nothing is opened, judged or bought. --again REASON is for opening the holdout once more, for another question; all reports on the split are exploratory then`
              )
            )
            const prompts =
              readOut.decision === "passed"
                ? [...tools.placesOf(readOut.preregistration.document.candidate, place).values()]
                : []
            const writes = place.out !== undefined || input.force
            yield* tools.checkOutputs({
              targets: writes ? prompts : [],
              markdown: input.markdown,
              mayReplace: true,
              reads: writes ? reads : [...reads, ...prompts.map((file) => ["the confirmed prompt", file] as const)]
            })
            const files =
              readOut.decision === "passed" ? yield* tools.confirmedFiles(readOut, openings, place, input.force) : []
            return yield* show(readOut, openings, files)
          }
        }

        const promised = yield* tools.draftPromise(subject, request, tools.defaultChoices, input.preregister)
        const holdout = tools.Holdout.layer({
          manifestFile: campaign.split,
          manifest,
          dataset: subject.dataset,
          ledger: promised.ledger
        })
        const resuming = yield* tools.isResuming(promised)
        if (!resuming) yield* Effect.provide(tools.checkHoldout(subject, promised), holdout)
        const limit = tools.holdoutLimit(manifest, promised.document)
        const tellPromise = Console.error(
          plain(
            `${promised.isNew ? "pre-registered" : "pre-registered earlier"}: ${path.relative(path.resolve("."), promised.file)} (${promised.hash.slice(0, 12)})\n${promised.document.summary}`
          )
        )
        if (input.preregister) {
          yield* tools.enterPromise(subject, promised)
          yield* tellPromise
          yield* warn(tools.limitWarnings(limit, campaign.split))
          const { lines } = yield* tools.soundLedger(ledgerFile)
          const openedBefore = lines.some(({ kind }) => kind === "unsealing" || kind === "spent")
          const seen = yield* tools.seenBefore(subject, promised.document.candidate.id, undefined)
          const standing = [
            ...(openedBefore ? ["The holdout was opened before"] : []),
            ...seen.map((one) => `Of the holdout, ${tools.seenText(one)}`)
          ]
          yield* Console.log(
            input.json
              ? json({
                  preregistration: promised.hash,
                  file: promised.file,
                  ledger: promised.ledger,
                  holdout: { ...limit, openedBefore, seen },
                  ...promised.document
                })
              : plain(
                  `${promised.file}\n${tools.gatesOf(subject, promised).map(tools.gateText).join("\n")}\n${standing.length === 0 ? `The holdout is still sealed. To open it: assize confirm ${subject.run.id}` : `${standing.join("; ")}. So what follows is exploratory. To open it: assize confirm ${subject.run.id} --again REASON`}`
                )
          )
          return
        }

        yield* tools.checkOpenings(subject, promised, request)
        yield* tools.checkOutputs({
          targets: [...tools.placesOf(promised.document.candidate, place).values()],
          markdown: input.markdown,
          mayReplace: input.force || resuming,
          reads: [...reads, ["the pre-registration", promised.file]]
        })
        // One that is gone on with may have all its answers, and then asks nobody.
        if (!resuming) yield* tools.checkConfirm(subject, request.budget)
        yield* tools.enterPromise(subject, promised)
        yield* tellPromise
        yield* tools.checkAcceptance(subject, promised)
        yield* warn(tools.limitWarnings(limit, campaign.split))
        yield* begin
        const notes = manifest.counts.holdout.pairs + manifest.counts.holdout.consultations
        const judges = 1 + promised.document.baselines.length
        yield* Console.error(
          plain(
            `opening the holdout: ${count(manifest.holdout.length, "consultation")}, ${count(manifest.counts.holdout.pairs, "pair")}; ${count(judges, "judge")} × ${count(promised.document.replicates.length, "replicate")} × at most ${count(notes, "note")} × ${count(promised.document.judge.samples, "sample")}`
          )
        )
        const { openings, readOut, warning } = yield* tools
          .confirmRun(subject, promised, request, ({ judge, seed }) =>
            Console.error(plain(`judging: ${judge}, run seed ${seed}`))
          )
          .pipe(Effect.provide(holdout))
        if (warning !== undefined) yield* warn([{ what: warning }])
        const artefacts =
          readOut.decision === "passed" ? yield* tools.writeConfirmed(readOut, openings, place, { force: true }) : []
        yield* tools.closeOpening(subject, promised, readOut)
        yield* show(readOut, openings, artefacts)
      })
    ).pipe(
      // What asked for JSON reads standard output, also where a check says no.
      Effect.tapErrorTag("GateRefused", ({ found }) => (input.json ? Console.log(json(found)) : Effect.void))
    )
  })
).pipe(
  Command.withDescription(
    "Confirm a run's winner once on the sealed holdout: pre-register, check the acceptance gate, open, test, decide"
  ),
  Command.withExamples([
    { command: "assize confirm latest", description: "The winner against the best seed, in one go" },
    {
      command: "assize confirm latest --preregister --baseline completeness --gate 3",
      description: "Only write down what will be tested; the holdout stays sealed"
    }
  ])
)
