/**
 * Peak resident memory and speed of `assize data check`, `split create` and `split verify` on datasets of 200 MB, with
 * transcripts and without, and of `assize data import mts-dialog` of as much. `BENCH_MB=40` takes less. Needs the built command line.
 */
import { once } from "node:events"
import { createWriteStream, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { finished } from "node:stream/promises"
import { watched } from "./watchedTask.ts"

const bytes = Number(process.env.BENCH_MB ?? "200") * 1e6
const folder = mkdtempSync(join(tmpdir(), "assize-bench-"))

/** Xorshift. */
let state = 12345
const draw = (below: number): number => {
  state ^= state << 13
  state ^= state >>> 17
  state ^= state << 5
  return (state >>> 0) % below
}
const syllables =
  "ta ri con ment pa tient ne uro car dio lo gi ven tri cle sta tin mor phe ly ing der ma hy per ten sion é ö".split(
    " "
  )
const vocabulary = Array.from({ length: 40_000 }, () =>
  Array.from({ length: 1 + draw(4) }, () => syllables[draw(syllables.length)]).join("")
)
/** Few words often, most seldom, as Zipf has it. */
const word = (): string => vocabulary[Math.floor(vocabulary.length ** (draw(2 ** 20) / 2 ** 20)) - 1]!
const sentence = (): string => `${Array.from({ length: 6 + draw(14) }, word).join(" ")}.`
const textOf = (characters: number): string => {
  let text = sentence()
  while (text.length < characters) text += ` ${sentence()}`
  return text
}
const without = (note: string): string => {
  const sentences = note.split(". ")
  return sentences.toSpliced(draw(sentences.length - 1), 1).join(". ")
}

const consultation = (at: number, transcript: string | null) => {
  const clean = textOf(3000 + draw(3000))
  const flawed = [without(clean), without(clean)]
  return {
    id: `c${at}`,
    transcript,
    notes: [{ id: "clean", text: clean }, ...flawed.map((text, number) => ({ id: `flawed-${number}`, text }))],
    pairs: flawed.map((_, number) => ({
      id: `p${number}`,
      flawed: `flawed-${number}`,
      clean: "clean",
      class: "omission"
    }))
  }
}
const summary = (at: number) => {
  const reference = textOf(3000 + draw(3000))
  return {
    id: `s${at}`,
    dialogue_id: `${at}`,
    dialogue: textOf(5000),
    reference,
    automatic: without(reference),
    hallucination_rate: draw(3) / 4,
    omission_rate: draw(3) / 4
  }
}

const out = join(folder, "out.jsonl")
const manifest = join(folder, "split.json")
const check = (file: string) => ["data", "check", file, "--json"]
const splits = [
  { name: "split create", args: (file: string) => ["split", "create", file, "--out", manifest, "--force", "--json"] },
  { name: "split verify", args: () => ["split", "verify", manifest, "--json"] }
]
const cases = [
  {
    data: "with transcripts",
    entry: (at: number) => consultation(at, textOf(5000 + draw(4000))),
    commands: [{ name: "data check", args: check }, ...splits]
  },
  {
    data: "without",
    entry: (at: number) => consultation(at, null),
    commands: [{ name: "data check", args: check }, ...splits]
  },
  {
    data: "summaries",
    entry: summary,
    commands: [
      {
        name: "data import mts-dialog",
        args: (file: string) => ["data", "import", "mts-dialog", file, "--out", out, "--force", "--json"]
      }
    ]
  }
]

try {
  for (const { commands, data, entry } of cases) {
    const file = join(folder, "data.jsonl")
    const stream = createWriteStream(file)
    let written = 0
    for (let at = 0; written < bytes; at++) {
      const line = Buffer.from(`${JSON.stringify(entry(at))}\n`)
      written += line.length
      if (!stream.write(line)) await once(stream, "drain")
    }
    stream.end()
    await finished(stream)
    for (const { args, name } of commands) {
      const { code, peak, seconds } = await watched(args(file))
      console.log(
        `${name}, ${data}: ${(written / 1e6).toFixed(0)} MB: exit ${code}, ${peak.toFixed(0)} MB resident at most (allowed: 300 MB), ${(written / 1e6 / seconds).toFixed(1)} MB/s`
      )
      if (code !== 0) process.exitCode = 1
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
