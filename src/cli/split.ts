import * as Console from "effect/Console"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import * as Result from "effect/Result"
import { fewData } from "../dataset/fewData.ts"
import { InputError, inputError, type Problem } from "../domain/InputError.ts"
import { type Fractions, partNames, type SplitManifest, thirds } from "../domain/Split.ts"
import { count, json, plain, warn } from "./output.ts"
import { outputProblems } from "./outputs.ts"
import { RunEnded } from "./RunEnded.ts"
import { repeatable } from "./repeatable.ts"
import { computing } from "./signals.ts"
import { seenElsewhere, seenWarnings } from "./splitSeen.ts"
import { storeFile, storeFlag } from "./store.ts"
import { table } from "./table.ts"

const asJson = Flag.Boolean("json").pipe(Flag.withDescription("Print the result as JSON"), Flag.withDefault(false))
const manifestFile = Argument.String("manifest").pipe(Argument.withDescription("A split manifest (splits/*.json)"))

const files = Effect.promise(async () => ({
  ...(await import("../dataset/byteSpool.ts")),
  ...(await import("../dataset/read.ts")),
  ...(await import("../split/manifestFile.ts")),
  ...(await import("./scoreMemory.ts"))
}))

const caught = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.flatMap(files, ({ catchSpoolFailure }) => catchSpoolFailure(work))

/** `0.3`, or `1/3`. */
const parseShare = (text: string): number => {
  const [, above, below] = /^\s*(\d+)\s*\/\s*(\d+)\s*$/.exec(text) ?? []
  return above === undefined ? (text.trim() === "" ? Number.NaN : Number(text)) : Number(above) / Number(below)
}

const parseFractions = (text: string): Fractions | undefined => {
  const shares = text.split(",").map(parseShare)
  if (shares.length !== 3 || shares.some((share) => !Number.isFinite(share))) return undefined
  return { train: shares[0]!, acceptance: shares[1]!, holdout: shares[2]! }
}

/** The parts side by side: one row a part, one column a count. */
const countsTable = (manifest: SplitManifest): string => {
  const columnsOf = (kind: "class" | "trace" | "severity" | "stratum") =>
    [...new Set(partNames.flatMap((part) => Object.keys(manifest.counts[part][kind])))].sort()
  const values = (["class", "trace", "severity", "stratum"] as const).flatMap((kind) =>
    columnsOf(kind).map((value) => ({ kind, value }))
  )
  return table([
    ["", ...partNames],
    ["consultations", ...partNames.map((part) => manifest.counts[part].consultations)],
    ["pairs", ...partNames.map((part) => manifest.counts[part].pairs)],
    ["partial omissions", ...partNames.map((part) => manifest.counts[part].partial)],
    ...values.map(({ kind, value }) => [
      `${kind} ${value}`,
      ...partNames.map((part) => manifest.counts[part][kind][value] ?? 0)
    ])
  ])
}

const fewInParts = (manifest: SplitManifest, file: string): ReadonlyArray<Problem> =>
  partNames.flatMap((part) => fewData(part, manifest.counts[part]).map((problem) => ({ ...problem, file })))

const describe = (manifest: SplitManifest): string =>
  [
    plain(
      `split ${manifest.name} of ${manifest.dataset.path}, seed ${manifest.seed}, fractions ${partNames.map((part) => Number(manifest.fractions[part].toFixed(4))).join(", ")}`
    ),
    countsTable(manifest),
    `excluded: ${count(manifest.exclusions.consultations.length, "consultation")}, ${count(manifest.exclusions.pairs.length, "pair")}`,
    `hash ${manifest.hash}`
  ].join("\n")

const create = Command.make(
  "create",
  {
    dataset: Argument.String("dataset").pipe(Argument.withDescription("A dataset: JSON, one consultation a line")),
    out: Flag.String("out").pipe(Flag.withAlias("o"), Flag.withDescription("The manifest to write (splits/NAME.json)")),
    name: Flag.String("name").pipe(
      Flag.withDescription("The split's name (default: the manifest's file name)"),
      Flag.optional
    ),
    seed: Flag.Int("seed").pipe(
      Flag.withDescription("Chooses among all fair splits (default 11)"),
      Flag.withDefault(11)
    ),
    fractions: Flag.String("fractions").pipe(
      Flag.withDescription("Shares of train, acceptance and holdout, such as 0.4,0.3,0.3 (default: a third each)"),
      Flag.optional
    ),
    exclude: Flag.String("exclude").pipe(
      Flag.withDescription(
        "What earlier optimisation has seen: an earlier manifest, JSON with consultations and pairs, or ids a line; may be given again"
      ),
      repeatable
    ),
    force: Flag.Boolean("force").pipe(
      Flag.withDescription("Replace a manifest that is there already"),
      Flag.withDefault(false)
    ),
    json: asJson
  },
  Effect.fn(function* (input) {
    const path = yield* Path.Path
    const fractions = Option.isNone(input.fractions) ? thirds : parseFractions(input.fractions.value)
    if (fractions === undefined) {
      return yield* inputError({
        field: "--fractions",
        what: "not three numbers",
        found: Option.getOrThrow(input.fractions),
        expected: "three numbers with commas, such as 0.4,0.3,0.3 or 1/3,1/3,1/3"
      })
    }
    const clash = outputProblems({ out: Option.some(input.out) }, [
      ["the dataset", input.dataset],
      ...input.exclude.map((file) => ["--exclude", file] as const)
    ])
    if (clash.length > 0) return yield* inputError(...clash)
    const { manifestText, openDataset, saveMemory } = yield* files
    const { createSplit } = yield* Effect.promise(() => import("../split/create.ts"))
    const { readExclusions } = yield* Effect.promise(() => import("../split/exclusionFile.ts"))
    const { writeNewFile } = yield* Effect.promise(() => import("../dataset/write.ts"))
    yield* saveMemory([input.dataset])
    const dataset = yield* openDataset(input.dataset)
    yield* warn(dataset.warnings)
    const lists = yield* Effect.forEach(input.exclude, (file) => readExclusions(file, dataset.consultations))
    const relative = path.relative(path.dirname(path.resolve(input.out)), dataset.path).replaceAll("\\", "/")
    const result = yield* computing(() =>
      createSplit({
        name: Option.getOrElse(input.name, () => path.parse(input.out).name),
        dataset: { path: relative, sha256: dataset.sha256, consultations: dataset.consultations },
        seed: input.seed,
        fractions,
        exclusions: {
          consultations: lists.flatMap((list) => list.consultations),
          pairs: lists.flatMap((list) => list.pairs)
        }
      })
    )
    if (Result.isFailure(result)) return yield* new InputError({ problems: result.failure })
    yield* writeNewFile(input.out, "the split manifest", manifestText(result.success), { force: input.force })
    yield* warn([
      ...fewInParts(result.success, input.out),
      ...(yield* seenWarnings({ file: input.out, manifest: result.success, dataset: dataset.path }))
    ])
    yield* Console.log(input.json ? json(result.success) : `${describe(result.success)}\nwrote ${plain(input.out)}`)
  }, caught)
).pipe(
  Command.withDescription("Split a dataset by consultation into train, acceptance and holdout, and seal the split"),
  Command.withExamples([
    {
      command: "assize split create data.jsonl --out splits/mine.json",
      description: "A third each"
    }
  ])
)

/** What the workspace's store remembers of the ledger; nothing where there is no store. */
const anchorsOf = Effect.fnUntraced(function* (asked: Option.Option<string>, split: string) {
  const fs = yield* FileSystem.FileSystem
  const file = yield* storeFile(asked)
  if (!(yield* Effect.orElseSucceed(fs.exists(file), () => false))) return []
  const { layer } = yield* Effect.promise(() => import("../store/store.ts"))
  const { Confirmations } = yield* Effect.promise(() => import("../store/Confirmations.ts"))
  return yield* Confirmations.use((confirmations) => confirmations.anchors(split)).pipe(Effect.provide(layer(file)))
})

const verify = Command.make(
  "verify",
  {
    manifest: manifestFile,
    dataset: Flag.String("dataset").pipe(
      Flag.withDescription("The dataset, where it is not at the manifest's path"),
      Flag.optional
    ),
    restore: Flag.Boolean("restore").pipe(
      Flag.withDescription("Write the pre-registrations again as the ledger holds them"),
      Flag.withDefault(false)
    ),
    store: storeFlag,
    json: asJson
  },
  Effect.fn(function* (input) {
    const { datasetOf, manifestText, openDataset, readManifest, saveMemory } = yield* files
    const { readTextFile } = yield* Effect.promise(() => import("../dataset/textFile.ts"))
    const { verifySplit } = yield* Effect.promise(() => import("../split/verify.ts"))
    const { ledgerPath, readLedger } = yield* Effect.promise(() => import("../confirm/ledgerFile.ts"))
    const { tornWarnings } = yield* Effect.promise(() => import("../confirm/ledgerText.ts"))
    const { isConfirmatory, linesOf, missingLines, openings } = yield* Effect.promise(
      () => import("../confirm/verifyLedger.ts")
    )
    const { ledgerProblems, restorePreregistrations } = yield* Effect.promise(
      () => import("../campaign/ledgerProblems.ts")
    )
    const manifest = yield* readManifest(input.manifest)
    const datasetFile = Option.isSome(input.dataset) ? input.dataset.value : yield* datasetOf(input.manifest, manifest)
    yield* saveMemory([datasetFile])
    const dataset = yield* openDataset(datasetFile)
    const ledgerFile = ledgerPath(input.manifest)
    const ledger = yield* readLedger(ledgerFile)
    const { lines } = ledger
    if (input.restore && ledger.problems.length === 0) {
      const restored = yield* restorePreregistrations(input.manifest, lines)
      yield* Effect.forEach(restored, (file) => Console.error(`restored ${plain(file)}`), { discard: true })
    }
    const found = yield* computing(() => verifySplit(manifest, dataset))
    const problems: ReadonlyArray<Problem> = [
      ...found.map((problem): Problem => ({ ...problem, file: input.manifest })),
      ...ledger.problems,
      ...(yield* ledgerProblems(input.manifest, manifest, lines)),
      ...missingLines(lines, yield* anchorsOf(input.store, manifest.hash)).map((problem) => ({
        ...problem,
        file: ledgerFile
      }))
    ]
    if (manifestText(manifest) !== (yield* readTextFile(input.manifest, "the split manifest"))) {
      yield* warn([{ file: input.manifest, what: "the manifest was changed in its layout: its fields are the same" }])
    }
    yield* warn(tornWarnings(ledger, ledgerFile))
    const opened = openings(lines, manifest.hash)
    const seen = yield* seenElsewhere({ file: input.manifest, manifest, dataset: dataset.path }, opened[0]?.time)
    yield* warn(seen.warnings)
    if (input.json)
      yield* Console.log(
        json({
          manifest: input.manifest,
          dataset: dataset.path,
          hash: manifest.hash,
          ledger: {
            file: ledgerFile,
            lines: lines.length,
            head: lines.at(-1)?.hash ?? null,
            preregistrations: linesOf(lines, "preregistration").length,
            openings: opened.map((line) => ({
              time: line.time,
              user: line.user,
              purpose: line.purpose,
              candidate: line.kind === "unsealing" ? line.candidate : null,
              again: line.kind === "unsealing" ? line.again : null
            })),
            seen: seen.seen,
            confirmatory: isConfirmatory(lines, manifest.hash) && seen.seen.length === 0
          },
          ok: problems.length === 0,
          problems
        })
      )
    if (problems.length > 0) {
      // A check that says no, and not a wrong input: the code is 3.
      yield* Console.error(new InputError({ problems }).message)
      return yield* new RunEnded({ code: 3 })
    }
    if (!input.json)
      yield* Console.log(
        plain(
          `${input.manifest} holds: ${partNames.map((part) => `${part} ${manifest[part].length}`).join(", ")}; hash ${manifest.hash}`
        ) +
          plain(
            lines.length === 0
              ? "\nits holdout has never been opened: there is no ledger yet"
              : `\n${ledgerFile} holds: ${count(lines.length, "line")}, ${count(linesOf(lines, "preregistration").length, "pre-registration")}; the holdout ${opened.length === 0 ? "has never been opened" : opened.length === 1 ? `was opened once, on ${opened[0]!.time} by ${opened[0]!.user}` : `was opened ${opened.length} times: reports on it are exploratory`}; head ${lines.at(-1)!.hash}`
          )
      )
  }, caught)
).pipe(
  Command.withDescription(
    "Check a sealed split against its dataset, and its ledger: hashes, disjointness, coverage, exclusions, the chain. Exits with 3 when something is not what was sealed"
  )
)

const show = Command.make(
  "show",
  { manifest: manifestFile, json: asJson },
  Effect.fn(function* (input) {
    const { readManifest } = yield* files
    const { manifestProblems } = yield* Effect.promise(() => import("../split/verify.ts"))
    const manifest = yield* readManifest(input.manifest)
    yield* warn([
      ...manifestProblems(manifest).map((problem) => ({ ...problem, file: input.manifest })),
      ...fewInParts(manifest, input.manifest)
    ])
    yield* Console.log(input.json ? json(manifest) : describe(manifest))
  })
).pipe(Command.withDescription("Show what each part of a split holds"))

export const split = Command.make("split").pipe(
  Command.withDescription("Consultation-disjoint, stratified, sealed splits"),
  Command.withSubcommands([create, verify, show])
)
