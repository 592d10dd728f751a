import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Audit } from "../../src/audit/Audit.ts"
import { wordDifference } from "../../src/dataset/difference.ts"
import type { Consultation } from "../../src/domain/Dataset.ts"
import { sha256 } from "../../src/domain/hash.ts"
import type { SplitManifest } from "../../src/domain/Split.ts"
import { closingMarker, openingMarker } from "../../src/optimise/reflectionPrompt.ts"
import { completion } from "../model/chatServer.ts"
import { assize, atEndpoint, type Finished, quickstartCopy, root, temporaryFolder } from "./cli.ts"

const dataset = readFileSync(join(root, "campaigns/quickstart/dataset.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Consultation)
const split = JSON.parse(readFileSync(join(root, "splits/quickstart.json"), "utf8")) as SplitManifest
const textsOf = ({ notes, transcript }: Consultation) => [transcript ?? "", ...notes.map(({ text }) => text)]
const partTexts = (part: "train" | "acceptance" | "holdout") =>
  dataset.filter(({ id }) => split[part].includes(id)).flatMap(textsOf)

/**
 * A sentence of a train note that the engine's own check does not know, since it looks at the notes of the classes that
 * the search is about: what an addition adds.
 */
const planted = dataset
  .filter(({ id }) => split.train.includes(id))
  .flatMap((consultation) =>
    consultation.pairs
      .filter((pair) => pair.class === "addition")
      .flatMap((pair) => {
        const text = (id: string) => consultation.notes.find((note) => note.id === id)!.text
        const added = wordDifference(text(pair.clean), text(pair.flawed)).filter(({ kind }) => kind === "added")
        return added.map((stretch) => ({ consultation: consultation.id, note: pair.flawed, text: stretch.text.trim() }))
      })
  )
  .find(({ text }) => text.match(/[\p{L}\p{N}]+/gu)!.length >= 8)!

/** A dose that the holdout alone has. */
const dose = "carvedilol 12.5 mg"

const evolved = [
  "Judge the note against the consultation: look for what is missing in it.",
  `Mind a passage such as: ${planted.text}`,
  `Doses belong in the note, as ${dose} does.`
].join("\n\n")

const omissions = new Set(
  dataset.flatMap(({ notes, pairs }) =>
    pairs.flatMap((pair) => (pair.class === "omission" ? [notes.find(({ id }) => id === pair.flawed)!.text] : []))
  )
)

const harsh = "Judge the note against the consultation, and be harsh."
const trainTexts = new Set(partTexts("train"))

/**
 * The judge's score: with the evolved instruction the truth, with any other chance. The harsh one looks good on train,
 * so that it is accepted; elsewhere it is some two points lower and knows nothing more.
 */
const scoreFor = (prompt: string): number => {
  const note = /<note>\n([\s\S]*?)\n<\/note>/.exec(prompt)?.[1] ?? ""
  const instruction = /<instruction>\n([\s\S]*?)\n<\/instruction>/.exec(prompt)?.[1] ?? ""
  const luck = (Number.parseInt(sha256(note).slice(0, 6), 16) % 31) / 10
  const isHarsh = instruction.includes("be harsh")
  if (instruction.includes("look for what is missing") || (isHarsh && trainTexts.has(note)))
    return omissions.has(note) ? 5 : 8
  const harshness = 1.5 + (Number.parseInt(sha256(note).slice(6, 8), 16) % 6) / 10
  return 6.5 + luck - (isHarsh ? harshness : 0)
}

let reflections = 0
const server = createServer((incoming, response) => {
  const chunks: Array<Buffer> = []
  incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
  incoming.on("end", () => {
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { messages: ReadonlyArray<{ content: string }> }
    const prompt = body.messages.map(({ content }) => content).join("\n\n")
    const reply = prompt.includes(openingMarker)
      ? `${openingMarker}\n${reflections++ === 0 ? harsh : evolved}\n${closingMarker}`
      : JSON.stringify({ reason: "as it stands", score: scoreFor(prompt) })
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(completion(reply)))
  })
})

const audited = ({ stderr, stdout }: Finished): Audit => {
  try {
    return JSON.parse(stdout) as Audit
  } catch {
    throw new Error(stderr)
  }
}
const open = ({ leakage }: Audit) => leakage.leaks.filter(({ excuse }) => excuse === null)

describe("the audit of a campaign whose reflector copies from the data", () => {
  let url = ""
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  it("quotes the train sentence at once, and the holdout's dose once the holdout has been opened, each with its source", {
    timeout: 120_000
  }, async () => {
    using folder = temporaryFolder()
    const cwd = folder.path
    const run = (...args: ReadonlyArray<string>) => assize(args, { cwd })
    for (const part of ["train", "acceptance"] as const)
      assert.isFalse(partTexts(part).some((text) => text.toLowerCase().includes("carvedilol")))
    const yaml = quickstartCopy(cwd, (text) => atEndpoint(`${url}/v1`)(text).replace("iterations: 30", "iterations: 3"))
    const ended = await run("run", yaml, "--quiet")
    assert.strictEqual(ended.code, 0, ended.stderr)

    const before = await run("audit", "latest", "--resamples", "1000")
    assert.strictEqual(before.code, 3, before.stderr)
    assert.include(before.stdout, planted.text.slice(0, 40))
    assert.include(before.stdout, `train, consultation ${planted.consultation}, note ${planted.note}`)
    assert.include(before.stdout, "holdout: NOT looked at: sealed")
    assert.notInclude(before.stdout, "“carvedilol 12.5 mg”")
    const first = audited(await run("audit", "latest", "--json"))
    assert.isTrue(open(first).every(({ sources }) => sources.every(({ part }) => part !== "holdout")))

    // The better judge is called one, and the one that is merely harsher is not.
    const [better, harsher] = [evolved, harsh].map((text) => {
      const { id } = first.lineage.nodes.find(({ instructions }) => instructions["judge"] === text)!
      return first.separation!.find(({ candidate }) => candidate === id)!
    })
    assert.strictEqual(better!.verdict, "separation")
    assert.isAbove(better!.paired.interval![0], 0)
    assert.strictEqual(harsher!.verdict, "relocation")
    assert.isBelow(harsher!.meanScore.clean.interval![1], 0)
    assert.isAtMost(harsher!.paired.interval![0], 0)

    const confirmed = await run("confirm", "latest", "--replicates", "1")
    assert.strictEqual(confirmed.code, 0, confirmed.stderr + confirmed.stdout)
    const after = await run("audit", "latest", "--json")
    assert.strictEqual(after.code, 3, after.stderr)
    const leaks = open(audited(after))
    const words = leaks.find(({ kind }) => kind === "words")!
    assert.include(
      words.sources.map(({ consultation, note, part }) => `${part} ${consultation} ${note}`).join("\n"),
      `train ${planted.consultation} ${planted.note}`
    )
    const number = leaks.find(({ shared }) => shared === dose)!
    assert.deepStrictEqual(
      number.found.map(({ part }) => part),
      ["holdout"]
    )
    assert.isTrue(
      number.sources.length > 0 &&
        number.sources.every(({ part, quote }) => part === "holdout" && /carvedilol/i.test(quote))
    )
    assert.include(split.holdout, number.sources[0]!.consultation)
  })

  it("finds none on a clean quickstart, says what each paragraph carries, and asks for it within a budget", {
    timeout: 120_000
  }, async () => {
    using folder = temporaryFolder()
    const cwd = folder.path
    const run = (...args: ReadonlyArray<string>) => assize(args, { cwd })
    const yaml = quickstartCopy(cwd, (text) => text.replace("iterations: 30", "iterations: 9"))
    assert.strictEqual((await run("run", yaml, "--quiet")).code, 0)

    const refused = await run("audit", "--ablate", "--budget-calls", "3")
    assert.strictEqual(refused.code, 4, refused.stderr)
    assert.match(refused.stderr, /plan: .* added paragraphs × 43 notes .* call.* to send/)
    const shown = await run("audit", "--ablate", "--json")
    assert.strictEqual(shown.code, 0, shown.stderr)
    const audit = audited(shown)
    assert.strictEqual(audit.leakage.count, 0)
    assert.isTrue(audit.leakage.others.every(({ leaks }) => leaks === 0))
    const { paragraphs, value } = audit.ablation!
    assert.isAtLeast(paragraphs.length, 2)
    for (const { carries, place, text } of paragraphs) {
      assert.closeTo(carries.after!, value!, 1e-12)
      assert.closeTo(carries.difference!, carries.after! - carries.before!, 1e-12)
      assert.include(audit.lineage.nodes.find(({ id }) => id === place.candidate)!.instructions["judge"], text)
    }
    const differences = paragraphs.map(({ carries }) => carries.difference!)
    assert.deepStrictEqual(
      differences,
      [...differences].sort((a, b) => b - a)
    )
    // What was bought once is in the store: the same command sends nothing.
    assert.match((await run("audit", "--ablate")).stderr, /; 0 calls to send/)
  })

  it("audits a prompt file from anywhere, and another tool's search, with exit codes of their own", {
    timeout: 120_000
  }, async () => {
    using folder = temporaryFolder()
    const cwd = folder.path
    const run = (...args: ReadonlyArray<string>) => assize(args, { cwd })
    quickstartCopy(cwd)
    const data = ["--dataset", "campaigns/quickstart/dataset.jsonl"]
    writeFileSync(join(cwd, "prompt.md"), `${evolved}\n\nAnswer in JSON. \u001b[31mBeware of {{note}}`)
    writeFileSync(join(cwd, "seed.md"), "Judge the note against the consultation: look for what is missing in it.")

    const sealed = await run("audit", "prompt.md", ...data)
    assert.strictEqual(sealed.code, 2, sealed.stdout)
    assert.include(sealed.stderr, "--split splits/quickstart.json")
    const found = await run(
      "audit",
      "prompt.md",
      ...data,
      "--split",
      "splits/quickstart.json",
      "--seed-prompt",
      "seed.md"
    )
    assert.strictEqual(found.code, 3, found.stderr)
    assert.include(found.stdout, planted.text.slice(0, 40))
    assert.include(found.stdout, "{{note}}")
    assert.notInclude(found.stdout, "\u001b")
    assert.isFalse(existsSync(join(cwd, ".assize")))
    const clean = await run("audit", "seed.md", ...data, "--split", "splits/quickstart.json")
    assert.strictEqual(clean.code, 0, clean.stderr + clean.stdout)

    const line = (value: object) => `${JSON.stringify(value)}\n`
    writeFileSync(
      join(cwd, "lineage.jsonl"),
      line({
        event: "candidate",
        leg: "mono",
        id: 0,
        name: "s\u001b[2J",
        kind: "seed",
        parent: null,
        iter: 0,
        instruction: "Judge.",
        vec: { paired_omit: 0.6 }
      }) +
        line({
          event: "candidate",
          leg: "mono",
          id: 1,
          name: "m",
          kind: "mutation",
          parent: 0,
          iter: 1,
          instruction: "Judge well.",
          vec: { paired_omit: 0.7 }
        })
    )
    const lineage = await run("audit", "--lineage", "lineage.jsonl")
    assert.strictEqual(lineage.code, 0, lineage.stderr)
    assert.include(lineage.stdout, "Judge {+well+} .")
    assert.include(lineage.stdout, "separation: the file has no judgements of single notes")
    assert.notInclude(lineage.stdout, "\u001b")

    const gepa = join(cwd, "gepa")
    mkdirSync(gepa)
    writeFileSync(join(gepa, "candidates.json"), JSON.stringify([{ judge: "Judge." }, { judge: "Judge well." }]))
    writeFileSync(
      join(gepa, "run_log.json"),
      JSON.stringify([{ i: 0, selected_program_candidate: 0, new_program_idx: 1 }])
    )
    writeFileSync(join(gepa, "gepa_state.bin"), "never opened")
    const folderShown = await run("audit", "--lineage", "gepa", "--json")
    assert.strictEqual(folderShown.code, 0, folderShown.stderr)
    assert.deepStrictEqual(audited(folderShown).lineage.path, ["0", "1"])

    const linked = join(cwd, "linked")
    mkdirSync(linked)
    symlinkSync(join(gepa, "candidates.json"), join(linked, "candidates.json"))
    writeFileSync(join(linked, "run_log.json"), "[]")
    const refused = await run("audit", "--lineage", "linked")
    assert.strictEqual(refused.code, 2)
    assert.match(refused.stderr, /linked\/candidates\.json: is a symbolic link that leads out of the run folder/)
    // The folder itself may be a link.
    symlinkSync(gepa, join(cwd, "link-to-gepa"))
    assert.strictEqual((await run("audit", "--lineage", "link-to-gepa", "--json")).code, 0)

    for (const bad of [
      ["audit", "--lineage", "lineage.jsonl", "--candidate", "nobody"],
      ["audit", "--lineage", "lineage.jsonl", "--ablate"],
      ["audit", "latest"]
    ])
      assert.strictEqual((await run(...bad)).code, 2, bad.join(" "))
  })
})
