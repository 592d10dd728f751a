/** Peak resident memory and time of `assize score --scores` over a JSONL table of 200 MB. Needs the built command line. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { finished } from "node:stream/promises"
import { fileURLToPath } from "node:url"

const bytes = 200e6
const notesEach = 5
const bin = fileURLToPath(new URL("../../dist/bundle/bin.js", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "assize-bench-"))

/** Consultations of one clean note and four flawed ones, under long ids as exports have them. */
const writeTable = async (file: string): Promise<number> => {
  const out = createWriteStream(file)
  let written = 0
  let rows = 0
  for (let at = 0; written < bytes; at++) {
    const consultation = `consultation-${String(at).padStart(8, "0")}-${"x".repeat(60)}`
    let block = ""
    for (let note = 0; note < notesEach; note++) {
      const clean = note === 0 ? "" : `${consultation}|clean`
      const id = note === 0 ? `${consultation}|clean` : `${consultation}|flawed-${note}`
      const score = (at * 7 + note * 3) % 11
      block += `${JSON.stringify({ consultation, note: id, clean, class: note === 0 ? "" : "omission", judge: "only", replicate: "11", score })}\n`
      rows++
    }
    written += Buffer.byteLength(block)
    if (!out.write(block)) await once(out, "drain")
  }
  out.end()
  await finished(out)
  return rows
}

const highWater = (pid: number): number => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0)
  } catch {
    return 0
  }
}

try {
  const file = join(folder, "scores.jsonl")
  const rows = await writeTable(file)
  const started = performance.now()
  const child = spawn(process.execPath, [bin, "score", "--scores", file, "--resamples", "1000", "--json"], {
    stdio: ["ignore", "ignore", "inherit"]
  })
  let peak = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, highWater(child.pid!))
  }, 50)
  const [code] = (await once(child, "exit")) as [number | null]
  clearInterval(timer)
  const seconds = (performance.now() - started) / 1000
  console.log(
    `${(bytes / 1e6).toFixed(0)} MB, ${rows} rows: exit ${code}, ${(peak / 1024).toFixed(0)} MiB resident at most (ratio to the allowed 300 MB: ${((peak * 1024) / 3e8).toFixed(2)}), ${seconds.toFixed(1)} s`
  )
  process.exitCode = code === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
