/**
 * Peak resident memory and time of `assize score --scores` over tables of 200 MB: rows with long ids, the shortest rows
 * there are, the same with scores that are all different, and CSV. Needs the built command line.
 */
import { once } from "node:events"
import { createWriteStream, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { finished } from "node:stream/promises"
import { watched } from "./watchedTask.ts"

const bytes = 200e6
const folder = mkdtempSync(join(tmpdir(), "assize-bench-"))

interface Shape {
  readonly name: string
  readonly file: string
  readonly header?: string
  readonly rowsEach: number
  readonly consultation: (at: number) => string
  /** Rows after which the table ends, where not at its 200 MB. */
  readonly most?: number
  /** The exit code that is due. */
  readonly code: number
}

const score = (at: number, note: number) => (at * 7 + note * 3) % 11

/** Consultations of one clean note and four flawed ones, under long ids as exports have them. */
const long = (at: number): string => {
  const consultation = `consultation-${String(at).padStart(8, "0")}-${"x".repeat(60)}`
  return [0, 1, 2, 3, 4]
    .map((note) => {
      const clean = note === 0 ? "" : `${consultation}|clean`
      const id = note === 0 ? `${consultation}|clean` : `${consultation}|flawed-${note}`
      const row = { consultation, note: id, clean, class: note === 0 ? "" : "omission", judge: "only", replicate: "11" }
      return `${JSON.stringify({ ...row, score: score(at, note) })}\n`
    })
    .join("")
}

const short = (at: number, [clean, flawed]: readonly [number, number]): string =>
  `{"consultation":"c${at}","note":"n","score":${clean}}\n{"consultation":"c${at}","note":"f","clean":"n","score":${flawed}}\n`

const cells = (at: number): string => `${at},n,,${score(at, 0)}\n${at},f,n,${score(at, 1)}\n`

const csv = { header: "consultation,note,clean,score\n", rowsEach: 2, consultation: cells }

const shapes: ReadonlyArray<Shape> = [
  { name: "JSONL, long ids", file: "long.jsonl", rowsEach: 5, consultation: long, code: 0 },
  {
    name: "JSONL, shortest rows",
    file: "short.jsonl",
    rowsEach: 2,
    consultation: (at) => short(at, [score(at, 0), score(at, 1)]),
    code: 0
  },
  {
    name: "JSONL, short rows, all scores different",
    file: "different.jsonl",
    rowsEach: 2,
    consultation: (at) => short(at, [(at * 7919) / 2 ** 20, (at * 7907) / 2 ** 20]),
    code: 0
  },
  { name: "CSV, as many rows as are read", file: "most.csv", ...csv, most: 4_000_000, code: 0 },
  { name: "CSV, refused for its rows", file: "refused.csv", ...csv, code: 2 }
]

const writeTable = async (
  file: string,
  { consultation, header, most, rowsEach }: Shape
): Promise<readonly number[]> => {
  const out = createWriteStream(file)
  let written = 0
  let rows = 0
  let block = header ?? ""
  for (let at = 0; written < bytes && rows < (most ?? Number.POSITIVE_INFINITY); at++) {
    block += consultation(at)
    rows += rowsEach
    if (block.length < 1 << 16) continue
    written += block.length
    if (!out.write(block)) await once(out, "drain")
    block = ""
  }
  out.end(block)
  await finished(out)
  return [(written + block.length) / 1e6, rows]
}

const measure = async (shape: Shape): Promise<boolean> => {
  const file = join(folder, shape.file)
  const [megabytes, rows] = await writeTable(file, shape)
  const args = ["score", "--scores", file, "--resamples", "1000", "--json"]
  const { code, peak, seconds } = await watched(args, shape.code !== 0)
  rmSync(file)
  console.log(
    `${shape.name}: ${megabytes!.toFixed(0)} MB, ${rows} rows: exit ${code}, ${peak.toFixed(0)} MB resident at most (allowed: 300 MB), ${seconds.toFixed(1)} s`
  )
  return code === shape.code
}

try {
  for (const shape of shapes) if (!(await measure(shape))) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
