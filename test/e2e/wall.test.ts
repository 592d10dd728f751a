import { copyFileSync, mkdirSync, readFileSync, renameSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import type { Consultation } from "../../src/domain/Dataset.ts"
import type { SplitManifest } from "../../src/domain/Split.ts"
import { assize, atEndpoint, quickstartCopy, root, simulate, temporaryFolder } from "./cli.ts"
import { assizeHere } from "./inProcess.ts"

const span = 60

/** Every run of 60 characters of the texts. */
const spansOf = (texts: Iterable<string>): ReadonlySet<string> => {
  const spans = new Set<string>()
  for (const text of texts) for (let at = 0; at + span <= text.length; at++) spans.add(text.slice(at, at + span))
  return spans
}

const firstSpanIn = (text: string, spans: ReadonlySet<string>): string | undefined => {
  for (let at = 0; at + span <= text.length; at++)
    if (spans.has(text.slice(at, at + span))) return text.slice(at, at + span)
  return undefined
}

interface Logged {
  readonly body: { readonly messages: ReadonlyArray<{ readonly content: string }> }
}

describe("the traffic of a whole campaign", () => {
  it("holds nothing of a holdout note, and its reflections nothing of an acceptance note", async () => {
    using folder = temporaryFolder()
    const log = join(folder.path, "requests.jsonl")
    const server = await simulate(["--log", log])
    try {
      const yaml = quickstartCopy(folder.path, atEndpoint(server.url))
      const ran = await assize(["run", yaml], { cwd: folder.path })
      assert.strictEqual(ran.code, 0, ran.stderr)
    } finally {
      await server.stop()
    }
    const consultations = new Map(
      readFileSync(join(root, "campaigns/quickstart/dataset.jsonl"), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Consultation)
        .map((one) => [one.id, one])
    )
    const manifest = JSON.parse(readFileSync(join(root, "splits/quickstart.json"), "utf8")) as SplitManifest
    const notesOf = (part: "train" | "acceptance" | "holdout") =>
      manifest[part].flatMap((id) => consultations.get(id)!.notes.map(({ text }) => text))
    const talksOf = (part: "train" | "acceptance" | "holdout") =>
      manifest[part].map((id) => consultations.get(id)!.transcript!)
    const holdout = spansOf([...notesOf("holdout"), ...talksOf("holdout")])
    const acceptance = spansOf([...notesOf("acceptance"), ...talksOf("acceptance")])
    const train = spansOf(notesOf("train"))

    const requests = readFileSync(log, "utf8")
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as Logged).body.messages.map(({ content }) => content).join("\n"))
    const merges = requests.filter((text) => text.includes("<second_instruction>"))
    const reflections = [...requests.filter((text) => text.includes("<current_instruction>")), ...merges]
    assert.isAbove(requests.length, 500)
    assert.isNotEmpty(merges)
    // All but the merges of two that agree, for which nobody is asked.
    assert.isAtMost(reflections.length, 30)
    assert.isAtLeast(reflections.length, 26)
    for (const request of requests) assert.isUndefined(firstSpanIn(request, holdout))
    for (const request of reflections) assert.isUndefined(firstSpanIn(request, acceptance))
    // The check can fail: the same spans are found where they belong.
    assert.isTrue(requests.some((request) => firstSpanIn(request, acceptance) !== undefined))
    assert.isTrue(reflections.some((request) => firstSpanIn(request, train) !== undefined))
    assert.isTrue(merges.some((request) => firstSpanIn(request, train) !== undefined))
  })
})

describe("a copy of the dataset in another folder", () => {
  it("is not judged whole where the campaign that is named, or a run of the store, is of a split of it", async () => {
    using folder = temporaryFolder()
    const home = join(folder.path, "home")
    const yaml = quickstartCopy(home, (text) =>
      text.replace("../../splits/", "../../kept/").replace("iterations: 30", "iterations: 1")
    )
    renameSync(join(home, "splits"), join(home, "kept"))
    const away = join(folder.path, "away")
    mkdirSync(away)
    copyFileSync(join(root, "campaigns/quickstart/dataset.jsonl"), join(away, "copy.jsonl"))
    const store = join(home, "store.sqlite")
    const ran = await assizeHere(["run", yaml, "--quiet", "--store", store], { cwd: home })
    assert.strictEqual(ran.code, 0, ran.stderr)
    const judge = ["--judge", join(home, "seeds/completeness.md")]
    for (const args of [
      ["score", "copy.jsonl", ...judge, "--campaign", yaml, "--store", "other.sqlite"],
      ["score", "copy.jsonl", ...judge, "--store", store],
      ["calibrate", "copy.jsonl", ...judge, "--campaign", yaml, "--store", "other.sqlite"],
      ["calibrate", "copy.jsonl", ...judge, "--store", store]
    ]) {
      const refused = await assizeHere(args, { cwd: away })
      assert.strictEqual(refused.code, 2, args.join(" "))
      assert.match(refused.stderr, /kept\/quickstart\.json seals/)
    }
  })
})
