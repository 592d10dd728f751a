import * as Console from "effect/Console"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import type { ConfirmedFile } from "../campaign/confirmedFiles.ts"
import { inputError, type Problem } from "../domain/InputError.ts"
import { judging } from "./judging.ts"
import { count, json, plain, warn } from "./output.ts"
import { RunEnded } from "./RunEnded.ts"
import { repeatable } from "./repeatable.ts"
import { outputProblems } from "./scoreChecks.ts"
import { storeFlag } from "./store.ts"
import { meaningless } from "./together.ts"
import { patienceFlag } from "./trouble.ts"

const load = Effect.promise(async () => ({
  ...(await import("../campaign/confirmChecks.ts")),
  ...(await import("../campaign/confirmLedger.ts")),
  ...(await import("../campaign/confirmPromise.ts")),
  ...(await import("../campaign/confirmRun.ts")),
  ...(await import("../campaign/confirmSubject.ts")),
  ...(await import("../campaign/confirmedFiles.ts")),
  ...(await import("../confirm/ledgerFile.ts")),
  ...(await import("../confirm/preregistration.ts")),
  ...(await import("../dataset/write.ts")),
  ...(await import("../report/readOutSections.ts")),
  ...(await import("../report/scoreMarkdown.ts")),
  ...(await import("./sections.ts")),
  Holdout: (await import("../confirm/holdout.ts")).Holdout
}))

const share = (
  name: string,
  value: Option.Option<number>,
  test: (value: number) => boolean,
  expected: string
): ReadonlyArray<Problem> =>
  Option.isSome(value) && !test(value.value)
    ? [{ field: `--${name}`, what: "is out of range", found: String(value.value), expected }]
    : []

export const confirm = Command.make(
  "confirm",
  {
    run: Argument.String("run").pipe(Argument.withDescription("A run by its id, by the start of it, or latest")),
    campaign: Flag.String("campaign").pipe(
      Flag.withMetavar("FILE"),
      Flag.withDescription("The run's campaign, where it was moved; it must be what the run was made with"),
      Flag.optional
    ),
    preregister: Flag.Boolean("preregister").pipe(
      Flag.withDescription("Write down what will be tested, enter it in the split's ledger, and stop there"),
      Flag.withDefault(false)
    ),
    candidate: Flag.String("candidate").pipe(
      Flag.withDescription("A candidate by name or id (default: the winner)"),
      Flag.optional
    ),
    baseline: Flag.String("baseline").pipe(
      Flag.withDescription(
        "What the candidate is held against, by name or id; repeatable, the first is the one that decides (default: the best seed)"
      ),
      repeatable
    ),
    replicates: Flag.Int("replicates").pipe(
      Flag.withDescription("How often each holdout note is judged, at run seeds 11, 22, 33, … (default: 3)"),
      Flag.optional
    ),
    gate: Flag.Finite("gate").pipe(
      Flag.withDescription(
        "Points by which the candidate must be ahead on the acceptance part, on each measure, before the holdout is opened (default: 2)"
      ),
      Flag.optional
    ),
    alpha: Flag.Finite("alpha").pipe(
      Flag.withDescription("Greatest two-sided p at which a gain on the holdout counts (default: 0.05)"),
      Flag.optional
    ),
    again: Flag.String("again").pipe(
      Flag.withMetavar("REASON"),
      Flag.withDescription(
        "Open a holdout that was opened before, and why; all reports on the split are exploratory then"
      ),
      Flag.optional
    ),
    acceptFailed: Flag.Boolean("accept-failed").pipe(
      Flag.withDescription("Read out although calls failed; their notes are left out, and counted"),
      Flag.withDefault(false)
    ),
    out: Flag.String("out").pipe(
      Flag.withMetavar("FILE"),
      Flag.withDescription(
        "Where the prompt is written if the gate is passed (default: confirmed/CANDIDATE-ID.md beside the campaign)"
      ),
      Flag.optional
    ),
    budgetCalls: Flag.Int("budget-calls").pipe(Flag.withDescription("Most calls that may be sent"), Flag.optional),
    budgetUsd: Flag.Finite("budget-usd").pipe(Flag.withDescription("Most US dollars that may be spent"), Flag.optional),
    patience: patienceFlag,
    json: Flag.Boolean("json").pipe(
      Flag.withDescription("Print the whole read-out, unrounded, as JSON"),
      Flag.withDefault(false)
    ),
    markdown: Flag.String("markdown").pipe(
      Flag.withMetavar("FILE"),
      Flag.withDescription("Write the read-out as Markdown"),
      Flag.optional
    ),
    force: Flag.Boolean("force").pipe(Flag.withDescription("Replace files that are there"), Flag.withDefault(false)),
    store: storeFlag
  },
  Effect.fn(function* (input) {
    const path = yield* Path.Path
    const fs = yield* FileSystem.FileSystem
    const problems = [
      ...share("replicates", input.replicates, (n) => n >= 1 && n <= 50, "1 to 50"),
      ...share("gate", input.gate, (n) => n >= 0 && n < 100, "points, from 0 to 100"),
      ...share("alpha", input.alpha, (n) => n > 0 && n < 1, "a number between 0 and 1"),
      ...share("budget-calls", input.budgetCalls, (n) => n >= 1, "at least 1"),
      ...share("budget-usd", input.budgetUsd, (n) => n > 0, "above 0"),
      ...(Option.exists(input.again, (reason) => reason.trim() === "")
        ? [{ field: "--again", what: "gives no reason", expected: "why the holdout is opened once more" }]
        : []),
      ...(input.preregister
        ? meaningless(
            input,
            ["again", "acceptFailed", "out", "markdown", "force", "budgetCalls", "budgetUsd", "patience"],
            "has no meaning with --preregister, which opens, judges and reads out nothing; give it to the confirmation"
          )
        : [])
    ]
    if (problems.length > 0) return yield* inputError(...problems)
    const tools = yield* load
    const asking = {
      candidate: Option.getOrUndefined(input.candidate),
      baselines: input.baseline,
      choices: {
        ...(Option.isSome(input.replicates) ? { replicates: input.replicates.value } : {}),
        ...(Option.isSome(input.alpha) ? { alpha: input.alpha.value } : {}),
        ...(Option.isSome(input.gate) ? { gate: input.gate.value / 100 } : {})
      },
      again: Option.getOrUndefined(input.again),
      acceptFailed: input.acceptFailed,
      budget: {
        ...(Option.isSome(input.budgetCalls) ? { calls: input.budgetCalls.value } : {}),
        ...(Option.isSome(input.budgetUsd) ? { usd: input.budgetUsd.value } : {})
      }
    }
    const asked =
      asking.candidate !== undefined || asking.baselines.length > 0 || Object.keys(asking.choices).length > 0

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
        yield* tools.holdLedger(tools.ledgerPath(campaign.split), manifest.name)

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
              ? json({ ...readOut, confirmatory: openings <= 1, openings, artefacts: tools.asConfirmed(files) })
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

        if (!input.preregister && !asked && request.again === undefined) {
          const finished = yield* tools.finishedReadOut(subject)
          const { lines } = yield* tools.soundLedger(tools.ledgerPath(campaign.split))
          const open = tools.hasOpenPromise(subject, lines)
          if (finished !== undefined && !open) {
            const { openings, readOut } = finished
            yield* Console.error(
              plain(
                `run ${subject.run.id} was confirmed on ${readOut.opening.time}, and that is finished: this is its read-out, and nothing is opened, judged or bought. --again REASON is for opening the holdout once more, for another question; all reports on the split are exploratory then`
              )
            )
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
        const tellPromise = Console.error(
          plain(
            `${promised.isNew ? "pre-registered" : "pre-registered earlier"}: ${path.relative(path.resolve("."), promised.file)} (${promised.hash.slice(0, 12)})\n${promised.document.summary}`
          )
        )
        if (input.preregister) {
          yield* tools.enterPromise(subject, promised)
          yield* tellPromise
          const { lines } = yield* tools.soundLedger(tools.ledgerPath(campaign.split))
          const sealed = !lines.some(({ kind }) => kind === "unsealing" || kind === "spent")
          yield* Console.log(
            input.json
              ? json({
                  preregistration: promised.hash,
                  file: promised.file,
                  ledger: promised.ledger,
                  ...promised.document
                })
              : plain(
                  `${promised.file}\n${tools.gatesOf(subject, promised).map(tools.gateText).join("\n")}\n${sealed ? `The holdout is still sealed. To open it: assize confirm ${subject.run.id}` : `The holdout was opened before, so what follows is exploratory. To open it once more: assize confirm ${subject.run.id} --again REASON`}`
                )
          )
          return
        }

        const targets = [...tools.placesOf(promised.document.candidate, place).values()]
        // What comes out is to find its place: found out before the one opening, not after.
        yield* Effect.forEach([...targets, ...Option.toArray(input.markdown)], tools.checkPlace, { discard: true })
        const clash = outputProblems({ out: Option.some(targets[0]!), markdown: input.markdown }, [
          ["the dataset", subject.dataset],
          ["the split", campaign.split],
          ["the campaign", campaign.file]
        ])
        if (clash.length > 0) return yield* inputError(...clash)
        const written = [...targets, ...Option.toArray(input.markdown)]
        const present = yield* Effect.filter(written, (name) => Effect.orElseSucceed(fs.exists(name), () => false))
        if (present.length > 0 && !input.force && !resuming) {
          return yield* inputError(
            ...present.map((name) => ({
              file: name,
              what: `${targets.includes(name) ? "the prompt" : "the read-out"} would be written here, and a file is here already`,
              hint: `Name another with ${targets.includes(name) ? "--out" : "--markdown"}, or --force to replace it`
            }))
          )
        }
        // One that is gone on with may have all its answers, and then asks nobody.
        if (!resuming) yield* tools.checkConfirm(subject, request.budget)
        yield* tools.checkOpenings(subject, promised, request)
        yield* tools.enterPromise(subject, promised)
        yield* tellPromise
        yield* tools.checkAcceptance(subject, promised)
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
