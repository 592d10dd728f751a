import * as Console from "effect/Console"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import { checkRegular } from "../dataset/regularFile.ts"
import { inputError } from "../domain/InputError.ts"
import { json, plain } from "./output.ts"
import { packaged } from "./packaged.ts"
import { computing } from "./signals.ts"
import { existingStore, storeFlag } from "./store.ts"

const load = Effect.promise(async () => ({
  ...(await import("../campaign/openRun.ts")),
  ...(await import("../campaign/reportSources.ts")),
  ...(await import("../report/html/page.ts")),
  writeNewFile: (await import("../dataset/write.ts")).writeNewFile,
  storeLayer: (await import("../store/store.ts")).layer
}))

/** The page's script, which the build bundles. */
const clientScript = Effect.fn("clientScript")(function* () {
  const fs = yield* FileSystem.FileSystem
  const file = packaged("dist/client/report.js")
  return yield* fs.readFileString(file).pipe(
    Effect.mapError(({ message }) =>
      inputError({
        file,
        what: `the report's script is not there: ${message}`,
        hint: "In a checkout, build it with: npm run build"
      })
    )
  )
})

/** A file that is there already is written over only when an earlier report is in it; its folder must be there. */
const refuseOthers = Effect.fn("refuseOthers")(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const isThere = (place: string) => Effect.orElseSucceed(fs.exists(place), () => false)
  if (!(yield* isThere(path.dirname(path.resolve(file)))))
    return yield* inputError({ file, what: "the folder that it is to be in is not there", hint: "Make it first" })
  if (!(yield* isThere(file))) return
  yield* checkRegular(file, "the report")
  const present = yield* Effect.orElseSucceed(fs.readFileString(file), () => "")
  if (present.slice(0, 2000).includes('<meta name="generator" content="assize ')) return
  return yield* inputError({
    file,
    what: "is there already, and is no report of assize",
    hint: "Name another file with --out, or move this one away"
  })
})

const size = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`

export const report = Command.make(
  "report",
  {
    run: Argument.String("run").pipe(
      Argument.withDescription("A run's id, the beginning of one, or latest"),
      Argument.withDefault("latest")
    ),
    out: Flag.String("out").pipe(
      Flag.withAlias("o"),
      Flag.withDescription("The file to write (default: RUN.html in this folder)"),
      Flag.optional
    ),
    texts: Flag.Boolean("texts").pipe(
      Flag.withDescription(
        "Quote notes of the acceptance part, and what models wrote about them; --no-texts leaves them out, for sharing. Instructions are in the report whole"
      ),
      Flag.withDefault(true)
    ),
    json: Flag.Boolean("json").pipe(Flag.withDescription("Say as JSON what was written"), Flag.withDefault(false)),
    store: storeFlag
  },
  Effect.fn(function* (input) {
    const { findRun, reportPage, reportSources, storeLayer, writeNewFile } = yield* load
    const store = yield* existingStore(input.store)
    const script = yield* clientScript()
    yield* Effect.gen(function* () {
      const run = yield* findRun(input.run)
      const file = Option.getOrElse(input.out, () => `${run.id}.html`)
      yield* refuseOthers(file)
      const sources = yield* reportSources(run, { texts: input.texts })
      const page = yield* computing(() => reportPage(sources, script))
      // Whole or not at all: a reader that reloads never sees half a page.
      yield* writeNewFile(file, "the report", page, { force: true })
      const { texts } = sources
      const written = {
        run: run.id,
        file,
        bytes: Buffer.byteLength(page),
        texts: texts.kind === "known",
        withoutTexts: texts.kind === "not-at-hand" ? texts.why : texts.kind === "left-out" ? "--no-texts" : null,
        confirmations: sources.confirmations.length
      }
      if (texts.kind === "not-at-hand")
        yield* Console.error(`warning: the report is without note texts: ${plain(texts.why)}`)
      yield* Console.log(
        input.json
          ? json(written)
          : `wrote ${plain(file)} (${size(written.bytes)}): the report of run ${run.id}, one page for any browser, which asks for nothing over the network${written.texts ? "; it quotes notes (--no-texts leaves them out)" : ""}`
      )
    }).pipe(Effect.provide(storeLayer(store)))
  })
).pipe(
  Command.withDescription(
    "Write a run as one self-contained HTML page: verdict, course, lineage, rewards, operating points, flips, confirmation, audit, cost, settings. It works from a file, prints, and needs no network"
  ),
  Command.withExamples([
    { command: "assize report", description: "The newest run, into RUN.html" },
    { command: "assize report latest --no-texts --out share.html", description: "Without a word of the notes" }
  ])
)
