import * as Console from "effect/Console"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Result from "effect/Result"
import { InputError, inputError } from "../domain/InputError.ts"
import { thirds } from "../domain/Split.ts"
import { plain } from "./output.ts"
import { packaged } from "./packaged.ts"

export const init = Command.make(
  "init",
  {
    folder: Argument.String("dir").pipe(
      Argument.withDescription("The folder to make the campaign in (default: this one)"),
      Argument.withDefault(".")
    ),
    force: Flag.Boolean("force").pipe(
      Flag.withDescription("Replace files that are there already"),
      Flag.withDefault(false)
    )
  },
  Effect.fn(function* ({ folder, force }) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const { campaignJsonSchema } = yield* Effect.promise(() => import("../campaign/jsonSchema.ts"))
    const { scaffoldSeeds, scaffoldYaml } = yield* Effect.promise(() => import("../campaign/scaffold.ts"))
    const { readDataset } = yield* Effect.promise(() => import("../dataset/read.ts"))
    const { createSplit } = yield* Effect.promise(() => import("../split/create.ts"))
    const { manifestText } = yield* Effect.promise(() => import("../split/manifestFile.ts"))
    const { checkRegular } = yield* Effect.promise(() => import("../dataset/regularFile.ts"))
    const { ofText, writeTogether } = yield* Effect.promise(() => import("../dataset/writeTogether.ts"))

    const data = yield* readDataset(packaged("campaigns/quickstart/dataset.jsonl"))
    const split = createSplit({
      name: "split",
      dataset: { path: "dataset.jsonl", sha256: data.sha256, consultations: data.consultations },
      seed: 11,
      // Ten consultations each: fewer would have no intervals.
      fractions: thirds
    })
    if (Result.isFailure(split)) return yield* new InputError({ problems: split.failure })
    const name = path.basename(path.resolve(folder)) || "campaign"
    const shipped = (file: string) =>
      fs
        .readFileString(packaged(file))
        .pipe(
          Effect.mapError(() =>
            inputError({ file: packaged(file), what: "a file of the package is missing", hint: "Install assize again" })
          )
        )
    const files: ReadonlyArray<readonly [string, string]> = [
      ["campaign.yaml", scaffoldYaml(name)],
      ["campaign.schema.json", `${JSON.stringify(campaignJsonSchema(), undefined, 2)}\n`],
      ["dataset.jsonl", yield* shipped("campaigns/quickstart/dataset.jsonl")],
      ["split.json", manifestText(split.success)],
      ...(yield* Effect.forEach(scaffoldSeeds, (seed) =>
        Effect.map(shipped(`seeds/${seed}.md`), (text) => [`seeds/${seed}.md`, text] as const)
      )),
      [".gitignore", ".assize/\n"]
    ]
    if (!force) {
      const present = yield* Effect.filter(files, ([file]) =>
        Effect.orElseSucceed(fs.exists(path.join(folder, file)), () => false)
      )
      if (present.length > 0) {
        return yield* inputError({
          file: folder,
          what: `holds ${present.map(([file]) => file).join(", ")} already: nothing is overwritten`,
          hint: "Choose another folder, or --force to replace them"
        })
      }
    }
    for (const [file] of files) yield* checkRegular(path.join(folder, file), "the file")
    yield* writeTogether(
      folder,
      (put) => Effect.forEach(files, ([file, text]) => put(file, ofText(text)), { discard: true }),
      () => Effect.void
    )
    const enter = folder === "." ? "" : `cd ${plain(folder)} && `
    yield* Console.log(
      [
        ...files
          .filter(([file]) => !file.startsWith("seeds/"))
          .map(([file]) => `wrote ${plain(path.join(folder, file))}`),
        `wrote ${scaffoldSeeds.length} seed prompts in ${plain(path.join(folder, "seeds"))}`,
        "",
        "The campaign runs as it is, offline, on fictional data:",
        `  ${enter}assize plan campaign.yaml`,
        `  ${enter}assize run campaign.yaml`,
        "campaign.yaml says in its comments how to put in your own data and models."
      ].join("\n")
    )
  })
).pipe(
  Command.withDescription(
    "Make a campaign that runs as it is: commented YAML, seed prompts, example data and its split"
  ),
  Command.withExamples([{ command: "assize init my-campaign", description: "In a folder of its own" }])
)
