import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Stream from "effect/Stream"
import { readTextFile } from "../dataset/textFile.ts"
import type { SplitManifest } from "../domain/Split.ts"
import { readManifest } from "../split/manifestFile.ts"
import { parseYaml } from "./yamlDocument.ts"

/** A split manifest that is known of. */
export interface KnownSplit {
  /** Relative to the working folder. */
  readonly file: string
  readonly manifest: SplitManifest
}

const formatMark = "assize-split/"
const markWithin = 256

/** The files of a folder with one of the extensions; none of a folder that is not there or may not be read. */
const filesIn = Effect.fnUntraced(function* (folder: string, extensions: ReadonlyArray<string>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const names = yield* Effect.orElseSucceed(fs.readDirectory(folder), (): Array<string> => [])
  return names
    .filter((name) => extensions.includes(path.extname(name).toLowerCase()))
    .sort()
    .map((name) => path.join(folder, name))
})

/** Whether a file begins as a split manifest does. Datasets lie in the same folders and are too large to be read for it. */
const looksLikeManifest = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  // A pipe would be waited for without end.
  const isFile = yield* fs.stat(file).pipe(
    Effect.map(({ type }) => type === "File"),
    Effect.orElseSucceed(() => false)
  )
  if (!isFile) return false
  const bytes = yield* fs.stream(file, { bytesToRead: markWithin }).pipe(
    Stream.runCollect,
    Effect.orElseSucceed((): Array<Uint8Array> => [])
  )
  const decoder = new TextDecoder()
  return bytes.some((chunk) => decoder.decode(chunk).includes(formatMark))
})

/** The split that a campaign file names; undefined where it cannot be read, whatever else is wrong with it. */
const splitOfCampaign = Effect.fnUntraced(function* (file: string) {
  const path = yield* Path.Path
  const text = yield* Effect.option(readTextFile(file, "the campaign file"))
  if (text._tag === "None") return undefined
  const value: unknown = parseYaml(text.value, file).document?.value
  const split = typeof value === "object" && value !== null ? (value as { readonly split?: unknown }).split : undefined
  return typeof split === "string" && split !== "" ? path.resolve(path.dirname(file), split) : undefined
})

/**
 * The splits that are known around a dataset, whatever they are of: manifests beside it, in a `splits` folder beside or
 * above it or above the working folder, those of campaigns in its folder, and those of the campaign files given (of runs
 * in a store), and manifests in the further folders. What cannot be read is none.
 */
export const knownSplits = Effect.fn("knownSplits")(function* (
  dataset: string,
  campaigns: ReadonlyArray<string>,
  folders: ReadonlyArray<string> = []
): Effect.fn.Return<ReadonlyArray<KnownSplit>, never, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  const folder = path.dirname(path.resolve(dataset))
  const above = (from: string): ReadonlyArray<string> =>
    path.dirname(from) === from ? [from] : [from, ...above(path.dirname(from))]
  const places = [
    ...folders,
    folder,
    ...new Set([...above(folder), ...above(path.resolve("."))].map((one) => path.join(one, "splits")))
  ]
  const lying = yield* Effect.forEach(places, (place) => filesIn(place, [".json"]))
  const beside = yield* filesIn(folder, [".yaml", ".yml"])
  const named = yield* Effect.forEach([...new Set([...beside, ...campaigns])], splitOfCampaign)
  const candidates = [...new Set([...lying.flat(), ...named.flatMap((file) => file ?? [])])]
  const found: Array<KnownSplit> = []
  for (const file of candidates) {
    if (!(yield* looksLikeManifest(file))) continue
    const manifest = yield* Effect.option(readManifest(file))
    if (manifest._tag === "None") continue
    found.push({ file: path.relative(path.resolve("."), file), manifest: manifest.value })
  }
  return found
})
